import { afterEach, describe, expect, test } from "vitest";
import { SuspendedCalls, type Round, type Work } from "./suspended-calls.ts";

const never = new AbortController().signal;
const accept = (approve: boolean) => ({ answer: { action: "accept", content: { approve } } });
let calls: SuspendedCalls;
afterEach(() => calls.close());

function round(more: Partial<Round> = {}): Round {
  return { call: "a", state: undefined, responses: undefined, signal: never, tell: () => {}, meta: {}, ...more };
}

const form = (message: string) => ({ message, requestedSchema: { type: "object" as const, properties: {} } });

/** Asks so many questions and returns the answers; its outcome is recorded. */
function asking(times: number): { work: Work; heard: unknown[]; ended: string[]; begun: () => number } {
  const heard: unknown[] = [];
  const ended: string[] = [];
  let begun = 0;
  const work: Work = async ({ elicit, signal, tell }) => {
    begun += 1;
    signal.addEventListener("abort", () => ended.push(String(signal.reason)));
    for (let time = 0; time < times; time += 1) {
      tell(time, "asks");
      heard.push(await elicit(form(`question ${time}`), signal));
    }
    return { content: [{ type: "text", text: `heard ${heard.length}` }] };
  };
  return { work, heard, ended, begun: () => begun };
}

async function stateOf(answer: Promise<object>): Promise<string> {
  const { requestState } = (await answer) as { requestState?: string };
  if (requestState === undefined) throw new Error(`No state in ${JSON.stringify(await answer)}`);
  return requestState;
}

/** An error of the protocol: invalid params. */
const refused = { code: -32_602, message: expect.stringContaining("Cannot go on") as unknown };

describe("SuspendedCalls", () => {
  test("goes on where the call was, question by question, and reports to the request that is open", async () => {
    calls = new SuspendedCalls();
    const { work, heard, begun } = asking(2);
    const told: string[] = [];
    const first = calls.round(round({ tell: (no) => told.push(`first ${no}`) }), work);
    expect(await first).toMatchObject({ inputRequests: { answer: { params: { message: "question 0" } } } });
    const [state, tell] = [await stateOf(first), (no: number): void => void told.push(`second ${no}`)];
    const second = calls.round(round({ state, responses: accept(true), tell }), work);
    const last = { state: await stateOf(second), responses: { answer: { action: "decline" } } };
    expect(await calls.round(round(last), work)).toMatchObject({ content: [{ text: "heard 2" }] });
    expect(heard).toMatchObject([{ action: "accept", content: { approve: true } }, { action: "decline" }]);
    expect(begun()).toBe(1);
    expect(told).toEqual(["first 0", "second 1"]);
  });

  test("takes an answer once, for the call it was given for, and no guessed one", async () => {
    calls = new SuspendedCalls();
    const { work, heard, begun } = asking(1);
    const state = await stateOf(calls.round(round(), work));
    const responses = accept(true);
    await expect(calls.round(round({ state, responses, call: "another" }), work)).rejects.toMatchObject(refused);
    for (const guess of ["", "constructor", `${state} `]) {
      await expect(calls.round(round({ state: guess, responses }), work)).rejects.toMatchObject(refused);
    }
    expect(heard).toEqual([]);
    const results = await Promise.allSettled([1, 2].map(() => calls.round(round({ state, responses }), work)));
    expect(results).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: refused }]);
    expect([heard.length, begun()]).toEqual([1, 1]);
  });

  test.each([undefined, {}, { other: { action: "accept" } }, { answer: { roots: [] } }, { answer: "yes" }])(
    "takes %j for no answer",
    async (responses) => {
      calls = new SuspendedCalls();
      const { work, heard } = asking(1);
      const state = await stateOf(calls.round(round(), work));
      await calls.round(round({ state, responses }), work);
      expect(heard).toEqual([{ action: "cancel" }]);
    },
  );

  test("cancels a call whose request is cancelled, whose question nobody answers, and all when it closes", async () => {
    calls = new SuspendedCalls(20);
    const [cancelled, lapsed, closed] = [asking(1), asking(1), asking(1)];
    const stop = new AbortController();
    const waiting: Work = (caller) => cancelled.work(caller).then(() => new Promise<never>(() => {}));
    const state = await stateOf(calls.round(round(), waiting));
    void calls.round(round({ state, responses: accept(true), signal: stop.signal }), waiting);
    stop.abort("the client cancelled");
    expect(cancelled.ended).toEqual(["the client cancelled"]);
    const old = await stateOf(calls.round(round(), lapsed.work));
    await expect.poll(() => lapsed.ended).toEqual(["Error: nobody answered in time"]);
    await expect(calls.round(round({ state: old, responses: accept(true) }), lapsed.work)).rejects.toMatchObject(
      refused,
    );
    calls.close();
    calls = new SuspendedCalls();
    await stateOf(calls.round(round(), closed.work));
    calls.close();
    expect(closed.ended).toEqual(["Error: the server ends"]);
  });

  test("takes the answer to a question that has lapsed for no answer to the next one", async () => {
    calls = new SuspendedCalls();
    const lapse = new AbortController();
    const heard: unknown[] = [];
    const work: Work = async ({ elicit }) => {
      heard.push(await elicit(form("May I look?"), lapse.signal));
      heard.push(await elicit(form("May I delete it?"), never));
      return { content: [] };
    };
    const state = await stateOf(calls.round(round(), work));
    lapse.abort();
    await new Promise((resolve) => setImmediate(resolve));
    const again = calls.round(round({ state, responses: accept(true) }), work);
    expect(await again).toMatchObject({ inputRequests: { answer: { params: { message: "May I delete it?" } } } });
    expect(heard).toEqual([{ action: "cancel" }]);
    await calls.round(round({ state: await stateOf(again), responses: accept(false) }), work);
    expect(heard[1]).toMatchObject({ action: "accept", content: { approve: false } });
  });

  test("takes no answer that was given before the question", async () => {
    calls = new SuspendedCalls();
    const { work, heard } = asking(1);
    await stateOf(calls.round(round({ responses: accept(true) }), work));
    expect(heard).toEqual([]);
  });

  test("passes on what the call throws", async () => {
    calls = new SuspendedCalls();
    await expect(calls.round(round(), () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });
});
