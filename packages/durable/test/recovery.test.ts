import { spawnSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createToolRegistry, defineTool, failure, type AnyToolRegistry } from "@dispatch/tools-interface";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SCHEMA } from "../src/sqlite-schema.ts";
import { openDestination } from "./destination.ts";
import { effectTools } from "./effect-tools.ts";

let root: string;
let file: string;
let effects: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "durable-recovery-"));
  [file, effects] = [join(root, "calls.db"), join(root, "effects")];
});
afterEach(() => rmSync(root, { recursive: true }));

const callOf = (name: string) => ({ id: "toolu_01A09q90qw90", name, arguments: { n: 1 } });

/** A process that dies in a call of this tool. */
function dieIn(name: string, moment = "after the effect"): void {
  const program = fileURLToPath(new URL("./die-in-call.ts", import.meta.url));
  const args = ["--no-deprecation", "--conditions=@dispatch/source", program, file, effects, name, moment];
  expect(spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }).signal).toBe("SIGKILL");
}

/** Dispatches the call again, in this process. */
async function again(name: string, registry: AnyToolRegistry = effectTools(openDestination(effects), () => {})) {
  const durable = createDurable(await openSqliteEngine(file));
  const session = durable.session("s");
  const dispatch = () => registry.dispatch(callOf(name), { durable: session, transcript: session.transcript });
  return { durable, dispatch, session, result: await dispatch() };
}

const happened = (): readonly number[] => [...openDestination(effects).counts().values()];

describe("a call whose process died after the effect", () => {
  test("is not begun again, its outcome is unknown, and a person can say it", async () => {
    dieIn("charge");
    const { durable, dispatch, session, result } = await again("charge");
    expect(result).toMatchObject({ code: "outcome_unknown", effects: "possible" });
    expect(happened()).toEqual([1]);
    const { calls, waits } = await durable.open();
    expect([calls, waits]).toMatchObject([
      [],
      [{ kind: "unknown", question: { name: "charge", arguments: { n: 1 } } }],
    ]);
    expect(await session.transcript?.entries()).toHaveLength(1);
    const [{ key } = { key: "" }] = waits;
    expect([await durable.answer(key, { happened: true, output: "paid" }), await durable.answer(key, {})]).toEqual([
      true,
      false,
    ]);
    expect(await dispatch()).toMatchObject({ success: true, output: "paid" });
    expect(happened()).toEqual([1]);
    await durable.close();
  });

  test("may run again when a person says that it was not done", async () => {
    dieIn("charge", "before the effect");
    const { durable, dispatch } = await again("charge");
    const [{ key } = { key: "" }] = (await durable.open()).waits;
    await durable.answer(key, { happened: false });
    expect(await dispatch()).toMatchObject({ success: true });
    expect(happened()).toEqual([1]);
    await durable.close();
  });

  test.each([
    ["after the effect", { success: true }],
    ["before the effect", { success: false, effects: "none" }],
  ])("has the outcome that its tool finds, %s", async (moment, outcome) => {
    dieIn("charge_asked", moment);
    const { durable, result } = await again("charge_asked");
    expect(result).toMatchObject(outcome);
    expect(happened()).toEqual(moment === "after the effect" ? [1] : []);
    await durable.close();
  });

  test("begins again with the same effect id when it is idempotent", async () => {
    dieIn("set");
    const { durable, result } = await again("set");
    expect(result).toMatchObject({ success: true });
    expect(happened()).toEqual([2]);
    await durable.close();
  });

  test("goes on where it ended when it is resumable: what its calls did is not done again", async () => {
    dieIn("program", "between calls");
    dieIn("program");
    const { durable, result } = await again("program");
    expect(String(result)).toContain("had begun when its process ended");
    expect(Math.max(...happened())).toBe(1);
    await durable.close();
  });

  test("is not taken over by another version of its tool, and not lost when its tool is gone", async () => {
    dieIn("charge_asked");
    const other = defineTool({
      name: "charge_asked",
      description: "Another version.",
      parameters: { type: "object", properties: {} },
      execute: () => "ran",
    });
    const first = await again("charge_asked", createToolRegistry().register(other));
    expect(first.result).toMatchObject({ code: "outcome_unknown" });
    await first.durable.close();
    const second = await again("charge_asked", createToolRegistry());
    expect(second.result).toMatchObject({ code: "outcome_unknown" });
    await second.durable.close();
  });
});

