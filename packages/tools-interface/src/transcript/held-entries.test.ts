import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  reconcile,
  success,
  type MemoryTranscript,
  type ToolResult,
  type ToolRun,
  type TranscriptEntry,
} from "../index.ts";

const HOST = fileURLToPath(new URL("__fixtures__/long-session.ts", import.meta.url));
const object = { type: "object" } as const;

// As many programs as make several times the memory of the host; 200 of each form in the nightly run.
const isNightly = process.env["DISPATCH_TEST_SEED"] === "random";
test.each([
  ["long texts", 3, 200],
  ["wide texts", 3, isNightly ? 200 : 60],
  ["many objects", 3, isNightly ? 200 : 80],
  ["many calls", 100, isNightly ? 200 : 50],
])(
  "a session of programs that read as much as they may ends no host of 256 MB: %s",
  async (form, calls, programs) => {
    const node = ["--conditions=@dispatch/source", "--max-old-space-size=256", HOST, form, String(programs)];
    const { stdout } = await promisify(execFile)(process.execPath, node);
    expect(stdout).toBe(String(programs * (calls + 1)));
  },
  600_000,
);

/** A registry whose tool `outer` calls `read` so often, with ids of its own, and returns what came of each call. */
function reading(make: (at: number) => unknown, times: number) {
  let reads = 0;
  const read = defineTool({
    name: "read",
    description: "Reads.",
    parameters: object,
    annotations: { readOnly: true },
    execute: (params) => {
      reads += 1;
      return make((params as { at: number }).at) as {};
    },
  });
  let seen: (ToolResult | undefined)[] = [];
  const outer = defineTool({
    name: "outer",
    description: "Reads some.",
    parameters: object,
    async execute(_, run: ToolRun) {
      seen = [];
      for (let at = 0; at < times; at += 1)
        seen.push(await run.dispatch?.({ id: `${run.callId}/${at}`, name: "read", arguments: { at } }));
      // Nothing was done yet: the call may come again, as that of a program that waits for a person.
      return failure("waits", { code: "approval_pending", effects: "none" });
    },
  });
  const registry = createToolRegistry().register([read, outer]);
  const run = async (transcript: MemoryTranscript) => {
    await registry.dispatch({ id: "toolu_01A09q90", name: "outer", arguments: {} }, { transcript });
    return seen;
  };
  return { run, reads: () => reads };
}

const codes = (results: readonly (ToolResult | undefined)[]) =>
  results.map((result) => result?.success === true || result?.code);
const restored = (transcript: MemoryTranscript) =>
  createTranscript(JSON.parse(JSON.stringify(transcript)) as TranscriptEntry[], { maxMb: 1 });

