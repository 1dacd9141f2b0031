import { setTimeout as sleep } from "node:timers/promises";
import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { expect, onTestFinished, describe, test } from "vitest";
import { z } from "zod";
import { serveMcp, type McpServerOptions, type McpTaskRecord, type McpTaskStore } from "../index.ts";

const TOKEN = "a-token-for-tests-only";
const begun: string[] = [];
const ended: string[] = [];
/** Calls of `launch`: how many run, and the most that did. */
const launches = { now: 0, most: 0 };
/** Ends `wait`, by its name. */
const gates = new Map<string, () => void>();

const registry = createToolRegistry().register([
  defineTool({
    name: "wait",
    description: "Waits until the test lets it go on.",
    parameters: z.object({ for: z.string() }),
    execute: ({ for: what }, { progress, signal }) =>
      new Promise<string>((resolve, reject) => {
        begun.push(what);
        progress({ message: `waits for ${what}` });
        gates.set(what, () => resolve(`waited for ${what}`));
        signal.addEventListener("abort", () => {
          ended.push(what);
          reject(signal.reason as Error);
        });
      }),
  }),
  defineTool({
    name: "remove",
    description: "Removes.",
    parameters: z.object({ thing: z.string() }),
    annotations: { destructive: true },
    execute({ thing }) {
      begun.push(thing);
      return `removed ${thing}`;
    },
  }),
  defineTool({
    name: "launch",
    description: "Launches.",
    parameters: z.object({}),
    annotations: { destructive: true },
    async execute() {
      launches.most = Math.max(launches.most, (launches.now += 1));
      await sleep(5);
      launches.now -= 1;
      return "launched";
    },
  }),
  defineTool({ name: "quick", description: "Answers.", parameters: z.object({}), execute: () => "at once" }),
]);

