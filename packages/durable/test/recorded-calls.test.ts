import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDurable, createMemoryEngine, type DurableEngine } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createToolRegistry, defineTool, failure } from "@dispatch/tools-interface";
import { expect, onTestFinished, test, vi, type TestContext } from "vitest";
import { openEngine } from "./open-engine.ts";
import { NO_POSTGRES, ownDatabase, postgres } from "./own-database.ts";

const call = { id: "toolu_01A09q90qw90", name: "charge", arguments: { n: 1 } };

function charging() {
  const charged: string[] = [];
  const tool = defineTool({
    name: "charge",
    description: "Acts.",
    parameters: { type: "object", properties: { n: { type: "number" } } },
    execute: (_, { effectId }) => (charged.push(effectId), "charged now"),
  });
  return { charged, tool, registry: createToolRegistry().register(tool) };
}

async function opened(kind: string): Promise<DurableEngine> {
  if (kind === "memory") return createMemoryEngine();
  if (kind === "postgres") {
    const { url, remove } = await ownDatabase();
    onTestFinished(remove);
    return openEngine(url, true);
  }
  const root = mkdtempSync(join(tmpdir(), "durable-recorded-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return openSqliteEngine(join(root, "calls.db"));
}

/** The calls of session `s`, kept by a new engine until the test has finished. */
async function charges(kind: string, skip: TestContext["skip"]) {
  skip(kind === "postgres" && postgres === undefined, NO_POSTGRES);
  const durable = createDurable(await opened(kind));
  onTestFinished(() => durable.close());
  return { durable, transcript: durable.session("s").transcript, ...charging() };
}

test.for(["memory", "sqlite", "postgres"])(
  "a call that a process recorded in the transcript alone ends with that result, in %s",
  async (kind, { skip }) => {
    const { durable, transcript, charged, registry } = await charges(kind, skip);
    // As by a process that did the call, and whose connection ended before its result was recorded.
    await registry.dispatch(call, { transcript });
    const submitted = await durable.submit(registry, call, { session: "s" });
    const stop = durable.serve(registry);
    expect(String(await submitted.outcome())).toBe("charged now");
    expect(charged).toHaveLength(1);
    expect(await transcript?.entries()).toHaveLength(1);
    expect((await durable.open()).calls).toEqual([]);
    await stop();
  },
);

test.for(["memory", "sqlite", "postgres"])(
  "a call that another process took over before its result was recorded is told once, with the result, in %s",
  async (kind, { skip }) => {
    const { transcript, registry } = await charges(kind, skip);
    const unknown = failure("nobody knows", { code: "outcome_unknown", effects: "possible" });
    const times = { startedAt: 1, durationMs: 1, sequence: 1 };
    const entryOf = (id: string) => ({ callId: id, name: "charge", arguments: { n: 1 }, result: unknown, ...times });
    await transcript?.append(entryOf(call.id));
    expect(await transcript?.find(call.id)).toBeUndefined();
    expect(await transcript?.entries()).toHaveLength(1);
    await registry.dispatch(call, { transcript });
    await transcript?.append({ ...entryOf(call.id), durationMs: 2, sequence: Number.MAX_SAFE_INTEGER });
    await transcript?.append(entryOf("another"));
    await transcript?.append({ ...entryOf(call.id), arguments: { n: 2 } });
    const entries = (await transcript?.entries()) ?? [];
    const told = entries.map(({ callId, arguments: sent, result }) => JSON.stringify([callId, sent, result.success]));
    expect(told.toSorted()).toEqual([
      `["another",{"n":1},false]`,
      `["${call.id}",{"n":1},true]`,
      `["${call.id}",{"n":2},false]`,
    ]);
    expect(await transcript?.find("another")).toBeUndefined();
  },
);

test.for(["memory", "sqlite", "postgres"])(
  "the known outcome of a call is found, though the last entry has none, in %s",
  async (kind, { skip }) => {
    const { transcript, charged, registry } = await charges(kind, skip);
    await registry.dispatch(call, { transcript });
    const result = failure("nobody knows", { code: "outcome_unknown", effects: "possible" });
    const times = { startedAt: 1, durationMs: 1, sequence: Number.MAX_SAFE_INTEGER };
    await transcript?.append({ callId: call.id, name: "charge", arguments: { n: 1 }, result, ...times });
    expect(await transcript?.find(call.id)).toMatchObject({ result: { success: true } });
    expect(String(await registry.dispatch(call, { transcript }))).toBe("charged now");
    expect(charged).toHaveLength(1);
  },
);

test.for(["memory", "sqlite", "postgres"])(
  "an outcome that nobody knows is not that of a process which did not see the end of its tool, in %s",
  async (kind, { skip }) => {
    const { transcript } = await charges(kind, skip);
    const late = failure("timed out", { code: "timeout", effects: "possible", stopped: false });
    const unknown = failure("nobody knows", { code: "outcome_unknown", effects: "possible" });
    const entry = { callId: call.id, name: "charge", arguments: { n: 1 }, startedAt: 1, durationMs: 1 };
    await transcript?.append({ ...entry, result: late, sequence: 1 });
    expect(await transcript?.find(call.id)).toMatchObject({ result: { code: "timeout" } });
    await transcript?.append({ ...entry, result: unknown, sequence: 2 });
    // The record of the call answers, in which a person may have said what became of it.
    expect(await transcript?.find(call.id)).toBeUndefined();
    expect((await transcript?.entries())?.map(({ result }) => !result.success && result.code)).toEqual([
      "timeout",
      "outcome_unknown",
    ]);
  },
);

test.for(["memory", "sqlite", "postgres"])(
  "a process that stops waiting for another one's call hides its outcome from nobody, in %s",
  async (kind, { skip }) => {
    const { durable, transcript } = await charges(kind, skip);
    const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tool = defineTool({
      name: "charge",
      description: "Acts.",
      parameters: { type: "object", properties: { n: { type: "number" } } },
      execute: async () => (began.resolve(), await release.promise, "charged now"),
    });
    const registry = createToolRegistry().register(tool);
    const dispatch = (signal?: AbortSignal) =>
      registry.dispatch(call, { durable: durable.session("s"), transcript, ...(signal && { signal }) });
    const first = dispatch();
    await began.promise;
    const cancelled = { success: false, code: "cancelled", effects: "possible" };
    // One that is cancelled before it waits has not begun.
    let patienceMs = 25;
    const cancelledLater = () => dispatch(AbortSignal.timeout((patienceMs *= 2)));
    await expect.poll(cancelledLater, { timeout: 60_000 }).toMatchObject(cancelled);
    const told = async () => (await transcript?.entries())?.map(({ result }) => result) ?? [];
    // It is told as long as nothing else is known of the call, and answers for nobody.
    expect(await told()).toContainEqual(expect.objectContaining(cancelled));
    expect(await transcript?.find(call.id)).toBeUndefined();
    const again = dispatch();
    release.resolve();
    expect(String(await first)).toBe("charged now");
    expect(String(await again)).toBe("charged now");
    const known = await told();
    expect(known.filter(({ success }) => success)).toHaveLength(1);
    expect(known).not.toContainEqual(expect.objectContaining(cancelled));
  },
);

test("a submitted call that its caller may not make ends with the refusal", async () => {
  const durable = createDurable(createMemoryEngine());
  const { charged, tool, registry } = charging();
  const fromProgram = { ...call, caller: "program" as const };
  const submitted = await durable.submit(registry, fromProgram, { session: "s" });
  const stop = durable.serve(createToolRegistry().register(tool, { callers: ["model"] }));
  expect(await submitted.outcome()).toMatchObject({ success: false, effects: "none" });
  expect(charged).toEqual([]);
  await stop();
});

test("a call that a worker could not look up is in the transcript once, when it has run", async () => {
  const engine = await opened("sqlite");
  const durable = createDurable(engine);
  onTestFinished(() => durable.close());
  const { charged, registry } = charging();
  const submitted = await durable.submit(registry, call, { session: "s" });
  const find = vi.spyOn(engine, "find").mockRejectedValueOnce(new Error("the connection ended"));
  const stop = durable.serve(registry);
  await expect.poll(() => find.mock.calls.length).toBeGreaterThan(0);
  expect(String(await submitted.outcome())).toBe("charged now");
  expect(charged).toHaveLength(1);
  expect(await durable.session("s").transcript?.entries()).toMatchObject([{ result: { success: true } }]);
  await stop();
});
