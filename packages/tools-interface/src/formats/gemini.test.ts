import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/define-tool.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { createToolRegistry } from "../registry/tool-registry.ts";
import { failure, success } from "../result/tool-result.ts";
import { fromGeminiResponse, toGeminiResults, toGeminiTools } from "./gemini.ts";

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./__fixtures__/${name}.json`, import.meta.url), "utf8"));
}

const weather = defineTool({
  name: "weather.get",
  description: "The weather in a city.",
  parameters: z.object({
    city: z.string().min(2),
    unit: z.literal("celsius").nullable().optional(),
    days: z.int().min(1).default(1),
  }),
  execute: ({ city }) => city,
});
const clock = defineTool({ name: "clock", description: "The time.", parameters: z.object({}), execute: () => "12:00" });
const registry = createToolRegistry().register([weather, clock]);

function openapi(parameters: JsonSchema) {
  const wire = toGeminiTools([{ name: "t", description: "d", parameters }], { schema: "openapi" });
  return { ...wire, schema: wire.tools[0]?.functionDeclarations[0]?.parameters ?? {} };
}

describe("toGeminiTools()", () => {
  it("writes the documented shape with JSON Schema, and no schema for a tool without parameters", () => {
    expect(toGeminiTools(registry).tools).toEqual([
      {
        functionDeclarations: [
          { name: "weather_get", description: "The weather in a city.", parametersJsonSchema: weather.parameters },
          { name: "clock", description: "The time." },
        ],
      },
    ]);
    expect(toGeminiTools([]).tools).toEqual([]);
  });

  it("writes the OpenAPI subset: one type in upper case, `nullable`, texts in enums", () => {
    const [tool] = toGeminiTools(registry, { schema: "openapi" }).tools;
    expect(tool?.functionDeclarations[0]?.parameters).toEqual({
      type: "OBJECT",
      properties: {
        city: { type: "STRING", description: "(minLength: 2)" },
        unit: { type: "STRING", enum: ["celsius"], nullable: true },
        days: { type: "INTEGER", minimum: 1, description: "(default: 1)" },
      },
      required: ["city"],
    });
    expect(tool?.functionDeclarations[1]).toEqual({ name: "clock", description: "The time." });
  });

  it("asks for JSON text where the subset has no word, and decoding reads it", () => {
    const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/T" } } } };
    const { schema, decode, report } = openapi({
      type: "object",
      properties: { any: {}, tree: { $ref: "#/$defs/T" }, "odd key": { type: "string" } },
      $defs: { T: tree },
    });
    expect(schema).toMatchObject({
      properties: {
        any: { type: "STRING", description: "(JSON text of any value)" },
        tree: { type: "OBJECT", properties: { kids: { type: "ARRAY", items: { type: "STRING" } } } },
        odd_key: { type: "STRING" },
      },
    });
    const sent = { any: '{"a":[1]}', tree: { kids: ['{"kids":[]}'] }, odd_key: "[1]" };
    expect(decode("t", sent)).toEqual({ any: { a: [1] }, tree: { kids: [{ kids: [] }] }, "odd key": "[1]" });
    expect(decode("t", { any: "no JSON" })).toEqual({ any: "no JSON" });
    expect(report[0]?.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "widened #/properties/any",
      "widened #/properties/tree/properties/kids/items",
      "renamed #/properties/odd key",
    ]);
  });
});

interface Entry {
  readonly name: string;
  readonly schema: unknown;
  readonly defs?: JsonSchema;
}
const corpus = fixture("schema-corpus") as readonly Entry[];
const KEYWORDS = new Set(
  "type description properties required items anyOf enum nullable format minimum maximum".split(" "),
);
const TYPES = new Set<unknown>(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]);

/** What Google documents of the OpenAPI subset, written down once more and apart from the compiler. */
function faults(node: unknown, path: string): readonly string[] {
  if (!isJsonObject(node)) return [`${path} is no schema`];
  const { type, properties, items, anyOf, enum: values, format } = node;
  const unknown = Object.keys(node).filter((keyword) => !KEYWORDS.has(keyword));
  const named = Object.entries(isJsonObject(properties) ? properties : {});
  return [
    ...unknown.map((keyword) => `${path} says ${keyword}`),
    ...((type === undefined) === (anyOf === undefined) ? [`${path} says what it is twice or not at all`] : []),
    ...(type !== undefined && !TYPES.has(type) ? [`${path} is of an unknown type`] : []),
    ...(type === "ARRAY" && items === undefined ? [`${path} has no items`] : []),
    ...(properties !== undefined && named.length === 0 ? [`${path} has no fields`] : []),
    ...(Array.isArray(values) && !values.every((value) => typeof value === "string" && value !== "")
      ? [`${path} lists what is no text`]
      : []),
    ...(format === undefined || format === "date-time" ? [] : [`${path} has a format`]),
    ...named.flatMap(([key, child]) => [
      ...(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key) ? [] : [`${path} has a field ${key}`]),
      ...faults(child, `${path}.${key}`),
    ]),
    ...(items === undefined ? [] : faults(items, `${path}[]`)),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((branch, index) => faults(branch, `${path}|${index}`)) : []),
  ];
}

describe("toGeminiTools() in the OpenAPI subset", () => {
  it.each(corpus)("keeps to it for $name", ({ schema, defs }) => {
    const parameters = { type: "object", properties: { needed: schema, spare: schema }, required: ["needed"] };
    const { schema: written } = openapi({ ...parameters, ...(defs && { $defs: defs }) });
    expect(faults(written, "#")).toEqual([]);
  });

  it("reads back every value that it asks for as JSON text", () => {
    const { decode } = openapi({ type: "object", properties: { any: {}, list: { type: "array" } } });
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (any, list) => {
        const value = JSON.parse(JSON.stringify({ any, list })) as { any: unknown; list: unknown[] };
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const sent = { any: JSON.stringify(value.any), list: value.list.map((item) => JSON.stringify(item)) };
        expect(decode("t", sent)).toEqual(value);
      }),
    );
  });
});

describe("fromGeminiResponse()", () => {
  it("reads parallel calls with and without ids and arguments", () => {
    const wire = toGeminiTools(registry);
    expect(fromGeminiResponse(fixture("gemini-function-calls"), wire)).toEqual([
      { name: "weather.get", arguments: { city: "Paris" } },
      { id: "8f2b1a3c", name: "weather.get", arguments: { city: "London", unit: "celsius" } },
      { name: "weather.get", arguments: {} },
    ]);
    for (const other of [undefined, null, "x", {}, { candidates: [{}] }, { parts: [null, { text: "x" }] }]) {
      expect(fromGeminiResponse(other)).toEqual([]);
    }
  });
});

describe("toGeminiResults()", () => {
  it("writes responses in the order of the calls under the provider's names, then images", () => {
    const calls = [{ name: "weather.get" }, { id: "8f2b1a3c", name: "weather.get" }];
    const image = { type: "image", data: "aW1n", mimeType: "image/png" } as const;
    const results = [success("", { content: [image], metadata: { key: "SECRET" } }), failure("Cannot find it")];
    expect(toGeminiResults(calls, results, toGeminiTools(registry))).toEqual({
      role: "user",
      parts: [
        {
          functionResponse: {
            name: "weather_get",
            response: {
              output: '[image (image/png) follows below as "Image 1 of the result of call 1 (weather.get)"]',
            },
          },
        },
        { functionResponse: { id: "8f2b1a3c", name: "weather_get", response: { error: "Cannot find it" } } },
        { text: "Image 1 of the result of call 1 (weather.get)" },
        { inlineData: { mimeType: "image/png", data: "aW1n" } },
      ],
    });
  });
});
