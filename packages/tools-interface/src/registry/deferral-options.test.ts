import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolRegistry, defineTool, InvalidToolError, type AnyTool } from "../index.ts";

const tool = (name: string): AnyTool =>
  defineTool({ name, description: `The tool ${name}.`, parameters: z.object({}), execute: () => name });
const many = [tool("weather/forecast"), tool("find_flights"), tool("book_hotel")];
const names = (tools: readonly { readonly name: string }[]): readonly string[] => tools.map(({ name }) => name);
const create = () => createToolRegistry().register(tool("always")).register(many, { defer: true });

describe("deferral", () => {
  test.for([
    ["text", { deferAboveTokens: "100" }, /deferAboveTokens is of type string, allowed are numbers from 0/],
    ["null", { deferAboveTokens: null }, /deferAboveTokens is null/],
    ["a list", { deferAboveTokens: [5] }, /deferAboveTokens is of type object/],
    ["a big integer", { maxDepth: 3n }, /maxDepth is of type bigint/],
    ["a boolean", { maxOutputChars: true }, /maxOutputChars is of type boolean, allowed are numbers from 1/],
  ] as const)("refuses an option of the registry that is %s", ([, options, message]) => {
    expect(() => createToolRegistry(options as never)).toThrow(RangeError);
    expect(() => createToolRegistry(options as never)).toThrow(message);
  });

  test.for([
    [{ defer: 1 }, /defer is of type number/],
    [{ defer: null }, /defer is of type object/],
    [{ callers: "model" }, /allowed callers are a list/],
    [{ callers: null }, /allowed callers are a list/],
    [{ callers: ["models"] }, /allowed callers are a list/],
    [{ deferred: true }, /found the option "deferred", allowed are "callers" and "defer"/],
    [null, /the options are null/],
    [["program"], /the options are a list/],
    ["defer", /the options are of type string/],
  ] as const)("refuses the options %j", ([options, message]) => {
    const registry = createToolRegistry();
    expect(() => registry.register(many, options as never)).toThrow(InvalidToolError);
    expect(() => registry.register(many, options as never)).toThrow(message);
    expect(registry.size).toBe(0);
  });

  test.for(["defer", "callers"])("refuses %s in the definition of a tool, where it would do nothing", (key) => {
    const spec = { name: "t", description: "T.", parameters: z.object({}), execute: () => "" };
    expect(() => defineTool({ ...spec, [key]: true })).toThrow(`which is an option of register`);
  });

  test.for([["book_hotel"], null, "book_hotel", 5, [5], ["book_hotel", null], new Set(["book_hotel"]), {}] as const)(
    "takes for loaded a list of names alone: %j",
    (loaded) => {
      const make = (): unknown => create().toModelTools({ loaded } as never);
      if (Array.isArray(loaded) && loaded[0] === "book_hotel" && loaded.length === 1) expect(make).not.toThrow();
      else expect(make).toThrow(/^Cannot load tools: loaded is .*, allowed is a list of their names/);
    },
  );

  test("has no registry without the search tool as long as tools are deferred", () => {
    const registry = create();
    expect(() => registry.without("search_tools" as string)).toThrow(
      "Cannot leave out search_tools: models find the deferred tools with it, register them with defer: false or leave them out too",
    );
    const none = registry.without("search_tools" as string, "weather/forecast", "find_flights", "book_hotel");
    expect(names(none.toModelTools())).toEqual(["always"]);
    expect(names(registry.subset("search_tools" as string, "book_hotel").toModelTools())).toEqual(["search_tools"]);
    expect(names(registry.subset("search_tools" as string, "always").toModelTools())).toEqual(["always"]);
  });
});
