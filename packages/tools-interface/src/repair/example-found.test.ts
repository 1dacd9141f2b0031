import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type JsonSchema } from "../index.ts";
import { schemaCorpus, toolTaking } from "../schema/__fixtures__/schema-corpus.ts";

const toolOf = (parameters: JsonSchema | z.ZodType) =>
  defineTool({ name: "t", description: "T.", parameters: parameters as JsonSchema, execute: () => "" });

/** The example in the answer to a refused call. */
async function exampleFor(parameters: JsonSchema | z.ZodType, params: unknown): Promise<unknown> {
  const result = await toolOf(parameters).call(params as never);
  if (result.success) throw new Error("Expected a failure");
  const [, text] = /, for example with (\{.*\})$/s.exec(result.error) ?? [];
  return text === undefined ? undefined : JSON.parse(text);
}

const field = (schema: JsonSchema | boolean): JsonSchema => ({
  type: "object",
  properties: { value: schema },
  required: ["value"],
});

// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
/** Schemas whose rules an example is not made for: the answer names the rule instead. */
const UNREAD = new Set([
  "a pattern",
  "a pattern and a length",
  "a pattern that the name of a format does not fit",
  "contains",
  "several contained",
  "oneOf with an overlap",
  "unique items",
  "unique objects",
  "unique values of a list",
  "not",
  "not one of",
  "a condition",
  "least fields",
  "names of fields",
  "fields by a pattern",
  "dependent fields",
  "a second branch only",
  "two kinds of which one is closed",
]);

describe("an example in the answer to a refused call is one that the schema accepts", () => {
  test.each<[string, JsonSchema]>([
    ["a pattern", { type: "string", pattern: String.raw`^[A-Z]{3}-\d{4}$` }],
    ["a pattern and a length", { type: "string", pattern: "^[a-z]+$", minLength: 12, maxLength: 14 }],
    ["a pattern that the name of a format does not fit", { type: "string", format: "email", pattern: "@corp\\.org$" }],
    ["contains", { type: "array", items: { type: "string" }, contains: { const: "x" } }],
    ["several contained", { type: "array", contains: { type: "integer", minimum: 5 }, minContains: 3 }],
    ["oneOf with an overlap", { type: "string", oneOf: [{ minLength: 3 }, { maxLength: 6 }] }],
    ["oneOf of numbers", { oneOf: [{ type: "integer" }, { minimum: 2 }] }],
    ["unique items", { type: "array", items: { type: "string" }, uniqueItems: true, minItems: 3 }],
    [
      "unique objects",
      {
        type: "array",
        items: { type: "object", properties: { a: { enum: [1, 2, 3] } }, required: ["a"] },
        uniqueItems: true,
        minItems: 2,
      },
    ],
    ["unique values of a list", { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, minItems: 3 }],
    ["not", { not: { type: "string" } }],
    ["not one of", { type: "string", not: { enum: ["text"] } }],
    [
      "a condition",
      {
        type: "object",
        properties: { kind: { enum: ["a", "b"] } },
        required: ["kind"],
        if: { properties: { kind: { const: "a" } } },
        then: { required: ["size"] },
        else: { required: ["name"] },
      },
    ],
    ["least fields", { type: "object", minProperties: 2, additionalProperties: { type: "number" } }],
    ["names of fields", { type: "object", minProperties: 1, propertyNames: { pattern: "^x_[a-z]+$" } }],
    [
      "fields by a pattern",
      {
        type: "object",
        minProperties: 1,
        patternProperties: { "^x": { type: "integer" } },
        additionalProperties: false,
      },
    ],
    [
      "dependent fields",
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], dependentRequired: { a: ["b"] } },
    ],
    ["a required field without a schema", { type: "object", required: ["anything"] }],
    ["bounds without a type", { minimum: 3, maximum: 3.5 }],
    ["an odd multiple", { type: "number", multipleOf: 0.3, exclusiveMinimum: 10 }],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], minItems: 2, items: false }],
    [
      "a second branch only",
      { anyOf: [{ type: "string", pattern: String.raw`^(.)\1$`, maxLength: 0 }, { type: "integer" }] },
    ],
    ["two kinds of which one is closed", { type: ["array", "null"], contains: false }],
  ])("%s", async (name, schema) => {
    const parameters = field(schema);
    const example = await exampleFor(parameters, {});
    expect(example === undefined).toBe(UNREAD.has(name));
    if (example !== undefined) expect(await toolOf(parameters).validate(example)).toMatchObject({ success: true });
  });

  test.each<[string, z.ZodType]>([
    ["formats", z.object({ b: z.ipv4(), c: z.uuid(), d: z.iso.duration(), e: z.cidrv4().optional() })],
  ])("of Zod: %s", async (_, parameters) => {
    const example = await exampleFor(parameters, {});
    expect(parameters.safeParse(example).success).toBe(true);
  });

  test.each<[string, z.ZodType]>([
    ["a pattern", z.object({ id: z.string().regex(/^[a-f0-9]{8}$/) })],
    ["a local time, which is a pattern", z.object({ at: z.iso.time() })],
    ["a check of its own", z.object({ port: z.number().refine((port) => port === 2) })],
    ["a code", z.object({ code: z.templateLiteral(["v", z.number(), ".", z.number()]) })],
  ])("of Zod, none for %s", async (_, parameters) => {
    expect(await exampleFor(parameters, {})).toBeUndefined();
  });

  const WITHOUT = ["string pattern", "string lookahead", "intersection of patterns", "size of object"];
  test("real schemas, whichever field is wrong", async () => {
    const without = new Set<string>();
    for (const entry of schemaCorpus) {
      if (entry.unsatisfiable) continue;
      const draft = entry.draft === "7" ? { $schema: "http://json-schema.org/draft-07/schema#" } : {};
      const parameters = { ...toolTaking(entry).parameters, ...draft };
      const tool = toolOf(parameters);
      for (const needed of [undefined, { zzz: 1 }, [[[]]], "\u0001", -1e9]) {
        if ((await tool.validate({ needed })).success) continue;
        const example = await exampleFor(parameters, { needed }).catch(() => "repaired");
        if (example === undefined) without.add(entry.name);
        else if (example !== "repaired") expect(await tool.validate(example)).toMatchObject({ success: true });
      }
    }
    expect([...without]).toEqual(WITHOUT);
  });
});

