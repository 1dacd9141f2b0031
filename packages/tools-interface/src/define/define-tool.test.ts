import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, failure, InvalidToolError, isToolResult, success, ToolError, ValidationError } from "../index.ts";

const parameters = z.object({ city: z.string().describe("Name of the city"), unit: z.enum(["c", "f"]).default("c") });
const weather = defineTool({
  name: "get_weather",
  description: "Weather of a city.",
  parameters,
  annotations: { readOnly: true },
  timeoutMs: 5_000,
  execute: ({ city, unit }) => success(`3 ${unit} in ${city}`),
});

/** A tool around one function, for tests of the function's result. */
function toolOf(execute: () => unknown, extra: { readonly timeoutMs?: number } = {}) {
  return defineTool({ name: "probe", description: "Probes.", parameters: z.object({}), execute, ...extra });
}

describe("defineTool()", () => {
  test("keeps every attribute and freezes the tool", () => {
    expect(weather.name).toBe("get_weather");
    expect(weather.description).toBe("Weather of a city.");
    expect(weather.annotations).toEqual({ readOnly: true });
    expect(weather.timeoutMs).toBe(5_000);
    expect(weather.parameters).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "Name of the city" },
        unit: { type: "string", enum: ["c", "f"], default: "c" },
      },
      required: ["city"],
      additionalProperties: false,
    });
    expect(Object.isFrozen(weather)).toBe(true);
    expect(Object.isFrozen(weather.parameters["properties"])).toBe(true);
  });

  test("gives a definition of exactly name, description and parameters", () => {
    expect(weather.definition).toEqual({
      name: "get_weather",
      description: "Weather of a city.",
      parameters: weather.parameters,
    });
  });

  test.each([
    ["an empty name", { name: "" }],
    ["a name with a space", { name: "get weather" }],
    ["a name of 129 characters", { name: "x".repeat(129) }],
    ["an empty description", { description: " " }],
    ["a timeout of zero", { timeoutMs: 0 }],
    ["an endless timeout", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["parameters that are no schema", { parameters: "string" }],
    ["parameters that are no object at the root", { parameters: z.array(z.string()) }],
    ["parameters that JSON cannot hold", { parameters: z.object({ when: z.date() }) }],
    ["no execute", { execute: undefined }],
  ])("throws InvalidToolError for %s", (_, change) => {
    const spec = { name: "probe", description: "Probes.", parameters: z.object({}), execute: () => "", ...change };
    expect(() => defineTool(spec as never)).toThrow(InvalidToolError);
  });
});

describe("Tool.validate()", () => {
  test("answers the parameters with defaults applied, and lists the fields that the schema drops", async () => {
    expect(await weather.validate({ city: "Oslo", colour: "red" })).toEqual({
      success: true,
      params: { city: "Oslo", unit: "c" },
      ignored: [{ path: ["colour"] }],
    });
  });

  test("answers a ValidationError that names every problem", async () => {
    const validation = await weather.validate({ unit: "k" });
    if (validation.success) throw new Error("Expected a failure");
    expect(validation.error).toBeInstanceOf(ValidationError);
    expect(validation.error.issues.map(({ path }) => path)).toEqual([["city"], ["unit"]]);
    expect(validation.error.message).toContain("- city: expected string, received nothing");
    expect(validation.error.message).toContain('- unit: expected one of "c", "f", received "k"');
  });

  test("never rejects, even when the schema's own check throws", async () => {
    const broken = defineTool({
      name: "broken",
      description: "Has a broken schema.",
      parameters: z.object({}).refine(() => {
        throw new Error("boom");
      }),
      execute: () => "",
    });
    expect(await broken.validate({})).toMatchObject({ success: false });
    expect(await broken.call({})).toMatchObject({ success: false });
  });
});

test("parameters that throw when they are looked at closely are refused in the schema's own words", async () => {
  const params = (): unknown =>
    new Proxy(
      { city: 7 },
      {
        getOwnPropertyDescriptor() {
          throw new Error("trap");
        },
      },
    );
  expect(await weather.validate(params())).toMatchObject({ success: false, error: { issues: [{ path: ["city"] }] } });
  const result = await weather.call(params() as never);
  expect(result).toMatchObject({ code: "invalid_params", issues: [{ path: ["city"] }] });
  expect(String(result)).toContain("- city: expected string, received number");
});

