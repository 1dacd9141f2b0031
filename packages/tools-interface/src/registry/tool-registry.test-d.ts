import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { createToolRegistry, defineTool, success, type ToolResult } from "../index.ts";

const weather = defineTool({
  name: "get_weather",
  description: "Weather of a city.",
  parameters: z.object({ city: z.string(), unit: z.enum(["c", "f"]).default("c") }),
  output: z.object({ degrees: z.number() }),
  context: z.object({ station: z.string() }),
  execute({ city, unit }, run) {
    expectTypeOf(city).toEqualTypeOf<string>();
    expectTypeOf(unit).toEqualTypeOf<"c" | "f">();
    expectTypeOf(run.context).toEqualTypeOf<{ station: string }>();
    return { degrees: 3 };
  },
});
const clock = defineTool({ name: "clock", description: "Time.", parameters: z.object({}), execute: () => "now" });
const door = defineTool({
  name: "door",
  description: "Opens.",
  parameters: { type: "object", properties: { wide: { type: "boolean" } } },
  context: z.object({ key: z.number() }),
  execute(params) {
    expectTypeOf(params).toEqualTypeOf<Record<string, unknown>>();
    return success("open", { data: { wide: true } });
  },
});

test("defineTool() infers input, data and context", () => {
  expectTypeOf(weather.name).toEqualTypeOf<"get_weather">();
  expectTypeOf<Parameters<typeof weather.call>[0]>().toEqualTypeOf<{ city: string; unit?: "c" | "f" | undefined }>();
  expectTypeOf(weather.call({ city: "Oslo" }, { context: { station: "a" } })).toEqualTypeOf<
    Promise<ToolResult<{ degrees: number }>>
  >();
  // @ts-expect-error the context is required
  void weather.call({ city: "Oslo" });
  // @ts-expect-error and it has to hold the context of the tool
  void weather.call({ city: "Oslo" }, { context: {} });
  void clock.call({});
  defineTool({
    name: "wrong",
    description: "Returns what it does not declare.",
    parameters: z.object({}),
    output: z.object({ degrees: z.number() }),
    // @ts-expect-error the data does not fit the output
    execute: () => ({ degrees: "3" }),
  });
});

test("ToolRegistry.dispatch() requires the context of all its tools", () => {
  const registry = createToolRegistry().register(weather).register([clock, door]);
  const context = { station: "a", key: 1 };
  expectTypeOf(registry.dispatch("get_weather", { city: "Oslo" }, { context })).toEqualTypeOf<
    Promise<ToolResult<{ degrees: number }>>
  >();
  expectTypeOf(registry.get("clock").name).toEqualTypeOf<"clock">();
  void registry.dispatch({ name: "anything" }, { context });
  void registry.dispatch("anything" as string, {}, { context });
  // @ts-expect-error no context
  void registry.dispatch({ name: "clock" });
  // @ts-expect-error one key of it is missing
  void registry.dispatch({ name: "clock" }, { context: { station: "a" } });
  // @ts-expect-error no context
  void registry.dispatchAll([]);
  // @ts-expect-error known name, wrong parameters
  void registry.dispatch("get_weather", { city: 3 }, { context });
  // @ts-expect-error known name, wrong parameters
  void registry.dispatch("get_weather", {}, { context });
});

test("ToolRegistry.dispatch() needs no options when no tool needs context", () => {
  const registry = createToolRegistry().register(clock);
  void registry.dispatch({ name: "clock" });
  void registry.dispatch("clock", {});
  void createToolRegistry().dispatch("anything", { at: "all" });
});

test("a success's data is there when the tool declares output", async () => {
  const result = await createToolRegistry()
    .register(weather)
    .dispatch("get_weather", { city: "Oslo" }, { context: { station: "a" } });
  if (result.success) expectTypeOf(result.data).toEqualTypeOf<{ degrees: number }>();
  const called = await clock.call({});
  if (called.success) expectTypeOf(called.data).toEqualTypeOf<string>();
  const names = defineTool({
    name: "names",
    description: "Names.",
    parameters: z.object({}),
    output: { type: "array", items: { type: "string" } },
    execute: () => ["a"],
  });
  const listed = await names.call({});
  if (listed.success) expectTypeOf(listed.data).toEqualTypeOf<unknown[]>();
  defineTool({
    name: "wrong",
    description: "Gives no data.",
    parameters: z.object({}),
    output: z.object({ degrees: z.number() }),
    // @ts-expect-error the output needs data
    execute: () => success("3 degrees"),
  });
});

test("success() types data as given", () => {
  const perhaps = { degrees: 3 } as { degrees: number } | undefined;
  expectTypeOf(success("a").data).toEqualTypeOf<undefined>();
  expectTypeOf(success("a", { metadata: {} }).data).toEqualTypeOf<undefined>();
  expectTypeOf(success("a", { data: { degrees: 3 } }).data).toEqualTypeOf<{ degrees: number }>();
  expectTypeOf(success("a", { data: perhaps }).data).toEqualTypeOf<{ degrees: number } | undefined>();
  expectTypeOf(success("a", { ...(perhaps && { data: perhaps }) }).data).toEqualTypeOf<
    { degrees: number } | undefined
  >();
});

test("defineTool() takes objects as parameters only", () => {
  const spec = { name: "t", description: "T.", execute: () => "done" } as const;
  // @ts-expect-error a string
  defineTool({ ...spec, parameters: z.string() });
  // @ts-expect-error a list
  defineTool({ ...spec, parameters: z.array(z.string()) });
  // @ts-expect-error possibly a string
  defineTool({ ...spec, parameters: z.union([z.string(), z.object({})]) });
  // @ts-expect-error possibly nothing
  defineTool({ ...spec, parameters: z.object({}).optional() });
  // @ts-expect-error a string of Zod 3
  defineTool({ ...spec, parameters: z3.string() });
  // @ts-expect-error a string, as JSON Schema
  defineTool({ ...spec, parameters: { type: "string" } });
  defineTool({ ...spec, parameters: z.record(z.string(), z.unknown()) });
  defineTool({ ...spec, parameters: z.preprocess((value) => value, z.object({ a: z.string() })) });
  defineTool({ ...spec, parameters: z.looseObject({}) });
  defineTool({ ...spec, parameters: { type: "object" } });
  type Taken = Parameters<typeof defineTool<"t", z.ZodString>>[0]["parameters"];
  type Told = "parameters must be an object at the root, such as z.object({ … })";
  expectTypeOf<z.ZodString & Told>().toExtend<Taken>();
});
