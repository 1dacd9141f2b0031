import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, createTranscript, defineTool, type DispatchOptions } from "../index.ts";

let runs = 0;
const slow = defineTool({
  name: "slow",
  description: "Takes a while.",
  parameters: z.object({}),
  execute: async () => {
    runs += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return "done";
  },
});
const registry = createToolRegistry().register(slow);
const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get() {
      throw new Error("not readable");
    },
  });

describe("options that are wrong", () => {
  test.each<[string, unknown]>([
    ["signal", { signal: new AbortController() }],
    ["signal", throwing("signal")],
    ["transcript", { transcript: {} }],
    ["transcript", throwing("transcript")],
    ["onEvent", { onEvent: "listener" }],
    ["approve", { approve: true }],
    ["approvalTimeoutMs", { approvalTimeoutMs: Number.NaN }],
    ["approvalTimeoutMs", { approvalTimeoutMs: -1 }],
    ["recordTimeoutMs", { recordTimeoutMs: "10" }],
    ["maxOutputChars", { maxOutputChars: 0 }],
    ["context", throwing("context")],
    ["options", "fast"],
    ["approve", Object.assign(Object.create(null) as object, { aprove: () => true })],
  ])("make each call a failure that names %s, and start nothing", async (name, options) => {
    runs = 0;
    const given = options as DispatchOptions;
    const results = await Promise.all([
      registry.dispatch("slow", {}, given),
      registry.dispatchAll([{ name: "slow" }, { name: "slow" }], given),
      slow.call({}, given as never),
    ]);
    // A tool alone has neither a transcript nor events.
    const own = /transcript|onEvent|recordTimeoutMs/.test(name) ? results.slice(0, 2) : results;
    for (const result of own.flat()) {
      expect(result).toMatchObject({ code: "invalid_options", effects: "none" });
      expect(String(result)).toContain(name);
      expect(String(result)).toContain("fault of the host");
    }
    expect(runs).toBeLessThanOrEqual(1);
  });

  test("are recorded where the transcript is right", async () => {
    const transcript = createTranscript();
    await registry.dispatch("slow", {}, { transcript, signal: {} as AbortSignal });
    expect(transcript.entries).toMatchObject([{ name: "slow", result: { code: "invalid_options" } }]);
  });

  test("leave the timeouts of other calls as they are", async () => {
    const never = defineTool({
      name: "never",
      description: "Never settles.",
      parameters: z.object({}),
      timeoutMs: 30,
      execute: () => new Promise(() => {}),
    });
    const calls = [never.call({}, { signal: new AbortController() as never }), never.call({}), never.call({})];
    expect((await Promise.all(calls)).map((result) => result.success || result.code)).toEqual([
      "invalid_options",
      "timeout",
      "timeout",
    ]);
  });
});

describe("dispatchAll()", () => {
  test("answers holes, and calls that are no list", async () => {
    const calls = Object.assign(Array.from<unknown>({ length: 3 }), { 0: { name: "slow" }, 2: { name: "slow" } });
    Reflect.deleteProperty(calls, 1);
    expect((await registry.dispatchAll(calls as never)).map((result) => result.success || result.code)).toEqual([
      true,
      "invalid_call",
      true,
    ]);
    expect(await registry.dispatchAll(null as never)).toMatchObject([{ code: "invalid_call" }]);
  });
});