describe("Tool.call()", () => {
  test("runs the tool and returns its result", async () => {
    const result = await weather.call({ city: "Oslo" });
    expect(isToolResult(result)).toBe(true);
    expect(result).toMatchObject({ success: true, output: "3 c in Oslo" });
  });

  test("answers invalid parameters with the validation text and never runs the tool", async () => {
    const execute = vi.fn(() => "ran");
    const tool = defineTool({ name: "probe", description: "Probes.", parameters, execute });
    const result = await tool.call({ city: 7 } as never);
    expect(result).toMatchObject({ success: false, code: "invalid_params", issues: [{ path: ["city"] }] });
    expect(String(result)).toContain("- city: expected string, received 7");
    expect(execute).not.toHaveBeenCalled();
  });

  test.each([
    ["an Error", new Error("disk is full"), "probe failed: disk is full"],
    ["a string", "disk is full", "probe failed: disk is full"],
    ["null", null, "probe failed: null was thrown"],
    ["undefined", undefined, "probe failed: undefined was thrown"],
    ["an object without a message", {}, "probe failed: [object Object] was thrown"],
    ["an object that cannot be printed", Object.create(null), "probe failed: something unprintable was thrown"],
  ])("turns %s that is thrown into a failure", async (_, thrown, text) => {
    const throwing = toolOf(() => {
      throw thrown;
    });
    const rejecting = toolOf(() => Promise.reject(thrown));
    for (const tool of [throwing, rejecting]) {
      expect(await tool.call({})).toMatchObject({ success: false, code: "execution_failed", error: text });
    }
  });

  test("shows a thrown ToolError as it is", async () => {
    const tool = toolOf(() => {
      throw new ToolError("Cannot open the door: it is locked, ask for the key", { code: "locked" });
    });
    expect(await tool.call({})).toMatchObject({
      error: "Cannot open the door: it is locked, ask for the key",
      code: "locked",
    });
  });

  test.each([
    ["a string", "text", { output: "text", data: "text" }],
    ["nothing", undefined, { output: "Done, no output", data: undefined }],
    ["an object", { a: 1 }, { output: '{"a":1}', data: { a: 1 } }],
    ["null", null, { output: "null", data: null }],
    ["a success", success("text", { data: 1, metadata: { stopLoop: true } }), { output: "text", data: 1 }],
    ["a failure", failure("no"), { success: false, error: "no" }],
  ])("takes %s as an answer", async (_, answer, expected) => {
    expect(await toolOf(() => answer).call({})).toMatchObject(expected);
    expect(await toolOf(async () => answer).call({})).toMatchObject(expected);
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  test.each([
    ["a circular object", circular],
    ["a bigint", { n: 1n }],
    ["a Map", { map: new Map([[1, 2]]) }],
    ["a function", () => 1],
    ["bytes", { bytes: new Uint8Array(4) }],
    ["a few objects that stand for endlessly many", Array.from({ length: 60 }).reduce((inner) => [inner, inner], 1)],
    ["a success whose data is circular", success("text", { data: circular })],
  ])("answers %s with invalid_output", async (_, answer) => {
    expect(await toolOf(() => answer).call({})).toMatchObject({ success: false, code: "invalid_output" });
  });

  test("checks data against the output schema", async () => {
    const spec = {
      name: "probe",
      description: "Probes.",
      parameters: z.object({}),
      output: z.object({ n: z.number() }),
    };
    const right = defineTool({ ...spec, execute: () => success("one", { data: { n: 1, extra: true } }) });
    const wrong = defineTool({ ...spec, execute: () => ({ n: "1" }) as never });
    expect(await right.call({})).toMatchObject({ success: true, output: "one", data: { n: 1 } });
    expect(await wrong.call({})).toMatchObject({ success: false, code: "invalid_output" });
    expect(String(await wrong.call({}))).toContain("- n: expected number, received string");
  });

  test("passes the context on and names a key of it that is missing", async () => {
    const tool = defineTool({
      name: "where",
      description: "Says where.",
      parameters: z.object({}),
      context: z.object({
        worktreePath: z.string(),
        clock: z.custom<() => number>((value) => typeof value === "function"),
      }),
      execute: (_, { context }) => `${context.worktreePath} at ${context.clock()}`,
    });
    expect(String(await tool.call({}, { context: { worktreePath: "/w", clock: () => 7 } }))).toBe("/w at 7");
    const result = await tool.call({}, { context: { clock: () => 7 } } as never);
    expect(result).toMatchObject({ success: false, code: "missing_context" });
    expect(String(result)).toContain("worktreePath");
    expect(await tool.call({}, undefined as never)).toMatchObject({ code: "missing_context" });
  });

  test("hands progress on and survives an observer that throws", async () => {
    const heard: unknown[] = [];
    const tool = defineTool({
      name: "slow",
      description: "Takes its time.",
      parameters: z.object({}),
      execute(_, run) {
        run.progress({ message: "half", done: 1, total: 2 });
        return run.callId;
      },
    });
    await tool.call({}, { onProgress: (update) => heard.push(update) });
    expect(heard).toEqual([{ message: "half", done: 1, total: 2 }]);
    const onProgress = () => {
      throw new Error("observer");
    };
    expect(String(await tool.call({}, { onProgress, callId: "call_7" }))).toBe("call_7");
  });
});
