import { setTimeout as pause } from "node:timers/promises";
import type { DurableEngine, DurableStep, DurableWorker } from "@dispatch/durable";
import { failure, type JsonValue } from "@dispatch/tools-interface";
import { afterEach, beforeEach, expect, test } from "vitest";

/** Values that a database may refuse or change. */
const HOSTILE: readonly JsonValue[] = [
  "\u0000 between",
  "\uD800 alone",
  "\uDC00\uD800",
  { "\u0000": "\u0000" },
  "'; DROP TABLE step; --",
  "\u{1F600}".repeat(1_000),
  -0.5e-7,
  Number.MAX_SAFE_INTEGER,
  ["", null, true, [], {}],
  "x".repeat(1_000_000),
];

const stepOf = (result: JsonValue, begun: JsonValue[]): DurableStep => ({
  intent: { kind: "step", session: "s" },
  work: async () => (begun.push(result), { result }),
});

/** The behaviour that every engine shares. `open` opens the same store each time. */
export function testEngine(open: () => Promise<DurableEngine>): void {
  let engine: DurableEngine;
  let prefix: string;
  beforeEach(async () => {
    engine = await open();
    prefix = crypto.randomUUID();
  });
  afterEach(() => engine.close());
  const key = (name: string): string => `${prefix}/${name}#1\0\uD800`;

  test("run() does the work once, and answers from the record", async () => {
    const begun: JsonValue[] = [];
    const results = await Promise.all([1, 2, 3].map(() => engine.run(key("a"), stepOf({ n: 1 }, begun))));
    results.push(await engine.run(key("a"), stepOf({ n: 2 }, begun)));
    expect(results).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }, { n: 1 }]);
    expect(begun).toEqual([{ n: 1 }]);
    expect(await engine.find(key("a"))).toMatchObject({ state: "done", result: { n: 1 } });
    expect(await engine.find(key("none"))).toBeUndefined();
  });

  test("run() keeps intents and results as they are", async () => {
    for (const [number, value] of HOSTILE.entries()) {
      const step: DurableStep = {
        intent: { kind: "call", session: "\u0000\uD800", value },
        work: async () => ({ result: value }),
      };
      expect(await engine.run(key(`${number}`), step)).toEqual(value);
      expect(await engine.find(key(`${number}`))).toEqual({ state: "done", intent: step.intent, result: value });
    }
  });

  test("texts that a column cannot hold stay different", async () => {
    const texts = ["\0", "\0\uD800", "\uD800", "\uD801", "\uFFFD", '"\\ud800"', '"', "'", "", "\\u0000"];
    const names = texts.map((text) => `${text}/${prefix}`);
    for (const name of names) {
      const result = failure(name);
      const times = { startedAt: 1, durationMs: 1, sequence: 1 };
      const entry = { callId: name, turn: name, name: "charge", arguments: {}, result, ...times };
      const intent = { kind: "call", session: name };
      const step = { intent, work: async () => ({ result: name, entry: { session: name, entry } }) };
      expect(await engine.run(name, step)).toBe(name);
      expect(await engine.wait(`?${name}`, { kind: name, question: name, patienceMs: 0 })).toBeUndefined();
    }
    const asked = (await engine.list()).waits.filter(({ key: of }) => of.endsWith(prefix));
    expect(new Set(asked.map(({ kind, key: of }) => `${of} ${kind}`))).toEqual(
      new Set(names.map((name) => `?${name} ${name}`)),
    );
    for (const name of names) {
      expect(await engine.find(name)).toMatchObject({ state: "done", result: name });
      expect(await engine.transcript?.(name).entries()).toMatchObject([{ callId: name }]);
      expect(await engine.transcript?.(name).find(name, name)).toMatchObject({ callId: name });
    }
  });

  test("a submitted step is listed until a worker has done it", async () => {
    const intent = { kind: "call", session: "s", value: "\u0000" };
    await engine.submit(key("a"), intent);
    await engine.submit(key("a"), { other: true });
    expect(await engine.find(key("a"))).toEqual({ state: "submitted", intent });
    const mine = async () => (await engine.list()).steps.filter((step) => step.key.startsWith(prefix));
    expect(await mine()).toMatchObject([{ key: key("a"), state: "submitted", intent }]);
    const stop = engine.serve(workerOf(engine, prefix, async () => "done"));
    await expect.poll(() => engine.find(key("a"))).toMatchObject({ state: "done", result: "done" });
    expect(await mine()).toEqual([]);
    await stop();
  });

  test("a few slow steps do not keep the others waiting", async () => {
    const intents = Array.from({ length: 40 }, (_, n) => ({ kind: "call", session: "s", prefix, n }));
    for (const [n, intent] of intents.entries()) await engine.submit(key(`${n}`), intent);
    const done = new Set<number>();
    const stop = engine.serve({
      ...workerOf(engine, prefix, async () => null),
      maxConcurrency: 4,
      handle: async (name, intent) => {
        const { n } = intent as { readonly n: number };
        await engine.run(name, { intent, work: async () => (await pause(n < 3 ? 300 : 1), { result: n }) });
        done.add(n);
      },
    });
    await expect.poll(() => done.size).toBe(40);
    await stop();
  });

  test("a question has one answer, and only one", async () => {
    const asked = { kind: "approval", question: { text: "\u0000\uD800?" } };
    expect(await engine.signal(key("q"), 1)).toBe(false);
    expect(await engine.wait(key("q"), { ...asked, patienceMs: 0 })).toBeUndefined();
    const { waits } = await engine.list();
    expect(waits.filter((wait) => wait.key === key("q"))).toMatchObject([asked]);
    const waiting = engine.wait(key("q"), asked);
    const counted = await Promise.all([1, 2, 3].map((n) => engine.signal(key("q"), { n, text: "\u0000" })));
    expect(counted.filter(Boolean)).toHaveLength(1);
    const answer = { n: counted.indexOf(true) + 1, text: "\u0000" };
    expect(await waiting).toEqual({ lapsed: false, answer });
    expect((await engine.list()).waits.filter((wait) => wait.key === key("q"))).toEqual([]);
  });

  test("a question lapses, and cannot be answered then", async () => {
    const lapsing = { kind: "timer", question: null, expiresAt: Date.now() + 50 };
    expect(await engine.wait(key("t"), lapsing)).toEqual({ lapsed: true });
    expect(await engine.signal(key("t"), 1)).toBe(false);
    expect(await engine.wait(key("t"), { ...lapsing, expiresAt: undefined })).toEqual({ lapsed: true });
  });

  test("a wait ends when it is cancelled, and the question stays", async () => {
    const stop = new AbortController();
    const waiting = engine.wait(key("q"), { kind: "question", question: 1, signal: stop.signal });
    await pause(30);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect(await engine.signal(key("q"), 2)).toBe(true);
  });
}

function workerOf(engine: DurableEngine, prefix: string, work: () => Promise<JsonValue>): DurableWorker {
  return {
    accepts: () => true,
    async handle(name, intent) {
      if (name.startsWith(prefix)) await engine.run(name, { intent, work: async () => ({ result: await work() }) });
    },
  };
}
