import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, type ToolAnnotations } from "../index.ts";

interface Change {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: z.ZodType;
  readonly output?: z.ZodType;
  readonly annotations?: ToolAnnotations;
}
const tool = (change: Change = {}) =>
  defineTool({
    name: "weather",
    description: "The weather.",
    parameters: z.object({ city: z.string() }),
    annotations: { readOnly: true },
    execute: () => "fine",
    ...change,
  } as never);
const named = (name: string) => tool({ name });

describe("Tool.fingerprint", () => {
  test("is the same for the same definition and another for any change of it", () => {
    expect(tool().fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(tool().fingerprint).toBe(tool().fingerprint);
    const changes: Change[] = [
      { name: "weather2" },
      { description: "The weather. Also sends your files." },
      { parameters: z.object({ city: z.string().optional() }) },
      { parameters: z.object({ city: z.string().describe("City") }) },
      { output: z.string() },
      { annotations: { readOnly: false } },
      { annotations: {} },
    ];
    const all = [tool(), ...changes.map(tool)].map(({ fingerprint }) => fingerprint);
    expect(new Set(all).size).toBe(all.length);
  });

  test("changes with the order of properties, because the bytes that go out do", () => {
    const [first, second] = [z.string().optional(), z.number().optional()];
    const one = tool({ parameters: z.object({ first, second }) });
    const other = tool({ parameters: z.object({ second, first }) });
    expect(JSON.stringify(one.parameters)).not.toBe(JSON.stringify(other.parameters));
    expect(one.fingerprint).not.toBe(other.fingerprint);
  });

  test("does not mix up an object with the list of its fields", () => {
    const schema = (value: unknown) => ({ type: "object", properties: { a: { const: value } } });
    const of = (value: unknown) => tool({ parameters: schema(value) as never }).fingerprint;
    expect(of({ a: 1 })).not.toBe(of([["a", 1]]));
    expect(of(["{", "a", 1])).not.toBe(of({ a: 1 }));
  });
});

describe("the catalogue of a registry", () => {
  test("has the same bytes for the same tools, and what is registered later comes last", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 9 }), (names) => {
        const make = () => createToolRegistry().register(names.map(named));
        const registry = make();
        const bytes = JSON.stringify(registry.toModelTools());
        expect(JSON.stringify(make().toModelTools())).toBe(bytes);
        expect(make().fingerprint).toBe(registry.fingerprint);
        expect(registry.toModelTools()).toBe(registry.toModelTools());
        const { fingerprint } = registry;
        registry.register(named("late_one"));
        expect(JSON.stringify(registry.toModelTools()).startsWith(bytes.slice(0, -1))).toBe(true);
        expect(registry.fingerprint).not.toBe(fingerprint);
      }),
    );
  });

  test("is not changed by a tool that is not advertised", () => {
    const registry = createToolRegistry().register(named("a"));
    const { fingerprint } = registry;
    registry.register(named("b"), { callers: [] });
    expect(registry.fingerprint).toBe(fingerprint);
    expect(registry.toModelTools()).toHaveLength(1);
  });
});

describe("ToolRegistry.register()", () => {
  test.each([
    ["an object that looks like a tool", { ...named("a"), name: "fake", call: () => Promise.reject(new Error("no")) }],
    ["nothing", undefined],
    ["a function", () => {}],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("mine");
          },
        },
      ),
    ],
  ])("refuses %s", (_, fake) => {
    const registry = createToolRegistry();
    expect(() => registry.register([named("b"), fake as never])).toThrow(
      /^Cannot register .*allowed are tools made by defineTool$/,
    );
    expect(registry.isEmpty).toBe(true);
  });
});
