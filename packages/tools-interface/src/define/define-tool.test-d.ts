import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, failure, success, type ToolResult } from "../index.ts";

const named = { description: "Acts.", parameters: z.object({ city: z.string() }) } as const;

test("the data of a tool without an output schema is what execute returns, as JSON holds it", () => {
  const registry = createToolRegistry().register([
    defineTool({ ...named, name: "count", execute: () => 3 }),
    defineTool({ ...named, name: "later", execute: async ({ city }) => ({ city, at: new Date(), tags: ["a"] }) }),
    defineTool({ ...named, name: "made", execute: ({ city }) => success("done", { data: { city } }) }),
    defineTool({
      ...named,
      name: "either",
      execute: ({ city }) => (city === "" ? failure("none") : success(city, { data: 3 })),
    }),
    defineTool({ ...named, name: "text", execute: () => "now" }),
    defineTool({ ...named, name: "nothing", execute: () => {} }),
    defineTool({
      ...named,
      name: "steps",
      async *execute() {
        yield "half";
        return 3;
      },
    }),
    defineTool({ ...named, name: "any", execute: () => JSON.parse("1") }),
  ]);
  const given = { city: "Oslo" };
  expectTypeOf(registry.dispatch("count", given)).toEqualTypeOf<Promise<ToolResult<number>>>();
  expectTypeOf(registry.dispatch("later", given)).toEqualTypeOf<
    Promise<ToolResult<{ readonly city: string; readonly at: string; readonly tags: readonly string[] }>>
  >();
  expectTypeOf(registry.dispatch("made", given)).toEqualTypeOf<Promise<ToolResult<{ readonly city: string }>>>();
  expectTypeOf(registry.dispatch("either", given)).toEqualTypeOf<Promise<ToolResult<number>>>();
  expectTypeOf(registry.dispatch("text", given)).toEqualTypeOf<Promise<ToolResult<string>>>();
  expectTypeOf(registry.dispatch("nothing", given)).toEqualTypeOf<Promise<ToolResult<undefined>>>();
  expectTypeOf(registry.dispatch("steps", given)).toEqualTypeOf<Promise<ToolResult<number>>>();
  expectTypeOf(registry.dispatch("any", given)).toEqualTypeOf<Promise<ToolResult>>();
});

test("execute cannot return a value of which JSON keeps nothing", () => {
  class Methods {
    run(): number {
      return 1;
    }
  }
  // @ts-expect-error a function has no JSON form
  defineTool({ ...named, name: "late", execute: () => () => 3 });
  // @ts-expect-error nor has one that comes later
  defineTool({ ...named, name: "later", execute: async () => () => 3 });
  // @ts-expect-error a symbol
  defineTool({ ...named, name: "symbol", execute: () => Symbol("s") });
  // @ts-expect-error a symbol that comes later
  defineTool({ ...named, name: "symbol", execute: async () => Symbol("s") });
  // @ts-expect-error a class
  defineTool({ ...named, name: "class", execute: () => Methods });
  // @ts-expect-error an object with methods alone
  defineTool({ ...named, name: "methods", execute: () => new Methods() });
  // @ts-expect-error one that comes later
  defineTool({ ...named, name: "methods", execute: async () => new Methods() });
  // @ts-expect-error a map
  defineTool({ ...named, name: "map", execute: async () => new Map([["a", 1]]) });
  // @ts-expect-error a set
  defineTool({ ...named, name: "set", execute: () => new Set<string>() });
  // @ts-expect-error a bigint
  defineTool({ ...named, name: "bigint", execute: () => 3n });
  // @ts-expect-error the answer of a server, which is not read
  defineTool({ ...named, name: "response", execute: async () => fetch("https://a.example") });
  // @ts-expect-error possibly a function
  defineTool({ ...named, name: "perhaps", execute: ({ city }) => (city === "" ? 3 : () => 3) });
});

test("execute returns all else that JSON has a form for", () => {
  class Account {
    readonly id = 1;
    run(): number {
      return 1;
    }
  }
  defineTool({ ...named, name: "date", execute: () => new Date() });
  defineTool({ ...named, name: "url", execute: async () => new URL("https://a.example") });
  defineTool({ ...named, name: "account", execute: () => new Account() });
  defineTool({ ...named, name: "undefined", execute: () => undefined });
  defineTool({ ...named, name: "null", execute: () => null });
  defineTool({ ...named, name: "void", execute: async () => {} });
  defineTool({ ...named, name: "empty", execute: () => ({}) });
  defineTool({ ...named, name: "list", execute: () => [1] });
  defineTool({ ...named, name: "none", execute: () => [] });
  defineTool({ ...named, name: "optional", execute: ({ city }) => ({ city, later: undefined }) });
  defineTool({ ...named, name: "unknown", execute: (): unknown => 3 });
  defineTool({ ...named, name: "object", execute: (): object => ({ a: 1 }) });
  defineTool({ ...named, name: "record", execute: (): Record<string, unknown> => ({}) });
  defineTool({
    ...named,
    name: "steps",
    async *execute() {
      yield "half";
    },
  });
});
