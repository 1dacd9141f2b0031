import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { createToolRegistry, defineTool, type AnyTool, type AnyToolRegistry, type ToolRegistry } from "../index.ts";

const spec = { description: "T." } as const;
const parameters = z.object({ text: z.string() });
const plain = defineTool({ ...spec, name: "plain", parameters, execute: ({ text }) => text });
const one = defineTool({
  ...spec,
  name: "one",
  parameters,
  output: z.object({ size: z.number() }),
  context: z.object({ key: z.string(), locale: z.string().optional() }),
  execute: ({ text }) => ({ size: text.length }),
});
const two = defineTool({
  ...spec,
  name: "two",
  parameters: z3.object({ count: z3.number() }),
  context: z.object({ key: z.string(), db: z.object({ url: z.string() }) }),
  execute: ({ count }) => count,
});
const either = defineTool({
  ...spec,
  name: "either",
  parameters: { type: "object" },
  context: z.union([z.object({ token: z.string() }), z.object({ cookie: z.string() })]),
  execute: () => "done",
});
const key = "k";
const db = { url: "u" };

test("ToolRegistry.register() merges context field by field", () => {
  const registry = createToolRegistry().register([plain, one]).register(two);
  type Needed = typeof registry extends ToolRegistry<infer _, infer Context> ? Context : never;
  expectTypeOf<Needed>().toEqualTypeOf<{ key: string; locale?: string | undefined; db: { url: string } }>();
  void registry.dispatch("two", { count: 1 }, { context: { key, db } });
  // @ts-expect-error no `db`
  void registry.dispatch("plain", { text: "a" }, { context: { key } });
});

test("ToolRegistry.register() keeps a choice of contexts a choice", () => {
  const registry = createToolRegistry().register([either, one]);
  void registry.dispatch({ name: "one" }, { context: { key, token: "t" } });
  void registry.dispatch({ name: "one" }, { context: { key, cookie: "c" } });
  // @ts-expect-error neither token nor cookie
  void registry.dispatch({ name: "one" }, { context: { key } });
});

test("ToolRegistry.register() of another registry's tools keeps their types and context", () => {
  const base = createToolRegistry().register([one, plain]);
  for (const registry of [
    createToolRegistry().register(base.tools).register(two),
    createToolRegistry().register([...base.tools, two]),
    createToolRegistry()
      .register(base.tools.filter(({ annotations }) => annotations.readOnly))
      .register(two),
  ]) {
    const context = { key, db };
    void registry.dispatch("one", { text: "a" }, { context });
    void registry.dispatch("two", { count: 1 }, { context });
    // @ts-expect-error no context
    void registry.dispatch({ name: "plain" });
    // @ts-expect-error no `db`
    void registry.dispatchAll([], { context: { key } });
    // @ts-expect-error wrong parameters
    void registry.dispatch("one", { text: 1 }, { context });
    // @ts-expect-error unknown name
    void registry.dispatch("three", {}, { context });
  }
});

test("ToolRegistry.extend() asks for the context of both and knows the tools of both", () => {
  const registry = createToolRegistry()
    .register(one)
    .extend(createToolRegistry().register([two, plain]));
  const context = { key, db };
  expectTypeOf(registry.get("two")).toEqualTypeOf(two);
  void registry.dispatch("one", { text: "a" }, { context });
  // @ts-expect-error no `db`
  void registry.dispatch("one", { text: "a" }, { context: { key } });
  // @ts-expect-error wrong parameters
  void registry.dispatch("two", { text: "a" }, { context });
  const unknown = createToolRegistry()
    .register(one)
    .extend(createToolRegistry().register(two) as AnyToolRegistry);
  // @ts-expect-error tools that are known only at run time require more than the known ones
  void unknown.dispatch({ name: "one" });
});

test("ToolRegistry.subset() and without() ask for the context of their tools alone", () => {
  const registry = createToolRegistry().register([plain, one, two]);
  void registry.subset("plain").dispatch("plain", { text: "a" });
  void registry.subset("one", "plain").dispatch("one", { text: "a" }, { context: { key } });
  void registry.without("one", "two").dispatch("plain", { text: "a" });
  void registry.without("two").dispatch("one", { text: "a" }, { context: { key } });
  // @ts-expect-error no `db`
  void registry.without("one").dispatch("two", { count: 1 }, { context: { key } });
  // @ts-expect-error taken out
  void registry.without("two").dispatch("two", { count: 1 }, { context: { key } });
  // @ts-expect-error unknown name
  registry.subset("typo");
  // @ts-expect-error unknown name
  registry.without("typo");
  registry.subset(...(["one"] as string[])).without("plain" as string);
});

test("ToolRegistry takes a choice of lists as all of them", () => {
  const registry = createToolRegistry().register(Math.random() > 0.5 ? [plain] : [plain, one]);
  void registry.dispatch("one", { text: "a" }, { context: { key } });
  // @ts-expect-error no context
  void registry.dispatch("plain", { text: "a" });
});

test("ToolRegistry is taken where fewer tools or more context are expected, and nowhere else", () => {
  const registry = createToolRegistry().register([plain, one]);
  expectTypeOf(registry).toExtend<AnyToolRegistry>();
  expectTypeOf(registry).toExtend<ToolRegistry<{ readonly plain: typeof plain }, { key: string; more: number }>>();
  expectTypeOf(registry).not.toExtend<ToolRegistry>();
  expectTypeOf(registry).not.toExtend<ToolRegistry<{}, { more: number }>>();
  expectTypeOf(registry).not.toExtend<ToolRegistry<{ readonly two: typeof two }, { key: string }>>();
});

test("ToolRegistry of tools that are known only at run time takes any name", () => {
  const listed: readonly AnyTool[] = [plain, one];
  const registry = createToolRegistry().register(listed);
  void registry.dispatch("anything", { at: "all" });
  void createToolRegistry().register(plain).register(listed).dispatch("anything", {});
  void (registry as AnyToolRegistry).dispatch("anything", {});
  void createToolRegistry()
    .register(plain)
    .dispatch(`mcp_${String(Math.random())}`, {});
  // @ts-expect-error the registry knows its tools
  void createToolRegistry().register(plain).dispatch("typo", {});
  // @ts-expect-error the registry knows its tools
  createToolRegistry().register(plain).get("typo");
});

test("defineTool() takes a schema whose type is a parameter of the caller's function", () => {
  const create = <const Name extends string, Fields extends z.ZodObject>(name: Name, fields: Fields) =>
    defineTool({ ...spec, name: `create_${name}`, parameters: fields, execute: () => "created" });
  const wrap = <Accepted extends z.ZodType<object>>(accepted: Accepted) =>
    defineTool({ ...spec, name: "wrapped", parameters: accepted, execute: (params) => JSON.stringify(params) });
  const registry = createToolRegistry().register([create("user", z.object({ mail: z.string() })), wrap(parameters)]);
  void registry.dispatch("create_user", { mail: "a" });
  void registry.dispatch("wrapped", { text: "a" });
  // @ts-expect-error wrong parameters
  void registry.dispatch("create_user", { mail: 1 });
});
