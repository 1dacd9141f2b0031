import { expect, test, vi } from "vitest";
import { createToolRegistry, createTranscript, defineTool, type ToolRun } from "../index.ts";

/** A class whose instances have the fields of a call. */
class Call {
  readonly name = "wipe";
}
const execute = vi.fn((params: object) => JSON.stringify(params));
const wipe = defineTool({
  name: "wipe",
  description: "Wipes a directory, by default all of it.",
  parameters: { type: "object", properties: { only: { type: "string" } } },
  execute,
});
const registry = createToolRegistry().register(wipe);
const only = { only: "tmp" };

/** Names that other libraries and providers, and a slip, give to the parameters of a call. */
const WRONG =
  "args argument arg parameters parameter param inputs payload kwargs tool_input toolInput function body".split(" ");

test.each(WRONG.flatMap((field) => [[field, only] as const, [field, JSON.stringify(only)] as const]))(
  "dispatch() runs no call whose parameters stand under %s: %j",
  async (field, value) => {
    execute.mockClear();
    const transcript = createTranscript();
    const result = await registry.dispatch({ name: "wipe", [field]: value }, { transcript });
    expect(result).toMatchObject({ success: false, code: "invalid_call", effects: "none" });
    expect(String(result)).toContain(`found the field ${JSON.stringify(field)}`);
    expect(String(result)).toMatch(/did you mean "(?:arguments|params|input)"|send the parameters as "arguments"/);
    expect(await registry.dispatchAll([{ name: "wipe", [field]: value }])).toMatchObject([{ code: "invalid_call" }]);
    expect(execute).not.toHaveBeenCalled();
    expect(transcript.entries).toHaveLength(1);
  },
);

test("nor does run.dispatch()", async () => {
  execute.mockClear();
  const outer = defineTool({
    name: "outer",
    description: "Calls.",
    parameters: { type: "object" },
    execute: async (_, run: ToolRun) => String(await run.dispatch?.({ name: "wipe", args: only } as never)),
  });
  const result = await createToolRegistry().register([wipe, outer]).dispatch("outer", {});
  expect(String(result)).toContain('found the field "args"');
  expect(execute).not.toHaveBeenCalled();
});

test.each([
  [
    "another name of a known field",
    { name: "wipe", arguments: only, call_id: "x" },
    'found the field "call_id", did you mean "id"',
  ],
  [
    "a misspelt mark of a call that was cut off",
    { name: "wipe", arguments: only, cutoff: "length" },
    'did you mean "cutOff"',
  ],
  ["an unknown field beside parameters", { name: "wipe", arguments: only, dryRun: true }, 'found the field "dryRun"'],
  [
    "parameters that stand there twice",
    { name: "wipe", arguments: {}, input: only },
    'parameters under "arguments" and "input"',
  ],
  [
    "a misspelt field of a class",
    Object.assign(new Call(), { name: "wipe", argument: only }),
    'did you mean "arguments"',
  ],
])("dispatch() refuses %s", async (_, call, said) => {
  execute.mockClear();
  const result = await registry.dispatch(call as never);
  expect(result).toMatchObject({ code: "invalid_call" });
  expect(String(result)).toContain(said);
  expect(execute).not.toHaveBeenCalled();
});

test.each([
  ["no parameters at all", { name: "wipe" }],
  ["a block of Anthropic's", { type: "tool_use", id: "toolu_1", name: "wipe", input: {}, caller: { type: "direct" } }],
  ["absent fields", { name: "wipe", arguments: undefined, input: null }],
  ["parameters of this package", { name: "wipe", params: {} }],
  ["a class with fields of its own", Object.assign(new Call(), { name: "wipe", receivedAt: 1 })],
])("dispatch() takes a call with %s", async (_, call) => {
  expect(await registry.dispatch(call as never)).toMatchObject({ success: true, output: "{}" });
});
