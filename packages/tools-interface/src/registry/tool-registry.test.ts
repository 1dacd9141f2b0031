import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  defineTool,
  DuplicateToolError,
  ToolError,
  ToolNotFoundError,
  type MiddlewareCall,
  type ToolResult,
} from "../index.ts";

function tool<const Name extends string>(name: Name) {
  return defineTool({
    name,
    description: `The tool ${name}.`,
    parameters: z.object({ mode: z.enum(["fast", "slow"]).describe("How to run").optional(), n: z.number() }),
    execute: ({ n }) => `${name} ${n}`,
  });
}

describe("ToolRegistry.register()", () => {
  test("chains, and get() answers what was registered", () => {
    const a = tool("a");
    const registry = createToolRegistry();
    expect(registry.register(a).register([tool("b"), tool("c")])).toBe(registry);
    expect(registry.get("a")).toBe(a);
    expect(registry.has("b")).toBe(true);
    expect(registry.has("d")).toBe(false);
    expect(registry.toolNames).toEqual(["a", "b", "c"]);
    expect(registry.tools.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test("throws for a name that models were told another tool by, and for none before they were told", async () => {
    const registry = createToolRegistry().register([tool("x.y"), tool("z")]);
    const told = JSON.stringify(registry.toModelTools());
    expect(() => registry.register(tool("x_y"))).toThrow(
      'Cannot register tool "x_y": models were told of "x.y" by that name, register both before, or choose another name',
    );
    expect(() => registry.register([tool("w"), tool("x/y"), tool("x_y")])).toThrow(DuplicateToolError);
    expect(registry.register(tool("x/y")).toolNames).toEqual(["x.y", "z", "x/y"]);
    expect(JSON.stringify(registry.toModelTools()).startsWith(told.slice(0, -1))).toBe(true);
    expect(await registry.dispatch({ name: "x_y", arguments: { n: 1 } })).toMatchObject({ output: "x.y 1" });
    expect(createToolRegistry().register(tool("x.y")).register(tool("x_y")).size).toBe(2);
  });

  test("throws for a name that is taken, and then adds nothing", () => {
    const registry = createToolRegistry().register(tool("a"));
    expect(() => registry.register([tool("b"), tool("a")])).toThrow(DuplicateToolError);
    expect(() => registry.register([tool("c"), tool("c")])).toThrow(/"c".*registered already/);
    expect(registry.toolNames).toEqual(["a"]);
  });

  test("takes names that objects have by themselves", () => {
    const registry = createToolRegistry().register([tool("constructor"), tool("__proto__"), tool("toString")]);
    expect(registry.size).toBe(3);
    expect(createToolRegistry().has("constructor")).toBe(false);
  });
});

describe("ToolRegistry.get()", () => {
  test("throws ToolNotFoundError that names what there is", () => {
    const name: string = "x";
    const error = (() => {
      try {
        return createToolRegistry()
          .register([tool("a"), tool("b")])
          .get(name);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ToolNotFoundError);
    expect(ToolError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: "tool_not_found", toolName: "x", available: ["a", "b"] });
  });
});

describe("ToolRegistry.extend()", () => {
  test("adds the tools of another registry in their order, hidden ones hidden, and leaves that one as it is", async () => {
    const other = createToolRegistry().register(tool("b")).register(tool("c"), { callers: [] });
    const registry = createToolRegistry().register(tool("a"));
    expect(registry.extend(other)).toBe(registry);
    expect(registry.toolNames).toEqual(["a", "b", "c"]);
    expect(registry.toModelTools().map(({ name }) => name)).toEqual(["a", "b"]);
    expect(other.toolNames).toEqual(["b", "c"]);
    expect(String(await registry.dispatch({ name: "c", arguments: { n: 1 } }))).toBe("c 1");
  });

  test("throws for a name that is taken, and then adds nothing", () => {
    const registry = createToolRegistry().register(tool("a"));
    const other = createToolRegistry().register([tool("b"), tool("a")]);
    expect(() => registry.extend(other)).toThrow(DuplicateToolError);
    expect(() => registry.extend(registry)).toThrow(DuplicateToolError);
    expect(registry.toolNames).toEqual(["a"]);
  });

  test("throws for anything but a registry", () => {
    for (const other of [
      undefined,
      null,
      [tool("a")],
      tool("a"),
      { tools: [tool("a")] },
      { tools: 1, toArray: () => [] },
    ]) {
      expect(() => createToolRegistry().extend(other as never)).toThrow(
        /Cannot extend a registry.*allowed is a registry/,
      );
    }
  });
});

describe("ToolRegistry.without()", () => {
  test("makes a registry of the other tools, hidden ones still hidden, with the same options", async () => {
    const seen: string[] = [];
    const options = {
      middleware: [(call: MiddlewareCall, next: () => Promise<ToolResult>) => (seen.push(call.name), next())],
    };
    const registry = createToolRegistry(options)
      .register([tool("a"), tool("b")])
      .register(tool("c"), { callers: [] });
    const rest = registry.without("a");
    expect(rest.toolNames).toEqual(["b", "c"]);
    expect(rest.toModelTools().map(({ name }) => name)).toEqual(["b"]);
    expect(registry.size).toBe(3);
    expect((await rest.dispatch({ name: "a", arguments: { n: 1 } })).success).toBe(false);
    expect(String(await rest.dispatch("b", { n: 1 }))).toBe("b 1");
    expect(seen).toEqual(["b"]);
    expect(rest.register(tool("a")).toolNames).toEqual(["b", "c", "a"]);
    expect(registry.without().toolNames).toEqual(registry.toolNames);
  });

  test("throws for an unknown name", () => {
    const registry = createToolRegistry().register(tool("a"));
    expect(() => registry.without("x" as string)).toThrow(ToolNotFoundError);
    // @ts-expect-error the name is not one of its tools
    expect(() => registry.without("x")).toThrow(ToolNotFoundError);
  });
});

describe("ToolRegistry.subset()", () => {
  test("makes a registry of these tools, hidden ones still hidden", () => {
    const registry = createToolRegistry()
      .register([tool("a"), tool("b")])
      .register(tool("c"), { callers: [] });
    const subset = registry.subset("c", "a");
    expect(subset.toolNames).toEqual(["c", "a"]);
    expect(subset.toArray().map(({ name }) => name)).toEqual(["a"]);
    expect(registry.size).toBe(3);
  });

  test("throws for an unknown name", () => {
    expect(() =>
      createToolRegistry()
        .register(tool("a"))
        .subset("a", "x" as never),
    ).toThrow(ToolNotFoundError);
  });
});

test("ToolRegistry.size and isEmpty count every tool", () => {
  const registry = createToolRegistry();
  expect([registry.size, registry.isEmpty]).toEqual([0, true]);
  registry.register(tool("a"), { callers: [] });
  expect([registry.size, registry.isEmpty]).toEqual([1, false]);
});

describe("ToolRegistry.toArray() and toModelTools()", () => {
  const registry = createToolRegistry().register(tool("a")).register(tool("hidden"), { callers: [] });

  test("give plain definitions of the advertised tools", () => {
    expect(registry.toArray()).toEqual([
      { name: "a", description: "The tool a.", parameters: registry.get("a").parameters },
    ]);
  });

  test("give valid JSON Schema with properties, required, descriptions and enums", () => {
    expect(JSON.parse(JSON.stringify(registry.toModelTools()))).toEqual([
      {
        name: "a",
        description: "The tool a.",
        input_schema: {
          type: "object",
          properties: {
            mode: { type: "string", enum: ["fast", "slow"], description: "How to run" },
            n: { type: "number" },
          },
          required: ["n"],
          additionalProperties: false,
        },
      },
    ]);
  });

  test("name tools as every provider accepts, and dispatch understands those names", async () => {
    const names = ["files/read", "files.read", "files_read", "x".repeat(100)];
    const named = createToolRegistry().register(names.map((name) => tool(name)));
    const wireNames = named.toModelTools().map(({ name }) => name);
    expect(new Set(wireNames).size).toBe(names.length);
    for (const name of wireNames) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const calls = wireNames.map((name) => ({ name, arguments: { n: 1 } }));
    const results = await named.dispatchAll(calls);
    expect(results.map(String)).toEqual(names.map((name) => `${name} 1`));
  });

  test("spell out properties and required when there are none", () => {
    const empty = defineTool({
      name: "empty",
      description: "Takes nothing.",
      parameters: z.object({}),
      execute: () => "",
    });
    expect(createToolRegistry().register(empty).toModelTools()[0]?.input_schema).toEqual({
      type: "object",
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  test("leave hidden tools out, which dispatch still runs", async () => {
    expect(registry.toModelTools().map(({ name }) => name)).toEqual(["a"]);
    expect(registry.generateStubs()).not.toContain("hidden");
    expect(String(await registry.dispatch("hidden", { n: 1 }))).toBe("hidden 1");
  });
});