interface Reply {
  readonly result?: Record<string, unknown> & { readonly taskId: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

async function serve(options: McpServerOptions = {}) {
  const serving = await serveMcp(registry, {
    tasks: { afterMs: 0 },
    ...options,
    transport: { port: 0, token: TOKEN },
  });
  onTestFinished(() => serving.close());
  return serving;
}

/** A client that keeps nothing: each request is one of a client that has just been started. */
function clientOf({ url = "" }: { url: string | undefined }, capabilities: object = CAPABLE) {
  return async (method: string, params: Record<string, unknown>): Promise<Reply> => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const name = params["name"] ?? params["taskId"];
    const response = await fetch(url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        ...(typeof name === "string" && { "Mcp-Name": name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    const text = await response.text();
    const lines = text.split("\n").filter((line) => line.startsWith("data:"));
    return JSON.parse(lines.at(-1)?.slice(5) ?? text) as Reply;
  };
}

const EXTENSIONS = { "io.modelcontextprotocol/tasks": {} };
const CAPABLE = { elicitation: {}, extensions: EXTENSIONS };
const wait = (what: string) => ({ name: "wait", arguments: { for: what } });
const APPROVED = { action: "accept", content: { approve: true } };

describe("serveMcp() to a client that knows tasks", () => {
  test("answers a long call by its task, which any later client reads to its end", async () => {
    const serving = await serve();
    const { result: task } = await clientOf(serving)("tools/call", wait("a bus"));
    expect(task).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 1_000, ttlMs: 86_400_000 });
    expect(task).not.toHaveProperty("isError");
    const { taskId = "" } = task ?? {};
    const get = async () => (await clientOf(serving)("tasks/get", { taskId })).result;
    expect(await get()).toMatchObject({ resultType: "complete", status: "working", statusMessage: "waits for a bus" });
    gates.get("a bus")?.();
    await expect.poll(get).toMatchObject({ status: "completed" });
    expect(await get()).toMatchObject({ result: { content: [{ type: "text", text: "waited for a bus" }] } });
    expect(begun.filter((what) => what === "a bus")).toHaveLength(1);
  });

  test("answers a short call by its result, and every call where the client does not know tasks", async () => {
    const serving = await serve({ tasks: { afterMs: 60_000 } });
    const quick = { name: "quick", arguments: {} };
    expect((await clientOf(serving)("tools/call", quick)).result).toMatchObject({ content: [{ text: "at once" }] });
    const unaware = clientOf(serving, { elicitation: {} })("tools/call", wait("nothing"));
    await expect.poll(() => gates.has("nothing")).toBe(true);
    gates.get("nothing")?.();
    expect((await unaware).result).toMatchObject({ resultType: "complete" });
    expect(await clientOf(serving, { elicitation: {} })("tasks/get", { taskId: "x" })).toMatchObject({
      error: { code: -32_021, data: { requiredCapabilities: { extensions: EXTENSIONS } } },
    });
    const without = await serve({ tasks: false });
    const refused = await clientOf(without)("tasks/get", { taskId: "x" });
    expect(refused).toMatchObject({ error: { code: -32_601 } });
  });

  test("puts an approval into the task, where another client answers it, once", async () => {
    const serving = await serve({ tasks: { afterMs: 60_000 } });
    const call = { name: "remove", arguments: { thing: "the moon" } };
    const { taskId = "" } = (await clientOf(serving)("tools/call", call)).result ?? {};
    const get = async () => (await clientOf(serving)("tasks/get", { taskId })).result;
    const asked = await get();
    expect(asked).toMatchObject({ status: "input_required" });
    const [[key, question] = ["", {}]] = Object.entries(asked?.["inputRequests"] as Record<string, object>);
    expect(question).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
    expect(JSON.stringify(question)).toContain("the moon");
    const answer = (client: ReturnType<typeof clientOf>, responses: object) =>
      client("tasks/update", { taskId, inputResponses: responses });
    // A client without a user speaks for nobody.
    expect(await answer(clientOf(serving, { extensions: EXTENSIONS }), { [key]: APPROVED })).toMatchObject({
      error: { code: -32_021 },
    });
    await answer(clientOf(serving), { another: APPROVED, __proto__: APPROVED });
    expect(await get()).toMatchObject({ status: "input_required" });
    expect(begun).not.toContain("the moon");
    const both = await Promise.all([1, 2].map(() => answer(clientOf(serving), { [key]: APPROVED })));
    expect(both.map(({ result }) => result?.["resultType"])).toEqual(["complete", "complete"]);
    await expect.poll(get).toMatchObject({ status: "completed", result: { content: [{ text: "removed the moon" }] } });
    expect(begun.filter((what) => what === "the moon")).toHaveLength(1);
  });

  test("cancels, and says so; what was done before is done", async () => {
    const serving = await serve();
    const client = clientOf(serving);
    const { taskId = "" } = (await client("tools/call", wait("rain"))).result ?? {};
    expect(await client("tasks/cancel", { taskId })).toMatchObject({ result: { resultType: "complete" } });
    await expect
      .poll(async () => (await client("tasks/get", { taskId })).result)
      .toMatchObject({ status: "cancelled", statusMessage: expect.stringContaining("cancelled") });
    expect(ended).toContain("rain");
    const done = (await client("tools/call", wait("sun"))).result?.taskId ?? "";
    gates.get("sun")?.();
    const status = async () => (await client("tasks/get", { taskId: done })).result?.["status"];
    await expect.poll(status).toBe("completed");
    await client("tasks/cancel", { taskId: done });
    expect(await status()).toBe("completed");
  });

  test("knows no guessed task, and none of a call that was answered by its request", async () => {
    const serving = await serve();
    const client = clientOf(serving);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      for (const taskId of ["", "constructor", "00000000-0000-4000-8000-000000000000"]) {
        const params = { taskId, ...(method === "tasks/update" && { inputResponses: {} }) };
        expect(await client(method, params)).toMatchObject({ error: { code: -32_602 } });
      }
      expect(await client(method, { taskId: 5 })).toHaveProperty("error");
    }
  });

  test("keeps so many tasks, forgets those that have ended first, and lets none grow old", async () => {
    const serving = await serve({ tasks: { afterMs: 0, maxTasks: 2 } });
    const client = clientOf(serving);
    const ids: string[] = [];
    for (const what of ["one", "two"]) ids.push((await client("tools/call", wait(what))).result?.taskId ?? "");
    expect((await client("tools/call", wait("three"))).result).toMatchObject({ isError: true });
    expect(begun).not.toContain("three");
    gates.get("two")?.();
    const status = async (taskId = "") => (await client("tasks/get", { taskId })).result?.["status"];
    await expect.poll(() => status(ids[1])).toBe("completed");
    expect((await client("tools/call", wait("three"))).result).toMatchObject({ resultType: "task" });
    expect(await client("tasks/get", { taskId: ids[1] })).toMatchObject({ error: { code: -32_602 } });
    const short = await serve({ tasks: { afterMs: 0, ttlMs: 30 } });
    const old = (await clientOf(short)("tools/call", wait("ages"))).result?.taskId;
    await expect.poll(() => clientOf(short)("tasks/get", { taskId: old })).toMatchObject({ error: { code: -32_602 } });
    expect(ended).toContain("ages");
  });

  test("lets calls that are answered at the same moment run in turn", async () => {
    const serving = await serve({ maxConcurrency: 2 });
    const client = clientOf(serving);
    const ids = [];
    for (let count = 0; count < 8; count += 1) {
      ids.push((await client("tools/call", { name: "launch", arguments: {} })).result?.taskId ?? "");
    }
    const approve = (taskId: string) => client("tasks/update", { taskId, inputResponses: { "question-1": APPROVED } });
    await Promise.all(ids.map(approve));
    for (const taskId of ids) {
      const get = async () => (await client("tasks/get", { taskId })).result;
      await expect.poll(get).toMatchObject({ status: "completed", result: { content: [{ text: "launched" }] } });
    }
    expect(launches.most).toBe(2);
  });

  test("refuses a question above the client's share by its limit, ends no waiting call, and runs calls that do not ask", async () => {
    const serving = await serve({ maxConcurrency: 2, tasks: { afterMs: 5_000, maxTasks: 8 } });
    const client = clientOf(serving);
    const ask = () => client("tools/call", { name: "remove", arguments: { thing: "nothing" } });
    const ids = [await ask(), await ask()].map(({ result }) => result?.taskId);
    for (let count = 0; count < 40; count += 1) {
      expect(JSON.stringify((await ask()).result)).toContain("2 calls of this client wait for an answer");
    }
    for (const taskId of ids) {
      expect((await client("tasks/get", { taskId })).result).toMatchObject({ status: "input_required" });
    }
    const quick = (await client("tools/call", { name: "quick", arguments: {} })).result;
    expect(quick).toMatchObject({ content: [{ text: "at once" }] });
  });
});

describe("serveMcp() with a store of tasks", () => {
  function storeIn(records: Map<string, McpTaskRecord>): McpTaskStore {
    return {
      get: (taskId) => Promise.resolve(records.get(taskId)),
      async set(record) {
        await sleep(1);
        records.set(record.taskId, structuredClone(record));
      },
      delete: (taskId) => Promise.resolve(void records.delete(taskId)),
    };
  }

  test("answers for the tasks of a process that is gone: their results, or that nobody knows", async () => {
    const records = new Map<string, McpTaskRecord>();
    const first = await serve({ tasks: { afterMs: 0, store: storeIn(records) } });
    const done = (await clientOf(first)("tools/call", wait("tea"))).result?.taskId ?? "";
    gates.get("tea")?.();
    await expect.poll(() => records.get(done)?.status).toBe("completed");
    const cut = (await clientOf(first)("tools/call", wait("coffee"))).result?.taskId ?? "";
    const left = new Map(records);
    const second = await serve({ tasks: { afterMs: 0, store: storeIn(left) } });
    expect((await clientOf(second)("tasks/get", { taskId: done })).result).toMatchObject({
      status: "completed",
      result: { content: [{ text: "waited for tea" }] },
    });
    expect((await clientOf(second)("tasks/get", { taskId: cut })).result).toMatchObject({
      status: "completed",
      result: { isError: true, content: [{ text: expect.stringContaining("not known") }] },
    });
    expect(begun.filter((what) => what === "coffee")).toHaveLength(1);
  });

  test("goes on with them where calls are durable, and runs none twice", async () => {
    const records = new Map<string, McpTaskRecord>();
    const session = createDurable(createMemoryEngine()).session("mcp");
    const options: McpServerOptions = {
      tasks: { afterMs: 0, store: storeIn(records), resume: true },
      dispatch: (call, given) => registry.dispatch(call, { ...given, durable: session }),
    };
    const first = await serve(options);
    const call = { name: "remove", arguments: { thing: "pluto" } };
    const { taskId = "" } = (await clientOf(first)("tools/call", call)).result ?? {};
    await first.close();
    expect(records.get(taskId)?.status).toBe("working");
    const second = await serve(options);
    const get = async () => (await clientOf(second)("tasks/get", { taskId })).result;
    await expect.poll(get).toMatchObject({ status: "input_required" });
    const [key = ""] = Object.keys((await get())?.["inputRequests"] as object);
    await clientOf(second)("tasks/update", { taskId, inputResponses: { [key]: APPROVED } });
    await expect.poll(get).toMatchObject({ status: "completed", result: { content: [{ text: "removed pluto" }] } });
    // A third process whose store knows nothing of the end: the ledger does.
    records.set(taskId, { ...(records.get(taskId) as McpTaskRecord), status: "working" });
    const third = await serve(options);
    await expect
      .poll(async () => (await clientOf(third)("tasks/get", { taskId })).result)
      .toMatchObject({ status: "completed", result: { content: [{ text: "removed pluto" }] } });
    expect(begun.filter((what) => what === "pluto")).toHaveLength(1);
  });
});
