import { describe, expect, test } from "vitest";
import { createToolRegistry, defineTool } from "../index.ts";
import { toMcpTools } from "../registry/mcp-format.ts";
import { schemaSources } from "./__fixtures__/schema-sources.ts";

describe.each(schemaSources)("defineTool() with %s parameters", (_, parameters) => {
  const tool = defineTool({
    name: "forecast",
    description: "Forecasts.",
    parameters,
    execute: (params) => JSON.stringify(params),
  });
  const registry = createToolRegistry().register(tool);
  const dispatch = (params: unknown) => registry.dispatch({ name: "forecast", arguments: params });

  test("advertises what the schema says", () => {
    const { properties, required, ...rest } = tool.parameters as {
      readonly type: string;
      readonly properties: Record<string, { readonly type: string }>;
      readonly required: readonly string[];
    };
    expect(rest.type).toBe("object");
    expect(rest).not.toHaveProperty("$schema");
    expect(Object.keys(properties).toSorted()).toEqual(["city", "days", "tags"]);
    expect(properties["city"]).toMatchObject({ type: "string" });
    expect(JSON.stringify(properties["city"])).toContain("ame of the city");
    expect(properties["days"]).toMatchObject({ type: "integer", maximum: 14 });
    expect(properties["tags"]).toMatchObject({ type: "array", items: { type: "string" } });
    expect(required).toEqual(["city"]);
    expect(Object.isFrozen(properties)).toBe(true);
  });

  test("repairs what is damaged and says so", async () => {
    const result = await dispatch({ city: "Oslo", days: "3", tags: "a" });
    expect(JSON.parse(String(result))).toEqual({ city: "Oslo", days: 3, tags: ["a"] });
    expect(result.repairs.map(({ kind, path }) => `${path.join()} ${kind}`).toSorted()).toEqual([
      "days to_number",
      "tags to_array",
    ]);
  });

  test.each([
    ["a missing field", {}, "- city: expected string, received nothing"],
    ["a wrong type", { city: 7 }, "- city: expected string, received 7"],
    ["a number out of bounds", { city: "Oslo", days: 99 }, /- days: expected integer .*14, received 99/],
    ["a wrong item", { city: "Oslo", tags: ["a", 2] }, "- tags[1]: expected string, received 2"],
  ])("refuses %s and says where, what is expected and what was received", async (_, params, text) => {
    const result = await dispatch(params);
    expect(result).toMatchObject({ success: false, code: "invalid_params" });
    if (typeof text === "string") expect(String(result)).toContain(text);
    else expect(String(result)).toMatch(text);
  });

  test("has a stub and goes out to models", () => {
    expect(registry.generateStubs()).toMatch(
      /async function forecast\(params: \{[^}]*city: string;[^}]*days\?: number/,
    );
    expect(JSON.stringify(registry.toModelTools())).toContain('"city"');
    expect(JSON.stringify(toMcpTools(registry).tools)).toContain('"city"');
  });
});
