import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createToolRegistry, defineTool } from "../index.ts";

const zod4 = z.object({
  city: z.string(),
  days: z.number().int().max(14).optional(),
  tags: z.array(z.string()).default([]),
});
const zod3 = z3.object({
  city: z3.string(),
  days: z3.number().int().max(14).optional(),
  tags: z3.array(z3.string()).default([]),
});
const json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer", maximum: 14 },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["city"],
  additionalProperties: false,
} as const;

describe.each([
  ["Zod 4", zod4],
  ["Zod 3", zod3],
  ["raw JSON Schema", json],
])("defineTool() with %s parameters", (_, parameters) => {
  const tool = defineTool({
    name: "forecast",
    description: "Forecasts.",
    parameters: parameters as typeof zod4,
    execute: (params) => JSON.stringify(params),
  });
  const registry = createToolRegistry().register(tool);

  test("advertises what the schema says", () => {
    const schema = registry.toModelTools()[0]?.input_schema as {
      properties: Record<string, { type: string; maximum?: number; items?: object }>;
      required: string[];
    };
    expect(Object.keys(schema.properties)).toEqual(["city", "days", "tags"]);
    expect(schema.properties["days"]).toMatchObject({ type: "integer", maximum: 14 });
    expect(schema.properties["tags"]).toMatchObject({ type: "array", items: { type: "string" } });
    expect(schema.required).toEqual(["city"]);
    expect(schema).not.toHaveProperty("$schema");
  });

  test.each([
    ["a missing field", {}, /city/],
    ["a wrong type", { city: 7 }, /- city: .*string/],
    ["a number out of bounds", { city: "Oslo", days: 99 }, /- days: .*14/],
    ["a wrong item", { city: "Oslo", tags: ["a", 2] }, /- tags\[1\]: .*string/],
  ])("refuses %s and says where", async (_, params, text) => {
    const result = await registry.dispatch("forecast", params as never);
    expect(result).toMatchObject({ success: false, code: "invalid_params" });
    expect(String(result)).toMatch(text);
  });
});

describe("defineTool() with schemas that cannot be used", () => {
  const define = (parameters: unknown) => () =>
    defineTool({ name: "t", description: "T.", parameters: parameters as never, execute: () => "" });

  test("names the library and the remedy for a Standard Schema without JSON Schema", () => {
    const schema = { "~standard": { version: 1, vendor: "homemade", validate: (value: unknown) => ({ value }) } };
    expect(define(schema)).toThrow(/parameters of t: this homemade schema has no "~standard"\.jsonSchema/);
  });

  test("names the type that JSON lacks", () => {
    expect(define(z.object({ when: z.date() }))).toThrow(/z\.iso\.datetime\(\)/);
  });

  test("never takes a Zod 4 schema for Zod 3, nor the other way round", () => {
    expect(
      defineTool({ name: "t", description: "T.", parameters: zod4, execute: () => "" }).parameters["properties"],
    ).toHaveProperty("city");
    expect(
      defineTool({ name: "t", description: "T.", parameters: zod3, execute: () => "" }).parameters["properties"],
    ).toHaveProperty("city");
  });

  test("is not disturbed by a schema that is changed afterwards", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const tool = defineTool({ name: "t", description: "T.", parameters: schema, execute: () => "" });
    schema.properties.a.type = "number";
    expect(tool.parameters["properties"]).toEqual({ a: { type: "string" } });
  });

  test("checks calls by the schema as it was when the tool was defined", async () => {
    const properties: Record<string, object> = { a: { type: "string" }, b: { type: "string" } };
    const tool = defineTool({
      name: "t",
      description: "T.",
      parameters: { type: "object", properties },
      execute: (params) => JSON.stringify(params),
    });
    delete properties["b"];
    expect(String(await tool.call({ a: "1", b: "2" }))).toBe('{"a":"1","b":"2"}');
  });

  test("awaits a schema whose check is asynchronous", async () => {
    const parameters = z.object({ id: z.string().refine(async (id) => id === "known", "unknown id") });
    const tool = defineTool({ name: "t", description: "T.", parameters, execute: () => "ran" });
    expect(String(await tool.call({ id: "known" }))).toBe("ran");
    expect(await tool.call({ id: "other" })).toMatchObject({ code: "invalid_params" });
  });
});
