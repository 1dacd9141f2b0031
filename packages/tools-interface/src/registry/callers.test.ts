import { describe, expect, test } from "vitest";
import { z } from "zod";
// @boundaries-ignore durable calls are a package around this one
import { createDurable, createMemoryEngine } from "../../../durable/src/index.ts";
import { createToolRegistry, createTranscript, defineTool, InvalidToolError, type AnyTool } from "../index.ts";

const tool = (name: string): AnyTool =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    parameters: z.object({}),
    execute: (_, run) => `${name} for ${run.caller}`,
  });
/** Calls the tool that `call` names, as a program or as a tool. */
const nesting = defineTool({
  name: "nesting",
  description: "Calls another tool.",
  parameters: z.object({ name: z.string(), caller: z.enum(["tool", "program"]) }),
  execute: async ({ name, caller }, run) => String(await run.dispatch?.({ name }, { caller })),
});
const registry = createToolRegistry()
  .register([tool("any"), nesting])
  .register(tool("for_programs"), { callers: ["program"] })
  .register(tool("for_models"), { callers: ["model"] })
  .register(tool("for_nobody"), { callers: [] });

describe("a recorded call", () => {
  test.for([
    ["for_programs", "program", "model"],
    ["for_models", "model", "program"],
  ] as const)("of %s by a %s is not answered to a %s", async ([name, by, other]) => {
    const transcript = createTranscript();
    const call = (caller: string) => ({
      id: "1",
      turn: "t",
      name,
      ...(caller === "program" && { caller: "program" as const }),
    });
    const first = await registry.dispatch(call(by), { transcript });
    expect(String(first)).toBe(`${name} for ${by}`);
    const events: string[] = [];
    const onEvent = ({ type }: { readonly type: string }) => void events.push(type);
    expect(await registry.dispatch(call(by), { transcript, onEvent })).toEqual(first);
    expect(events).toEqual(["call-replayed"]);
    expect(await registry.dispatch(call(other), { transcript })).toMatchObject({ code: "caller_not_allowed" });
    expect(await registry.dispatch(call(by), { transcript })).toEqual(first);
  });
});

describe("a durable call", () => {
  test.for([
    ["for_programs", "program", "model"],
    ["for_models", "model", "program"],
  ] as const)("of %s by a %s is not answered to a %s", async ([name, by, other]) => {
    const durable = createDurable(createMemoryEngine()).session("chat");
    const id = "toolu_01A09q90qw90lq91";
    const call = (caller: string) => ({ id, name, ...(caller === "program" && { caller: "program" as const }) });
    expect(String(await registry.dispatch(call(by), { durable }))).toBe(`${name} for ${by}`);
    expect(await registry.dispatch(call(other), { durable })).toMatchObject({ code: "caller_not_allowed" });
    expect(String(await registry.dispatch(call(by), { durable }))).toBe(`${name} for ${by}`);
  });
});