test("dispatch() refuses a durable call that could not be known again", async () => {
  const durable = createDurable(createMemoryEngine());
  const registry = effectTools(openDestination(effects), () => {});
  const options = { durable: durable.session("s") };
  for (const call of [{ name: "charge" }, { id: "call_0", name: "charge" }]) {
    expect(await registry.dispatch({ ...call, arguments: { n: 1 } }, options)).toMatchObject({ code: "invalid_call" });
  }
  const numbered = { id: "call_0", name: "charge", arguments: { n: 1 } };
  expect(await registry.dispatch({ ...numbered, turn: "msg_1" }, options)).toMatchObject({ success: true });
  expect(await registry.dispatch({ ...numbered, turn: "msg_2" }, options)).toMatchObject({ success: true });
  expect(happened()).toEqual([1, 1]);
});

test("openSqliteEngine() reads a file whose texts were written as they are", async () => {
  const texts = ["plain", "a\0b", '"a\\u0000b"', '"', 'in "the" middle', "\u{1F600}"];
  const old = new DatabaseSync(file);
  old.exec(`${SCHEMA}; PRAGMA user_version = 1`);
  for (const text of texts) {
    const intent = JSON.stringify({ kind: "step", session: "s" });
    old.prepare("INSERT INTO step VALUES (?, 'done', NULL, 1, 1, ?, ?, NULL)").run(text, intent, JSON.stringify(text));
    old.prepare("INSERT INTO step VALUES (?, 'submitted', NULL, 0, 1, ?, NULL, NULL)").run(`${text}+open`, intent);
    old.prepare("INSERT INTO wait VALUES (?, ?, 'null', 1, NULL, NULL, 0)").run(text, text);
    const entry = JSON.stringify({ callId: text, name: "charge", arguments: {}, result: { success: true, output: 1 } });
    old
      .prepare("INSERT INTO entry (session, digest, call_id, turn, entry) VALUES (?, ?, ?, ?, ?)")
      .run(text, "digest", text, text, entry);
  }
  old.close();
  for (let opened = 0; opened < 2; opened += 1) {
    const engine = await openSqliteEngine(file);
    const { steps, waits } = await engine.list();
    expect(new Set(steps.map(({ key }) => key))).toEqual(new Set(texts.map((text) => `${text}+open`)));
    expect(new Set(waits.map(({ key, kind }) => `${key} ${kind}`))).toEqual(
      new Set(texts.map((text) => `${text} ${text}`)),
    );
    for (const text of texts) {
      expect(await engine.run(text, { intent: null, work: async () => ({ result: "again" }) })).toBe(text);
      expect(await engine.transcript?.(text).entries()).toMatchObject([{ callId: text }]);
      expect(await engine.transcript?.(text).find(text, text)).toMatchObject({ callId: text });
    }
    await engine.close();
  }
});

test.each(["", "-wal"])("dispatch() starts nothing when the file %s is gone", async (part) => {
  const before = createDurable(await openSqliteEngine(file));
  await before.close();
  const durable = createDurable(await openSqliteEngine(file));
  renameSync(`${file}${part}`, `${file}-moved`);
  const registry = effectTools(openDestination(effects), () => {});
  const result = await registry.dispatch(callOf("charge"), { durable: durable.session("s") });
  expect(result).toMatchObject({ code: "durable_unavailable", effects: "none" });
  expect(happened()).toEqual([]);
  await durable.close();
});

test("two processes that dispatch the same call run it once", async () => {
  const durables = [createDurable(await openSqliteEngine(file)), createDurable(await openSqliteEngine(file))];
  const registry = effectTools(openDestination(effects), () => {});
  const results = await Promise.all(
    durables.flatMap((durable) => {
      const options = { durable: durable.session("s") };
      return [registry.dispatch(callOf("charge"), options), registry.dispatch(callOf("charge"), options)];
    }),
  );
  expect(new Set(results.map(String)).size).toBe(1);
  expect(happened()).toEqual([1]);
  await Promise.all(durables.map((durable) => durable.close()));
});