describe("a transcript that has no room for all results", () => {
  const big = (at: number) => ({ at, text: "x".repeat(200_000) });

  test("drops those of the earliest nested calls, says so in each, and has every entry", async () => {
    const { run, reads } = reading(big, 10);
    const transcript = createTranscript([], { maxMb: 1 });
    const first = await run(transcript);
    expect(codes(first)).toEqual(Array(10).fill(true));
    expect(transcript.entries.map(({ callId }) => callId)).toEqual([
      "toolu_01A09q90",
      ...Array.from({ length: 10 }, (_, at) => `toolu_01A09q90/${at}`),
    ]);
    const dropped = transcript.entries.filter(({ resultDropped }) => resultDropped);
    expect(dropped.length).toBeGreaterThan(4);
    expect(dropped.map(({ callId }) => callId)).toEqual(
      transcript.entries.slice(1, 1 + dropped.length).map(({ callId }) => callId),
    );
    for (const entry of dropped) {
      const text = (entry.result as ToolResult).toString();
      expect(text).toMatch(/^\{"at":\d,"text":"x+\n\[dropped from memory: a result of \d+ bytes\]$/);
      expect(text.length).toBeLessThan(600);
      expect(Object.isFrozen(entry)).toBe(true);
    }
    expect(transcript.entries.at(-1)?.result).toBe(first.at(-1));

    // A resumed run reads the same as before, or a refusal that says why: nothing runs again and nothing is made up.
    const again = await run(transcript);
    expect(reads()).toBe(10);
    for (const [at, result] of again.entries()) {
      if (result?.success === true) expect(result).toEqual(first[at]);
      else expect(String(result)).toContain("read has been answered before, and its result was dropped from memory");
    }
    expect(codes(again)).toEqual([...dropped.map(() => "result_dropped"), ...Array(10 - dropped.length).fill(true)]);
    expect(codes(await run(restored(transcript)))).toEqual(codes(again));
    expect(reads()).toBe(10);
  });

  test("drops nothing below its limit, and nothing of small entries", async () => {
    const { run } = reading((at) => ({ at }), 2_000);
    const transcript = createTranscript([], { maxMb: 1 });
    await run(transcript);
    expect(transcript.entries.some(({ resultDropped }) => resultDropped)).toBe(false);
    expect(codes(await run(transcript))).toEqual(Array(2_000).fill(true));
  });

  test("drops the results of a model's own calls last, and never for another text", async () => {
    const tool = defineTool({
      name: "show",
      description: "Shows.",
      parameters: object,
      execute: (params) => success("shown", { data: { ...(params as object), text: "y".repeat(300_000) } }),
    });
    const registry = createToolRegistry().register(tool);
    const transcript = createTranscript([], { maxMb: 1 });
    const calls = Array.from({ length: 5 }, (_, at) => ({ id: `toolu_x${at}x`, name: "show", arguments: { at } }));
    for (const call of calls) await registry.dispatch(call, { transcript });
    const again = [];
    for (const call of calls) again.push(await registry.dispatch(call, { transcript }));
    expect(codes(again)).toContain("result_dropped");
    expect(codes(again).at(-1)).toBe(true);
    expect(codes(await reconcile(transcript, calls))).toEqual(codes(again));
    expect(transcript.entries).toHaveLength(5);
  });

  test("drops large arguments before a result that is small, and still knows the call", async () => {
    let runs = 0;
    const put = defineTool({
      name: "put",
      description: "Puts.",
      parameters: object,
      execute: () => `put ${(runs += 1)}`,
    });
    const registry = createToolRegistry().register(put);
    const transcript = createTranscript([], { maxMb: 1 });
    const calls = Array.from({ length: 40 }, (_, at) => {
      return { id: `toolu_x${at}x`, name: "put", arguments: { text: `${at}`.padEnd(60_000, "z") } };
    });
    for (const call of calls) await registry.dispatch(call, { transcript });
    expect(transcript.entries[0]?.argumentsDigest).toHaveLength(64);
    expect(String(transcript.entries[0]?.arguments)).toMatch(
      /^\{"text":"0z+\n\[dropped from memory: arguments of \d+ bytes\]$/,
    );
    for (const [at, call] of calls.entries())
      expect(String(await registry.dispatch(call, { transcript }))).toBe(`put ${at + 1}`);
    expect(runs).toBe(40);
    await registry.dispatch({ ...calls[0], arguments: { text: "0" } } as never, { transcript });
    expect(runs).toBe(41);
  });

  test("of a failure keeps its code", async () => {
    const broken = defineTool({
      name: "broken",
      description: "Fails.",
      parameters: object,
      execute: () => failure("x".repeat(400_000), { code: "broken_pipe" }),
    });
    const registry = createToolRegistry().register(broken);
    const transcript = createTranscript([], { maxMb: 1 });
    for (let at = 0; at < 20; at += 1) await registry.dispatch({ id: `toolu_x${at}x`, name: "broken" }, { transcript });
    expect(transcript.entries[0]).toMatchObject({
      resultDropped: true,
      result: { success: false, code: "broken_pipe" },
    });
  });

  test("refuses a limit that is none, and an option that there is not", () => {
    for (const maxMb of [0, -1, Number.NaN, "1"])
      expect(() => createTranscript([], { maxMb } as never)).toThrow(RangeError);
    expect(() => createTranscript([], { maxMB: 1 } as never)).toThrow('found the option "maxMB", did you mean "maxMb"');
    expect(createTranscript([], { maxMb: Infinity }).entries).toEqual([]);
  });
});