describe("where no example can be made, the answer says which constraint failed", () => {
  test.each<[JsonSchema | boolean, unknown, RegExp]>([
    [{ not: {} }, "x", /value: expected a value that does not fit "not"/],
    [{ oneOf: [true, true] }, "x", /expected a value of exactly one of 2 kinds, it is of 2/],
    [{ anyOf: [false, false] }, "x", /expected a value of one of 2 kinds/],
    [false, "x", /Unrecognized key: "value"/],
    [{ maxLength: 2, pattern: "^(?=.{9})" }, "abc", /value: .*at most 2 characters/],
  ])("%j", async (schema, value, message) => {
    const result = await toolOf({ ...field(schema), required: [] }).call({ value });
    expect(String(result)).toMatch(message);
  });
});

test("the official tests of JSON Schema get an example wherever one is possible", async () => {
  const file = new URL("../../peers/json-schema/2020-12.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  let found = 0;
  const without: string[] = [];
  for (const line of lines) {
    const { keyword, schema, tests } = JSON.parse(line) as {
      keyword: string;
      schema: JsonSchema;
      tests: [string, unknown, boolean][];
    };
    // References and identifiers are of the whole document.
    if (typeof schema === "boolean" || /"\$(?:id|ref|anchor|dynamicRef|defs)"/.test(JSON.stringify(schema))) continue;
    const { $schema, ...own } = schema;
    const isSatisfiable = tests.some(([, , isValid]) => isValid);
    let parameters: JsonSchema;
    try {
      parameters = { ...field(own), ...($schema !== undefined && { $schema }) };
      toolOf(parameters);
    } catch {
      continue;
    }
    for (const [description, value, isValid] of tests) {
      if (isValid) continue;
      const example = await exampleFor(parameters, { value }).catch(() => "repaired");
      if (example === "repaired") continue;
      if (example === undefined) {
        if (isSatisfiable) without.push(`${keyword}: ${description}`);
        continue;
      }
      expect(await toolOf(parameters).validate(example)).toMatchObject({ success: true });
      found += 1;
    }
  }
  const keywords = new Set(without.map((one) => one.replace(/:.*/s, "")));
  expect([...keywords]).toEqual(["if-then-else", "not", "oneOf", "pattern", "unevaluatedItems"]);
  expect(found).toBeGreaterThan(200);
});