describe("register() with callers", () => {
  test("tells models and programs of their own tools alone", () => {
    const told = registry.toModelTools().map(({ name }) => name);
    expect(told).toEqual(["any", "nesting", "for_models"]);
    expect(registry.toArray().map(({ name }) => name)).toEqual(told);
    expect(registry.generateStubs().match(/(?<=async function )\w+/g)).toEqual(["any", "nesting", "for_programs"]);
    expect(registry.generateStub("for_models")).toBeUndefined();
    expect(registry.toolNames).toHaveLength(5);
  });

  test("names in the answer to an unknown tool those alone that are for the caller", async () => {
    const program = { name: "nesting", arguments: { name: "for_nobod", caller: "program" } };
    expect(String(await registry.dispatch({ name: "for_program" }))).toBe(
      'Cannot find tool "for_program": no tool has that name. The available tools are any, nesting, for_models. Call one of these instead',
    );
    const answers = [registry.dispatch({ name: "for_nobod", caller: "program" }), registry.dispatch(program)];
    for (const answer of await Promise.all(answers)) {
      expect(String(answer)).toBe(
        'Cannot find tool "for_nobod": no tool has that name. The available tools are any, nesting, for_programs. Call one of these instead',
      );
    }
  });

  test.for([
    ["any", "model", "any for model"],
    ["any", "program", "any for program"],
    ["any", "tool", "any for tool"],
    ["for_programs", "program", "for_programs for program"],
    ["for_programs", "tool", "for_programs for tool"],
    ["for_models", "model", "for_models for model"],
    ["for_models", "tool", "for_models for tool"],
    ["for_nobody", "model", "for_nobody for model"],
    ["for_nobody", "program", "for_nobody for program"],
    ["for_programs", "model", "Cannot call for_programs: it is for programs only. Call it from one"],
    ["for_models", "program", "Cannot call for_models: it is for models only. Do without it in a program"],
  ] as const)("answers a call of %s by a %s with %s", async ([name, caller, answer]) => {
    const nested = { name: "nesting", params: { name, caller } };
    expect(String(await registry.dispatch(caller === "model" ? { name } : nested))).toBe(answer);
  });

  test("takes the call of a program that a provider runs for one of a program", async () => {
    expect(String(await registry.dispatch({ name: "for_programs", caller: "program" }))).toBe(
      "for_programs for program",
    );
    const refused = await registry.dispatch({ name: "for_models", caller: "program" });
    expect(refused).toMatchObject({ success: false, code: "caller_not_allowed", effects: "none" });
    // A model's arguments that claim another caller, or none.
    const forged = { name: "for_programs", caller: { type: "program" } } as never;
    expect(await registry.dispatch(forged)).toMatchObject({ code: "caller_not_allowed" });
  });

  test("records a refused call like any other", async () => {
    const transcript = createTranscript();
    await registry.dispatch({ id: "1", name: "for_programs" }, { transcript });
    expect(transcript.entries.map(({ callId, name }) => [callId, name])).toEqual([["1", "for_programs"]]);
  });

  test("keeps callers in every registry made of it", () => {
    for (const made of [
      registry.subset("for_programs", "for_models", "for_nobody"),
      registry.without("any", "nesting"),
      createToolRegistry().extend(registry.without("any", "nesting")),
    ]) {
      expect(made.toArray().map(({ name }) => name)).toEqual(["for_models"]);
      expect(made.generateStubs()).toContain("async function for_programs(");
      expect(made.offers.map(({ callers }) => callers)).toEqual([["program"], ["model"], []]);
    }
  });

  test.for([["programs"], "model", [["model"]], { length: 1 }])("refuses callers %j", (callers) => {
    expect(() => createToolRegistry().register(tool("a"), { callers: callers as never })).toThrow(InvalidToolError);
  });
});

describe("run.dispatch() with a registry", () => {
  test("calls a tool of that one and no other, under the same call", async () => {
    const transcript = createTranscript();
    const other = createToolRegistry().register(tool("elsewhere"));
    const outer = createToolRegistry().register([
      tool("here"),
      defineTool({
        name: "asks",
        description: "Asks elsewhere.",
        parameters: z.object({}),
        execute: async (_, run) => {
          const asked = ["elsewhere", "here"].map(async (name) =>
            String(await run.dispatch?.({ name }, { registry: other })),
          );
          return (await Promise.all(asked)).join("; ");
        },
      }),
    ]);
    const answer = String(await outer.dispatch({ id: "1", name: "asks" }, { transcript }));
    expect(answer).toMatch(/^elsewhere for tool; Cannot find tool "here"/);
    expect(transcript.entries.map(({ name, parentCallId }) => [name, parentCallId])).toEqual([
      ["asks", undefined],
      ["elsewhere", "1"],
      ["here", "1"],
    ]);
  });

  test("finds nothing in what is no registry", async () => {
    const asking = defineTool({
      name: "asking",
      description: "Asks.",
      parameters: z.object({}),
      execute: async (_, run) => String(await run.dispatch?.({ name: "asking" }, { registry: {} })),
    });
    expect(String(await createToolRegistry().register(asking).dispatch("asking", {}))).toMatch(
      /^Cannot find tool "asking"/,
    );
  });
});
