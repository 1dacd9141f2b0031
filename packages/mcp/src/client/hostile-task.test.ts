import { isJsonObject } from "@dispatch/tools-interface/internal";
import { describe, expect, test } from "vitest";
import { followTask, type RemoteTask, type TaskLink } from "./remote-task.ts";

const OK = { content: [{ type: "text", text: "ok" }] };
const TASK: RemoteTask = { taskId: "t-1", isLegacy: false };
const never = new AbortController().signal;

/** A server that answers each question about its task in turn, and the last answer again and again. */
function scripted(states: readonly unknown[], answer?: TaskLink["answer"]) {
  const sent: { method: string; params: object }[] = [];
  let at = 0;
  const link: TaskLink = {
    request(method, params) {
      sent.push({ method, params });
      if (method !== "tasks/get") return Promise.resolve(method === "tasks/result" ? OK : {});
      const state = states[Math.min((at += 1), states.length) - 1];
      return state instanceof Error ? Promise.reject(state) : Promise.resolve(state);
    },
    ...(answer && { answer }),
  };
  return { link, sent };
}

const working = (more: object = {}): object => ({ taskId: "t-1", status: "working", pollIntervalMs: 1, ...more });

const WRONG: Readonly<Record<string, unknown>> = {
  "null for a task": null,
  "a list for a task": [],
  "a task of another id": { ...working({ taskId: "t-2", status: "completed" }), result: OK },
  "a number for an id": { ...working({ taskId: 1, status: "completed" }), result: OK },
  "no status": { taskId: "t-1", result: OK },
  "an odd status": working({ status: "done", result: OK }),
  "a list for a status": working({ status: ["completed"], result: OK }),
  "a failure without a reason": working({ status: "failed", error: { message: 5 } }),
  "a cancelled task that has a result": working({ status: "cancelled", result: OK }),
};

describe("followTask() with a hostile server", () => {
  test.each(Object.entries(WRONG))("fails at %s", async (_, state) => {
    const { link } = scripted([working(), state]);
    await expect(followTask(link, TASK, never, () => {})).rejects.toMatchObject({ code: "mcp_failed" });
  });

  test.each([0, -1, 0.001, Number.NaN, "0", null, undefined])(
    "asks no faster than 20 times a second for an interval of %j, and ends with its call",
    async (pollIntervalMs) => {
      const { link, sent } = scripted([working({ pollIntervalMs })]);
      const stop = new AbortController();
      const began = performance.now();
      const following = followTask(link, TASK, stop.signal, () => {});
      await expect.poll(() => sent.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const asked = sent.length;
      const most = (performance.now() - began) / 50 + 1;
      stop.abort();
      await expect(following).rejects.toThrow("aborted");
      expect(asked).toBeLessThanOrEqual(most);
      expect(sent.at(-1)?.method).toBe("tasks/cancel");
    },
  );

  test.each([1e300, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
    "is cancelled at once though the server asks to wait for %d ms",
    async (pollIntervalMs) => {
      const { link, sent } = scripted([working({ pollIntervalMs })]);
      const stop = new AbortController();
      const following = followTask(link, TASK, stop.signal, () => {});
      await expect.poll(() => sent.length).toBe(1);
      stop.abort();
      await expect(following).rejects.toThrow("aborted");
    },
  );

  test("goes on when the result is lost on its way", async () => {
    const legacy: RemoteTask = { taskId: "t-1", isLegacy: true };
    let lost = 0;
    const { link } = scripted([working({ status: "completed" })]);
    const losing: TaskLink = {
      request: (method, ...more) =>
        method === "tasks/result" && (lost += 1) === 1
          ? Promise.reject(new TypeError("fetch failed"))
          : link.request(method, ...more),
    };
    expect(await followTask(losing, legacy, never, () => {})).toEqual(OK);
  });

  test("asks each question once, and no more than 32", async () => {
    let asked = 0;
    const questions = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `q${at}`,
          { method: "elicitation/create", params: { message: "x", requestedSchema: {} } },
        ]),
      );
    const many = working({ status: "input_required", inputRequests: questions(100) });
    const { link, sent } = scripted([many, many, many, working({ status: "completed", result: OK })], () => {
      asked += 1;
      return Promise.resolve({ action: "decline" });
    });
    expect(await followTask(link, TASK, never, () => {})).toEqual(OK);
    expect(asked).toBe(32);
    expect(sent.filter(({ method }) => method === "tasks/update")).toHaveLength(32);
  });

  test.each([
    null,
    [],
    "x",
    { q: null },
    { q: { method: "sampling/createMessage", params: {} } },
    { q: { method: 5 } },
  ])("asks nobody for questions that are %j", async (inputRequests) => {
    const states = [working({ status: "input_required", inputRequests }), working({ status: "completed", result: OK })];
    const { link, sent } = scripted(states, () => Promise.reject(new Error("asked")));
    expect(isJsonObject(await followTask(link, TASK, never, () => {}))).toBe(true);
    expect(sent.map(({ method }) => method)).toEqual(["tasks/get", "tasks/get"]);
  });
});
