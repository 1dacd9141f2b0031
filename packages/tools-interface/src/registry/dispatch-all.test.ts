import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool } from "../index.ts";

/** Tools that note when they start and end, so that overlap shows without a clock. */
function probes() {
  const log: string[] = [];
  const make = <const Name extends string>(name: Name, readOnly: boolean) =>
    defineTool({
      name,
      description: "Notes start and end.",
      parameters: z.object({ id: z.string(), ms: z.number().default(5) }),
      annotations: { readOnly },
      async execute({ id, ms }) {
        log.push(`+${id}`);
        await new Promise((resolve) => setTimeout(resolve, ms));
        log.push(`-${id}`);
        return id;
      },
    });
  return { log, registry: createToolRegistry().register([make("read", true), make("write", false)]) };
}
const call = (name: string, id: string, ms?: number) => ({ id, name, arguments: { id, ...(ms && { ms }) } });

describe("ToolRegistry.dispatchAll()", () => {
  test("answers and records in call order, whatever ends first", async () => {
    const { registry } = probes();
    const transcript = createTranscript();
    const appended: string[] = [];
    const calls = [call("read", "a", 30), call("read", "b", 1), { id: "x", name: "nope" }, call("read", "c", 10)];
    const results = await registry.dispatchAll(calls, {
      transcript: { append: (entry) => void (appended.push(entry.callId), transcript.append(entry)) },
    });
    expect(results.map((result) => result.success)).toEqual([true, true, false, true]);
    expect(appended).toEqual(["a", "b", "x", "c"]);
    expect(transcript.entries.map(({ callId }) => callId)).toEqual(["a", "b", "x", "c"]);
  });

  test("runs neighbouring reads together and writes alone", async () => {
    const { log, registry } = probes();
    await registry.dispatchAll([call("read", "r1"), call("read", "r2"), call("write", "w"), call("read", "r3")]);
    expect(log.slice(0, 2)).toEqual(["+r1", "+r2"]);
    expect(log.slice(4)).toEqual(["+w", "-w", "+r3", "-r3"]);
  });

  test("runs calls of tools that declare nothing at once", async () => {
    const started: string[] = [];
    let open = (): void => {};
    const allStarted = new Promise<void>((resolve) => (open = resolve));
    const wait = defineTool({
      name: "wait",
      description: "Ends when three run.",
      parameters: z.object({ id: z.string() }),
      execute: async ({ id }) => {
        if (started.push(id) === 3) open();
        await allStarted;
        return id;
      },
    });
    const calls = ["a", "b", "c"].map((id) => call("wait", id));
    const results = await createToolRegistry().register(wait).dispatchAll(calls);
    expect(results.map(String)).toEqual(["a", "b", "c"]);
  });

  test("runs no more reads at a time than it may", async () => {
    const { log, registry } = probes();
    await registry.dispatchAll(
      Array.from({ length: 9 }, (_, index) => call("read", `${index}`)),
      { maxConcurrency: 3 },
    );
    let running = 0;
    const peak = Math.max(...log.map((line) => (running += line.startsWith("+") ? 1 : -1)));
    expect(peak).toBe(3);
  });

  test.each([0, -1, Number.NaN])("runs reads one at a time when told to run %d at a time", async (maxConcurrency) => {
    const { log, registry } = probes();
    const results = await registry.dispatchAll([call("read", "a"), call("read", "b")], { maxConcurrency });
    expect(results.map(String)).toEqual(["a", "b"]);
    expect(log).toEqual(["+a", "-a", "+b", "-b"]);
  });

  test("records every call of a cancelled batch, and calls that share an id", async () => {
    const { log, registry } = probes();
    const transcript = createTranscript();
    const calls = [call("write", "same"), call("read", "same"), call("read", "other")];
    const results = await registry.dispatchAll(calls, { transcript, signal: AbortSignal.abort() });
    expect(results.map((result) => !result.success && result.code)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(transcript.entries).toHaveLength(3);
    expect(log).toEqual([]);
  });

  test("tells observers of every entry a transcript refuses, and answers all the same", async () => {
    const { registry } = probes();
    const refused: string[] = [];
    const results = await registry.dispatchAll([call("read", "a"), call("read", "b")], {
      transcript: { append: () => Promise.reject(new Error("full")) },
      onEvent: (event) => event.type === "transcript-error" && refused.push(event.callId),
    });
    expect(results.map(String)).toEqual(["a", "b"]);
    expect(refused).toEqual(["a", "b"]);
  });

  test("answers no calls with no results", async () => {
    expect(await probes().registry.dispatchAll([], { transcript: createTranscript() })).toEqual([]);
  });
});

describe("many calls and tools", () => {
  const order: number[] = [];
  const log = (annotations: object, resource?: (params: { n: number }) => string) =>
    createToolRegistry().register(
      defineTool({
        name: "log",
        description: "Logs.",
        parameters: z.object({ n: z.number() }),
        annotations,
        ...(resource && { resource }),
        execute: ({ n }) => void order.push(n),
      }),
    );
  const calls = Array.from({ length: 10_000 }, (_, n) => ({ name: "log", arguments: { n } }));
  const all = calls.map(({ arguments: { n } }) => n);

  // Each of these took minutes, and gigabytes, when a call looked at every earlier one.
  test.each([
    ["may touch anything", log({})],
    ["only read", log({ readOnly: true })],
    ["touch the same", log({}, () => "same")],
    ["read the same", log({ readOnly: true }, () => "same")],
    ["touch one of a hundred things", log({}, ({ n }) => `${n % 100}`)],
  ])("dispatchAll() runs 10,000 calls that %s", async (_, registry) => {
    order.length = 0;
    const results = await registry.dispatchAll(calls, { maxConcurrency: 1 });
    expect(results.every(({ success }) => success)).toBe(true);
    expect(order).toEqual(all);
  });

  test("dispatchAll() waits in turn when writes and reads of everything alternate", async () => {
    const tool = (name: string, annotations: object, resource?: () => string) =>
      defineTool({
        name,
        description: "Logs.",
        parameters: z.object({ n: z.number() }),
        annotations,
        ...(resource && { resource }),
        execute: async ({ n }) => {
          await Promise.resolve();
          order.push(n);
        },
      });
    const registry = createToolRegistry().register([tool("set", {}, () => "a"), tool("look", { readOnly: true })]);
    order.length = 0;
    await registry.dispatchAll(all.map((n) => ({ name: n % 2 === 0 ? "set" : "look", arguments: { n } })));
    expect(order).toEqual(all);
  });
});

test("dispatchAll() refuses the calls of a function that names resources, which would ask it again", async () => {
  let asked = 0;
  const inner: Promise<readonly unknown[]>[] = [];
  const tool = defineTool({
    name: "own",
    description: "Names its resources by a call of itself.",
    parameters: z.object({ id: z.string() }),
    resource: ({ id }) => {
      if ((asked += 1) < 1_000) inner.push(registry.dispatchAll([call("own", `${id}x`)], { transcript }));
      return id;
    },
    execute: ({ id }) => id,
  });
  const registry = createToolRegistry().register(tool);
  const transcript = createTranscript();
  const [result] = await registry.dispatchAll([call("own", "a")], { transcript });
  expect(result).toMatchObject({ success: true, output: "a" });
  expect(asked).toBe(1);
  expect((await Promise.all(inner)).flat().map(String)).toEqual([
    "Cannot call own: a function `resource` made it, which may only name keys. This is a fault of the tool",
  ]);
  expect(transcript.entries.map(({ callId }) => callId).toSorted()).toEqual(["a", "ax"]);
});

test.each(["dispatchAll", "dispatch"] as const)(
  "dispatchAll() asks a function once that answers a promise: %s",
  async (way) => {
    let asked = 0;
    const inner: Promise<unknown>[] = [];
    const tool = defineTool({
      name: "own",
      description: "Names its resources by a call of itself.",
      parameters: z.object({ id: z.string() }),
      resource: (async ({ id }: { id: string }) => {
        asked += 1;
        await Promise.resolve();
        const made = call("own", `${id}x`);
        if (asked < 1_000) inner.push(way === "dispatch" ? registry.dispatch(made) : registry.dispatchAll([made]));
        await inner.at(-1);
        throw new Error("no key");
      }) as never,
      execute: ({ id }) => id,
    });
    const registry = createToolRegistry().register(tool);
    expect((await registry.dispatchAll([call("own", "a"), call("own", "b")])).map(String)).toEqual(["a", "b"]);
    expect((await Promise.all(inner)).flat().map(String)).toEqual(["ax"]);
    expect(asked).toBe(1);
  },
);

test.each([{}, { resource: ({ n }: { n: number }) => `${n % 7}`, annotations: { readOnly: false } }])(
  "dispatchAll() lets the event loop turn while it puts very many calls in order: %o",
  async (how) => {
    const seen = { ran: 0, turns: 0 };
    const tool = defineTool({
      name: "one",
      description: "Counts.",
      parameters: z.object({ n: z.number() }),
      ...how,
      execute: ({ n }) => `${n} ${(seen.ran += 1)}`,
    });
    const registry = createToolRegistry().register(tool);
    const calls = Array.from({ length: 10_000 }, (_, n) => ({ name: "one", arguments: { n } }));
    const all = registry.dispatchAll(calls);
    while (seen.ran === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.turns += 1;
    }
    expect(seen.turns).toBeGreaterThan(5);
    expect((await all).every(({ success }) => success)).toBe(true);
    expect(seen.ran).toBe(10_000);
  },
);
