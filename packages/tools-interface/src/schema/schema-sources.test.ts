import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";
import { z as z3v4 } from "zod3/v4";
import { toAnthropicTools } from "../formats/anthropic.ts";
import { toGeminiTools } from "../formats/gemini.ts";
import { toMcpTools } from "../formats/mcp.ts";
import { toOpenAiTools } from "../formats/openai.ts";
import { createToolRegistry, defineTool, type Schema } from "../index.ts";

/** The same parameters in every library. */
const sources: readonly (readonly [string, Schema])[] = [
  [
    "Zod 4",
    z.object({
      city: z.string().describe("Name of the city"),
      days: z.number().int().max(14).optional(),
      tags: z.array(z.string()).default([]),
    }),
  ],
  [
    "zod/mini",
    mini.object({
      city: mini.string().check(mini.describe("Name of the city")),
      days: mini.optional(mini.int().check(mini.lte(14))),
      tags: mini._default(mini.array(mini.string()), []),
    }),
  ],
  [
    "zod/v4 inside zod 3.25",
    z3v4.object({
      city: z3v4.string().describe("Name of the city"),
      days: z3v4.number().int().max(14).optional(),
      tags: z3v4.array(z3v4.string()).default([]),
    }),
  ],
  [
    "Zod 3",
    z3.object({
      city: z3.string().describe("Name of the city"),
      days: z3.number().int().max(14).optional(),
      tags: z3.array(z3.string()).default([]),
    }),
  ],
  [
    "Valibot",
    toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.description("Name of the city")),
        days: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(14))),
        tags: v.optional(v.array(v.string()), []),
      }),
    ),
  ],
  [
    "ArkType",
    type({
      city: type("string").describe("Name of the city"),
      "days?": "number.integer <= 14",
      tags: type("string[]").default(() => []),
    }).onUndeclaredKey("delete"),
  ],
  [
    "TypeBox",
    Type.Object({
      city: Type.String({ description: "Name of the city" }),
      days: Type.Optional(Type.Integer({ maximum: 14 })),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  ],
  [
    "JSON Schema",
    {
      type: "object",
      properties: {
        city: { type: "string", description: "Name of the city" },
        days: { type: "integer", maximum: 14 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["city"],
      additionalProperties: false,
    },
  ],
];

describe.each(sources)("defineTool() with %s parameters", (source, parameters) => {
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

  test("has a stub and goes out to every provider", () => {
    expect(registry.generateStubs()).toMatch(
      /async function forecast\(params: \{[^}]*city: string;[^}]*days\?: number/,
    );
    for (const strict of [true, false]) {
      for (const wire of [toOpenAiTools(registry, { strict }), toAnthropicTools(registry, { strict })]) {
        expect(JSON.stringify(wire.tools), source).toContain('"city"');
        expect(wire.report[0]).toMatchObject({ name: "forecast", strict });
      }
    }
    expect(JSON.stringify(toGeminiTools(registry).tools)).toContain('"city"');
    expect(JSON.stringify(toMcpTools(registry).tools)).toContain('"city"');
  });
});
