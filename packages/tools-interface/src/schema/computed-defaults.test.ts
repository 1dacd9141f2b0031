import { randomUUID } from "node:crypto";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { defineTool, type JsonSchema, type Schema } from "../index.ts";

const toolOf = (parameters: Schema, output?: Schema) =>
  defineTool({
    name: "t",
    description: "T.",
    parameters,
    ...(output && { output }),
    execute: (params) => params as never,
  });
const fieldOf = (parameters: Schema): JsonSchema =>
  (toolOf(parameters).parameters["properties"] as Record<string, JsonSchema>)["a"] ?? {};

describe("a default that is computed for each call", () => {
  test.each<[string, () => Schema]>([
    ["a time", () => z.object({ a: z.number().default(() => Date.now()) })],
    ["seconds", () => z.object({ a: z.number().default(() => Math.floor(Date.now() / 1_000)) })],
    ["a date in text", () => z.object({ a: z.string().default(() => new Date().toISOString()) })],
    ["today", () => z.object({ a: z.string().default(() => new Date().toISOString().slice(0, 10)) })],
    ["a random number", () => z.object({ a: z.number().default(() => Math.random()) })],
    ["a random id", () => z.object({ a: z.string().default(() => randomUUID()) })],
    ["an object with a time", () => z.object({ a: z.object({ at: z.number() }).default(() => ({ at: Date.now() })) })],
    ["a list of ids", () => z.object({ a: z.array(z.string()).default(() => [randomUUID()]) })],
    ["a prefault", () => z.object({ a: z.string().prefault(() => randomUUID()) })],
    ["a catch", () => z.object({ a: z.number().catch(() => Date.now()) })],
    ["a time of Zod 3", () => z3.object({ a: z3.number().default(() => Date.now()) })],
    ["a random id of Valibot", () => toStandardJsonSchema(v.object({ a: v.optional(v.string(), () => randomUUID()) }))],
  ])("is not told: %s", (_, make) => {
    expect(fieldOf(make())).not.toHaveProperty("default");
    expect(toolOf(make()).fingerprint).toBe(toolOf(make()).fingerprint);
    expect(toolOf(z.object({}), make()).fingerprint).toBe(toolOf(z.object({}), make()).fingerprint);
  });

  test("is given to the tool all the same, anew for each call", async () => {
    const tool = toolOf(z.object({ a: z.string().default(() => randomUUID()) }));
    const given = [await tool.call({}), await tool.call({})].map(String);
    expect(given[0]).toMatch(/^\{"a":"[0-9a-f-]{36}"\}$/);
    expect(new Set(given).size).toBe(2);
  });
});

describe("a constant default", () => {
  test.each<[unknown, Schema]>([
    [5, z.object({ a: z.number().default(5) })],
    ["v1", z.object({ a: z.string().default("v1") })],
    ["2020-01-01", z.object({ a: z.string().default("2020-01-01") })],
    [1_600_000_000_000, z.object({ a: z.number().default(1_600_000_000_000) })],
    [{ n: 1 }, z.object({ a: z.object({ n: z.number() }).default({ n: 1 }) })],
    [7, z3.object({ a: z3.number().default(7) })],
    [8, toStandardJsonSchema(v.object({ a: v.optional(v.number(), 8) }))],
    [Date.now(), { type: "object", properties: { a: { type: "number", default: Date.now() } } }],
  ])("is told: %j", (value, parameters) => {
    expect(fieldOf(parameters)["default"]).toEqual(
      typeof value === "number" && value > 1e12 ? expect.any(Number) : value,
    );
  });

  test("stays where another one is computed, also of a field called default", () => {
    const parameters = z.object({
      default: z.object({ default: z.number().default(3) }).default({ default: 4 }),
      id: z.string().default(() => randomUUID()),
    });
    expect(toolOf(parameters).parameters["properties"]).toEqual({
      default: expect.objectContaining({
        default: { default: 4 },
        properties: { default: { type: "number", default: 3 } },
      }) as unknown,
      id: { type: "string" },
    });
  });
});
