import { describe, expect, test } from "vitest";
import { z } from "zod";
// @boundaries-ignore durable calls are a package around this one
import { createMemoryEngine, createDurable } from "../../../durable/src/index.ts";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  failure,
  isToolResult,
  success,
  type FailureOptions,
  type SuccessOptions,
  type ToolResult,
} from "../index.ts";
import { copyResult, readResult } from "./tool-result.ts";

/** A field that a result may have is set here: the compiler asks for each new one. */
const SHARED = {
  repairs: [{ path: ["n"], kind: "to_number", message: '"n" was sent as text' }],
  ignored: [{ path: ["m"], meant: "n" }],
  metadata: { stopLoop: false, cost: { cents: 3 } },
} as const;
const OF_SUCCESS: Required<SuccessOptions<unknown>> = {
  ...SHARED,
  data: { n: [] },
  content: [
    { type: "text", text: "seen" },
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
  ],
};
const OF_FAILURE: Required<FailureOptions> = {
  ...SHARED,
  code: "too_cold",
  issues: [{ path: [0, "n"], message: "too low", expected: "1 or more", received: "0", suggestion: "send 1" }],
  stopped: false,
  effects: "possible",
};
const FULL: readonly (readonly [string, ToolResult])[] = [
  ["success", success("done", OF_SUCCESS)],
  ["failure", failure("too cold", OF_FAILURE)],
];

const tool = (name: string, execute: (run: { dispatch: (call: never) => Promise<ToolResult> }) => unknown) =>
  defineTool({ name, description: "Works.", parameters: z.object({}), execute: (_, run) => execute(run as never) });

const checked = (result: ToolResult) =>
  defineTool({
    name: "checked",
    description: "Works.",
    parameters: z.object({}),
    output: z.object({ n: z.array(z.number()) }),
    execute: () => result as never,
  });

/** A registry whose `outer` hands on what `inner` answers. */
function registryOf(result: ToolResult) {
  return createToolRegistry().register([
    tool("inner", () => result),
    tool("outer", ({ dispatch }) => dispatch({ name: "inner", arguments: {} } as never)),
  ]);
}

const json = (result: unknown): unknown => JSON.parse(JSON.stringify(result));

describe.each(FULL)("every field of a %s survives", (_, full) => {
  test("being set: none has its default, in the result and in its JSON", () => {
    const blank = full.success ? success("") : failure("");
    for (const field of Object.keys(blank).filter((name) => name !== "success") as (keyof ToolResult)[]) {
      expect(full[field], field).not.toEqual(blank[field]);
      expect(json(full), field).toHaveProperty(field);
    }
  });

  test("being copied with another text, and being merged", () => {
    const copy = copyResult(full, { text: "other" });
    expect({ ...copy, output: "", error: "" }).toEqual({ ...full, output: "", error: "" });
    expect(String(copy)).toBe("other");
    expect(copyResult(full, { metadata: { a: 1 } })).toEqual({ ...full, metadata: { a: 1 } });
  });

  test("JSON and back, as another kind of object and frozen", () => {
    const back = readResult(json(full));
    expect(back).toEqual(full);
    expect(isToolResult(back) && Object.isFrozen(back)).toBe(true);
  });

  test("being spread into a result of the other kind's making", () => {
    const again = full.success ? success(full.output, full) : failure(full.error, full);
    expect(again).toEqual(full);
  });

  test("a tool that hands on the result of a nested call, and the middleware around it", async () => {
    const registry = createToolRegistry({ middleware: [(__, next) => next()] }).extend(registryOf(full));
    expect(await registry.dispatch({ name: "outer", arguments: {} })).toEqual(full);
    expect(await registryOf(full).dispatch({ name: "outer", arguments: {} })).toEqual(full);
  });

  test("middleware that answers in the tool's place", async () => {
    const registry = createToolRegistry({ middleware: [() => full] }).register(tool("any", () => "not this"));
    expect(await registry.dispatch("any", {})).toEqual(full);
  });

  test("an output schema", async () => {
    const registry = createToolRegistry().register(checked(full));
    expect(await registry.dispatch("checked", {})).toEqual(full);
  });

  test("a transcript, in memory and read from a file, and the replay from both", async () => {
    const call = { id: "toolu_01A09q90qw90", turn: "1", name: "inner", arguments: {} };
    const transcript = createTranscript();
    expect(await registryOf(full).dispatch(call, { transcript })).toEqual(full);
    const stored = createTranscript(json(transcript.entries) as never);
    const other = registryOf(success("ran again"));
    expect(await other.dispatch(call, { transcript })).toEqual(full);
    expect(await other.dispatch(call, { transcript: stored })).toEqual(full);
  });

  test("a durable call that another process asks for again", async () => {
    const engine = createMemoryEngine();
    const call = { id: "toolu_01A09q90qw90", turn: "1", name: "outer", arguments: {} };
    for (const registry of [registryOf(full), registryOf(success("ran again"))]) {
      const durable = createDurable(engine).session("s");
      expect(await registry.dispatch(call, { durable })).toEqual(full);
    }
  });
});

test.each([
  ["no object", null],
  ["an array", []],
  ["a text", "done"],
  ["no state", { output: "done" }],
  ["no text", { success: true }],
  ["the text of the other state", { success: false, output: "done" }],
  ["a text that is none", { success: true, output: { toString: (): string => "done" } }],
  ["a list that is none", { success: true, output: "done", repairs: "none" }],
  ["a list that JSON cannot hold", { success: true, output: "done", ignored: [() => 1] }],
  ["a code that is none", { success: false, error: "no", code: 7 }],
])("readResult() refuses %s", (_, record) => {
  expect(() => readResult(record)).toThrow(/Cannot make a result|JSON cannot hold/);
});

test("readResult() reads each field once, and keeps nothing that can change", () => {
  const reads: string[] = [];
  const repairs = [{ path: ["a"], kind: "decoded", message: "a" }];
  const forged = new Proxy(
    { success: true, output: "done", repairs, metadata: {} },
    {
      get: (target, key) => (reads.push(String(key)), Reflect.get(target, key) as unknown),
    },
  );
  const result = readResult(forged);
  (repairs[0] as { message: string }).message = "b";
  expect(result.repairs).toEqual([{ path: ["a"], kind: "decoded", message: "a" }]);
  expect(reads).toEqual([...new Set(reads)]);
});
