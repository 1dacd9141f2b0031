import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineTool, InvalidToolError, type JsonSchema } from "../index.ts";

function toolOf(parameters: JsonSchema) {
  return defineTool({ name: "t", description: "T.", parameters, execute: (params) => JSON.stringify(params) });
}
/** A tool with one field, `a`. */
function fieldOf(schema: unknown, rest: JsonSchema = {}) {
  return toolOf({ type: "object", properties: { a: schema }, required: ["a"], ...rest });
}

describe("defineTool() with a JSON Schema", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["const", { const: { b: 1 } }, { b: 1 }, { b: 2 }],
    ["enum", { enum: ["x", null, 3] }, null, "y"],
    ["type as a list", { type: ["string", "null"] }, null, 1],
    ["multipleOf", { type: "number", multipleOf: 0.1 }, 0.3, 0.35],
    ["exclusive bounds", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5, 1],
    ["length in code points", { type: "string", maxLength: 1 }, "😀", "ab"],
    ["pattern", { type: "string", pattern: "^\\p{Lu}" }, "Ä", "ä"],
    ["format", { type: "string", format: "date" }, "2024-02-29", "2023-02-29"],
    ["format url", { type: "string", format: "url" }, "https://a.b/c", "not a url"],
    ["a format nobody knows", { type: "string", format: "colour" }, "x", 1],
    ["a format named like a method", { type: "string", format: "hasOwnProperty" }, "x", 1],
    ["uniqueItems", { type: "array", uniqueItems: true }, [{ b: 1 }, { b: 2 }], [{ b: 1 }, { b: 1 }]],
    ["contains", { type: "array", contains: { type: "number" }, minContains: 2 }, [1, "x", 2], [1, "x"]],
    [
      "prefixItems",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      ["x", 1],
      ["x", "y"],
    ],
    ["patternProperties", { patternProperties: { "^n": { type: "number" } } }, { n1: 1 }, { n1: "x" }],
    ["propertyNames", { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    ["dependentRequired", { dependentRequired: { b: ["c"] } }, { b: 1, c: 1 }, { b: 1 }],
    ["dependentSchemas", { dependentSchemas: { b: { required: ["c"] } } }, { b: 1, c: 1 }, { b: 1 }],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    ["if, then, else", { if: { type: "string" }, then: { minLength: 2 }, else: { type: "number" } }, 1, "x"],
    ["not", { not: { type: "string" } }, 1, "x"],
    ["oneOf", { oneOf: [{ type: "number" }, { type: "integer" }] }, 1.5, 1],
    ["unevaluatedProperties", { allOf: [{ properties: { b: {} } }], unevaluatedProperties: false }, { b: 1 }, { c: 1 }],
    ["an anchor", { $ref: "#text" }, "x", 1],
    ["a definition", { $ref: "#/$defs/text" }, "x", 1],
    ["what stands beside a reference", { $ref: "#/$defs/text", maxLength: 1 }, "x", "xy"],
  ])("checks %s", async (_, schema, right, wrong) => {
    const tool = fieldOf(schema, { $defs: { text: { $anchor: "text", type: "string" } } });
    expect(String(await tool.call({ a: right }))).toBe(JSON.stringify({ a: right }));
    expect(await tool.call({ a: wrong })).toMatchObject({ success: false, code: "invalid_params" });
  });

  test.each<[string, JsonSchema, unknown, unknown]>([
    ["items as a list", { items: [{ type: "string" }], additionalItems: { type: "number" } }, ["x", 1], ["x", "y"]],
    ["dependencies", { dependencies: { b: ["c"], d: { required: ["e"] } } }, { b: 1, c: 1 }, { d: 1 }],
    ["definitions", { $ref: "#/definitions/text" }, "x", 1],
  ])("checks %s of draft 7", async (_, schema, right, wrong) => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const tool = fieldOf(schema, { $schema, definitions: { text: { type: "string" } } });
    expect(String(await tool.call({ a: right }))).toBe(JSON.stringify({ a: right }));
    expect(await tool.call({ a: wrong })).toMatchObject({ success: false, code: "invalid_params" });
  });

  test("checks a recursive schema of draft 2019-09", async () => {
    const tool = toolOf({
      $schema: "https://json-schema.org/draft/2019-09/schema",
      $recursiveAnchor: true,
      type: "object",
      properties: { v: { type: "string" }, next: { $recursiveRef: "#" } },
    });
    expect(await tool.call({ next: { next: { v: "x" } } })).toMatchObject({ success: true });
    expect(await tool.call({ next: { next: { v: 1 } } })).toMatchObject({ code: "invalid_params" });
  });

  test("tells a model of tuples in the words of draft 2020-12, whatever the draft", () => {
    const { properties } = fieldOf({ items: [{ type: "string" }], additionalItems: false }).parameters;
    expect(properties).toEqual({ a: { prefixItems: [{ type: "string" }], items: false } });
  });

  test("keeps the fields of a tuple's items, whether their schemas name them or not", async () => {
    const point = { type: "object", properties: { x: { type: "number" } } };
    const tool = fieldOf({ type: "array", prefixItems: [point], items: { type: "object", properties: { y: {} } } });
    expect(
      String(
        await tool.call({
          a: [
            { x: 1, z: 1 },
            { y: 2, z: 1 },
          ],
        }),
      ),
    ).toBe('{"a":[{"x":1,"z":1},{"y":2,"z":1}]}');
  });

  test("leaves values alone that look like keywords", () => {
    const values = { default: { $schema: "x", items: [1] }, examples: [{ minimum: Number.MIN_SAFE_INTEGER }] };
    expect(fieldOf(values).parameters["properties"]).toEqual({ a: values });
  });

  test.each<[string, JsonSchema, RegExp]>([
    ["fetching", { $ref: "https://example.com/schema.json" }, /reference "https:.*leads nowhere.*nothing is fetched/],
    ["a missing definition", { $ref: "#/$defs/nobody" }, /reference "#\/\$defs\/nobody" leads nowhere/],
    ["a file", { $ref: "file:///etc/passwd" }, /leads nowhere/],
    ["a reference that is no text", { $ref: 7 }, /not a JSON Schema/],
    ["a dynamic reference", { $dynamicRef: "#x" }, /\$dynamicRef .*allowed is \$ref/],
    ["a reference to itself", { $ref: "#/properties/a" }, /refers to itself and to nothing else/],
    ["a circle of references", { $ref: "#/$defs/one" }, /refers to itself/],
    ["a type nobody knows", { type: "strnig" }, /at #\/properties\/a\/type stands "strnig", allowed is null, boolean/],
    ["a pattern that is none", { pattern: "(" }, /at #\/properties\/a\/pattern stands no regular expression/],
    ["a pattern that is none in Unicode mode", { pattern: "^[\\w-.]+$" }, /in Unicode mode/],
    ["a name pattern that is none", { patternProperties: { "[": {} } }, /patternProperties stands no regular/],
    ["required as a text", { required: "true" }, /required stands "true", allowed is a list of field names/],
    ["an empty enum", { enum: [] }, /enum stands \[\], allowed is a list of values/],
    ["a bound as text", { minimum: "1" }, /minimum stands "1", allowed is a number/],
    ["a size below zero", { minLength: -1 }, /minLength stands -1/],
    ["a step of nothing", { multipleOf: 0 }, /multipleOf stands 0, allowed is a number above 0/],
    ["two references", { $ref: "#/$defs/one", $recursiveRef: "#" }, /one reference, not two/],
    ["a schema as text", { items: "string" }, /items stands no schema/],
    ["a union as an object", { anyOf: { type: "string" } }, /anyOf stands no list/],
    ["fields as a list", { properties: ["a"] }, /properties stand no schemas by name/],
  ])("refuses %s when the tool is defined", (_, schema, message) => {
    const $defs = { one: { allOf: [{ $ref: "#/$defs/two" }] }, two: { anyOf: [{ $ref: "#/$defs/one" }] } };
    expect(() => fieldOf(schema, { $defs })).toThrow(InvalidToolError);
    expect(() => fieldOf(schema, { $defs })).toThrow(message);
  });

  test("refuses a reference whose target depends on the value", () => {
    const schema = { $recursiveRef: "#", properties: { b: { $id: "b", type: "object" } } };
    expect(() => fieldOf({ type: "array", items: schema })).toThrow(/stands \$recursiveRef.*allowed is \$ref/);
  });

  test("refuses drafts before 6", () => {
    const $schema = "http://json-schema.org/draft-03/schema#";
    expect(() => fieldOf({}, { $schema })).toThrow(/too old, allowed are draft 4 and later/);
  });

  test("throws nothing but InvalidToolError, whatever it is given", () => {
    const keyword = fc.constantFrom(
      "type",
      "$ref",
      "items",
      "properties",
      "anyOf",
      "$defs",
      "pattern",
      "enum",
      "$id",
      "not",
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: "small" }, fc.jsonValue(), fc.constantFrom("#", "#/$defs/a", "object"), tie("node")),
      node: fc.dictionary(fc.oneof(keyword, fc.string()), tie("tree"), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(fc.dictionary(keyword, tree), (schema) => {
        try {
          toolOf({ ...schema, type: "object" });
        } catch (error) {
          if (!(error instanceof InvalidToolError)) throw error;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("Tool.call() with a JSON Schema", () => {
  test("makes no prototype of a field called __proto__", async () => {
    const properties = JSON.parse('{"__proto__":{"type":"object"},"a":{}}') as JsonSchema;
    const tool = defineTool({
      name: "t",
      description: "T.",
      parameters: { type: "object", properties },
      execute: (params) => String((params as { admin?: unknown }).admin),
    });
    expect(String(await tool.call(JSON.parse('{"__proto__":{"admin":true}}')))).toBe("undefined");
  });

  test("takes a field without a value for one that is left out", async () => {
    const tool = toolOf({ type: "object", properties: { a: { type: "string" } } });
    expect(await tool.call({ a: undefined })).toMatchObject({ success: true, output: "{}" });
  });

  test("answers within reason what a hostile model sends", async () => {
    const deep = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}{}${"}".repeat(depth)}`);
    const recursive = fieldOf({ $ref: "#" }, { required: [] });
    expect(await recursive.call(deep(100_000) as never)).toMatchObject({ success: false, code: "invalid_params" });
    const unique = fieldOf({ type: "array", uniqueItems: true });
    const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect(await unique.call({ a: items })).toMatchObject({ success: true });
    expect(await unique.call({ a: [...items, { index: 7 }] })).toMatchObject({ success: false });
    const url = fieldOf({ type: "string", format: "url" });
    expect(await url.call({ a: `http://${"a".repeat(34)}!` })).toMatchObject({ success: true });
    const numbers = fieldOf({ type: "array", items: { type: "string" } });
    const many = await numbers.call({ a: Array.from({ length: 300_000 }, (_, index) => index) });
    expect(many).toMatchObject({ code: "invalid_params" });
    expect(String(many).length).toBeLessThanOrEqual(1_200);
  });
});

describe("defineTool() with a draft-7 schema", () => {
  test("tells no more than it checks: keywords beside a reference have no effect there", async () => {
    const schema = (uri: string) => ({
      $schema: uri,
      type: "object",
      properties: { v: { $ref: "#/definitions/c", description: "A C", required: ["b"] } },
      definitions: { c: { type: "object", properties: { c: { type: "number" } } } },
    });
    const of = (uri: string) =>
      defineTool({ name: "t", description: "T.", parameters: schema(uri), execute: () => "" });
    const old = of("http://json-schema.org/draft-07/schema#");
    expect(old.parameters["properties"]).toEqual({ v: { $ref: "#/definitions/c", description: "A C" } });
    expect(await old.validate({ v: { c: 1 } })).toMatchObject({ success: true });
    const now = of("https://json-schema.org/draft/2020-12/schema");
    expect(now.parameters["properties"]).toMatchObject({ v: { required: ["b"] } });
    expect(await now.validate({ v: { c: 1 } })).toMatchObject({ success: false });
  });
});

test.each([
  [{ pattern: "^(a+)+$" }, false],
  [{ not: { pattern: "(a|a)*!$" } }, true],
  [{ anyOf: [{ pattern: ".*.*.*!" }, { type: "number" }] }, false],
  // A pattern that cannot be decided lets no text pass, not even where `not` stands before it.
  [{ pattern: String.raw`^(a|aa)+\1$` }, false],
  [{ not: { pattern: String.raw`^(a|aa)+\1!$` } }, false],
])("a schema with the slow pattern %j answers soon for a text that a model sends", async (node, fits) => {
  const tool = toolOf({
    type: "object",
    properties: { a: node },
    patternProperties: { "^([a-z]+)+$": {} },
    unevaluatedProperties: false,
  });
  const text = `${"a".repeat(20_000)}?`;
  expect(await tool.validate({ a: text })).toMatchObject({ success: fits });
  expect(await tool.validate({ [text]: 1 })).toMatchObject({ success: false });
  expect(await tool.call({ a: text })).toMatchObject({ success: fits });
});