test.each(["memory", "sqlite"])("a question lapses for everybody, and is answered once, in %s", async (kind) => {
  const engine = kind === "memory" ? createMemoryEngine() : await openSqliteEngine(file);
  const ask = { kind: "question", question: "Which?", patienceMs: 0 };
  expect(await engine.wait("lapsing", { ...ask, expiresAt: Date.now() - 1 })).toEqual({ lapsed: true });
  expect(await engine.signal("lapsing", "late")).toBe(false);
  expect(await engine.wait("open", ask)).toBeUndefined();
  const waiting = engine.wait("open", { kind: "question", question: "Another?" });
  expect((await engine.list()).waits).toMatchObject([{ key: "open", question: "Which?" }]);
  expect([await engine.signal("open", "this"), await engine.signal("open", "that")]).toEqual([true, false]);
  expect(await waiting).toEqual({ lapsed: false, answer: "this" });
  expect((await engine.list()).waits).toEqual([]);
  const abort = new AbortController();
  const cancelled = engine.wait("never", { kind: "timer", question: null, signal: abort.signal });
  abort.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
  await engine.close();
});

test("openSqliteEngine() says that it cannot use a file in a directory that is not there", async () => {
  const opened = openSqliteEngine(join(root, "absent", "calls.db"));
  await expect(opened).rejects.toMatchObject({ name: "DurableError", message: expect.stringContaining("Cannot use") });
});

test("close() keeps a running call from others until it has ended", async () => {
  const durable = createDurable(await openSqliteEngine(file));
  const other = createDurable(await openSqliteEngine(file));
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const charge = (n: string, wait: Promise<void>) =>
    defineTool({
      name: "charge",
      description: "Acts, and can be asked.",
      parameters: { type: "object" },
      execute: async () => (begun.resolve(), await wait, n),
      reconcile: () => failure("it was not done", { effects: "none" }),
    });
  const registry = createToolRegistry().register(charge("first", gate.promise));
  const first = registry.dispatch(callOf("charge"), { durable: durable.session("s") });
  await begun.promise;
  const closed = durable.close();
  const elsewhere = createToolRegistry().register(charge("second", Promise.resolve()));
  const second = elsewhere.dispatch(callOf("charge"), { durable: other.session("s") });
  expect((await other.open()).calls).toMatchObject([{ name: "charge", state: "running" }]);
  gate.resolve();
  expect([String(await first), String(await second)]).toEqual(["first", "first"]);
  await closed;
  await other.close();
});

describe("a worker", () => {
  const tool = (name: string) =>
    defineTool({ name, description: "Acts.", parameters: { type: "object" }, execute: () => `done ${name}` });

  test("reaches its calls behind any number that it cannot do", async () => {
    const durable = createDurable(await openSqliteEngine(file));
    const both = createToolRegistry().register([tool("other"), tool("own")]);
    const text = "x".repeat(30_000);
    await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        durable.submit(both, { id: `toolu_0${n}A0x9q${n}`, name: "other", arguments: { text } }, { session: "s" }),
      ),
    );
    const last = await durable.submit(both, { ...callOf("own"), id: "toolu_99A0x9q99" }, { session: "s" });
    const stop = durable.serve(createToolRegistry().register(tool("own")));
    expect(String(await last.outcome())).toBe("done own");
    await stop();
    expect((await durable.open()).calls).toHaveLength(120);
    await durable.close();
  });

  test.each(["{broken", '{"kind":"call","name":7}', '{"kind":"call","name":"own","parents":3}', "[]"])(
    "goes on when somebody has put %s among its calls",
    async (intent) => {
      const durable = createDurable(await openSqliteEngine(file));
      const registry = createToolRegistry().register(tool("own"));
      const database = new DatabaseSync(file);
      database.prepare("INSERT INTO step VALUES ('x', 'submitted', NULL, 0, 1, ?, NULL, NULL)").run(intent);
      database.close();
      const call = await durable.submit(registry, callOf("own"), { session: "s" });
      const stop = durable.serve(registry);
      expect(String(await call.outcome())).toBe("done own");
      expect((await durable.open()).calls).toEqual([]);
      await stop();
      await durable.close();
    },
  );
});
