import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../json/json.ts";
import { wideParameters } from "../../stubs/__fixtures__/random-schemas.ts";
import { nearMisses, valuesOf } from "../../stubs/__fixtures__/schema-values.ts";
import { compileRawJsonSchema } from "../raw-json-schema.ts";

function fits(schema: JsonSchema, value: unknown): boolean {
  const check = compileRawJsonSchema(schema, "parameters").validate(value);
  return !("then" in check) && check.issues === undefined;
}

function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

describe("compileChecks()", () => {
  test("accepts what ajv accepts, of any schema", () => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, ownProperties: true });
    const cases = wideParameters
      .filter((schema) => !JSON.stringify(schema).includes('"items":[') && !JSON.stringify(schema).includes('"format"'))
      .chain((schema) => {
        const fitting = valuesOf(schema, schema);
        return fc.tuple(fc.constant(schema), fc.oneof(fitting, fitting.chain(nearMisses)));
      });
    fc.assert(
      fc.property(cases, ([schema, value]) => {
        // A schema that refers to itself and to nothing else is refused. ajv fails on values that hide `toString`.
        const expected = attempted(() => ajv.compile(schema)(value));
        const check = attempted(() => compileRawJsonSchema(schema, "parameters"));
        fc.pre(expected !== undefined && check !== undefined);
        expect("value" in check.validate(value)).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });

  const beside = { properties: { a: true }, patternProperties: { "^x": true } };
  // oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
  test.each<[string, JsonSchema, object]>([
    ["in allOf", { allOf: [beside] }, { a: 1, x1: 1 }],
    ["behind a reference", { $ref: "#/$defs/beside", $defs: { beside } }, { a: 1, x1: 1 }],
    ["in a branch that fits", { anyOf: [beside, { required: ["z"] }] }, { a: 1 }],
    ["in a condition and what follows", { if: beside, then: { properties: { b: true } } }, { a: 1, b: 1 }],
    ["in what follows otherwise", { if: { required: ["b"] }, else: beside }, { a: 1 }],
    ["in a dependent schema", { properties: { b: true }, dependentSchemas: { b: beside } }, { b: 1, a: 1 }],
    ["by additionalProperties within", { allOf: [{ additionalProperties: { type: "number" } }] }, { other: 1 }],
    ["by unevaluatedProperties within", { allOf: [{ unevaluatedProperties: { type: "number" } }] }, { other: 1 }],
  ])("knows the fields that are evaluated %s", (_, schema, value) => {
    const closed = { ...schema, unevaluatedProperties: false };
    expect([fits(closed, value), fits(closed, { q: "q" })]).toEqual([true, false]);
    const issues = { issues: [{ path: [], message: 'Unrecognized key: "q"' }] };
    if (!JSON.stringify(schema).includes('"number"')) {
      expect(compileRawJsonSchema(closed, "p").validate({ ...value, q: 1 })).toMatchObject(issues);
    }
  });

  test.each<[string, JsonSchema, readonly unknown[], boolean]>([
    ["places", { prefixItems: [true, true] }, [1, 2], true],
    ["places within", { allOf: [{ prefixItems: [true] }] }, [1, 2], false],
    ["items within", { anyOf: [{ items: { type: "number" } }] }, [1, 2], true],
    ["what contains matched", { contains: { type: "number" } }, [1, 2], true],
    ["what contains did not match", { contains: { type: "number" } }, [1, "a"], false],
    [
      "what contains matched in an earlier draft",
      { $schema: "https://json-schema.org/draft/2019-09/schema", contains: { type: "number" } },
      [1, 2],
      false,
    ],
  ])("knows the items that are evaluated: %s", (_, schema, value, expected) => {
    expect(fits({ ...schema, unevaluatedItems: false }, value)).toBe(expected);
  });

  test.each([
    [0.3, 0.1, true],
    [0.35, 0.1, false],
    [1e-7, 1e-8, true],
    [1e308, 0.5, true],
    [1e308, 0.123_456_789, false],
    [-4.5, 1.5, true],
    [0, 0.01, true],
    [19.99, 0.01, true],
  ])("takes %d for a multiple of %d: %s", (value, multipleOf, expected) => {
    expect(fits({ type: "number", multipleOf }, value)).toBe(expected);
  });

  test("collects a hundred faults and counts the others", () => {
    const schema = { type: "object", properties: { a: { type: "array", items: { type: "string" } } } };
    const check = compileRawJsonSchema(schema, "p").validate({ a: Array.from({ length: 200_000 }, (_, at) => at) });
    expect(check).toMatchObject({ others: 199_900 });
    expect("issues" in check && check.issues?.at(-1)).toEqual({ path: ["a", 99], message: "expected string" });
  });
});

/** Schemas of which each leads twice to the next one, so that a value would be checked in 2 ** 60 ways. */
function doubling(step: (next: object) => JsonSchema, last: JsonSchema): JsonSchema {
  const $defs: Record<string, JsonSchema> = { d60: last };
  for (let at = 59; at >= 0; at -= 1) $defs[`d${at}`] = step({ $ref: `#/$defs/d${at + 1}` });
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" }, b: { $ref: "#/$defs/d0" } }, $defs };
}

const DEEP = JSON.parse(`${'{"a":'.repeat(60)}5${"}".repeat(60)}`) as unknown;

describe("a schema to which several references lead", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["allOf", doubling((next) => ({ allOf: [next, next] }), { type: "string" }), { a: "x" }, { a: 5 }],
    ["anyOf", doubling((next) => ({ anyOf: [next, next] }), { type: "string" }), { a: "x" }, { a: 5 }],
    ["oneOf", doubling((next) => ({ oneOf: [next, next] }), { type: "string" }), {}, { a: 5 }],
    ["if", doubling((next) => ({ if: next, then: next, else: next }), { type: "string" }), { a: "x" }, { a: 5 }],
    [
      "fields",
      doubling((next) => ({ allOf: [next, { properties: { x: next } }] }), { type: "object" }),
      { a: {} },
      { a: 1 },
    ],
    [
      "its own fields",
      { type: "object", allOf: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }] },
      JSON.parse(JSON.stringify(DEEP).replace("5", "{}")) as unknown,
      DEEP,
    ],
    [
      "unevaluatedProperties",
      {
        ...doubling((next) => ({ allOf: [next, next] }), { properties: { x: true } }),
        properties: { a: { $ref: "#/$defs/d0", unevaluatedProperties: false } },
      },
      { a: { x: 1 } },
      { a: { y: 1 } },
    ],
  ])("is checked once for a value, by %s", (_keyword, schema, fitting, other) => {
    expect([fits(schema, fitting), fits(schema, other)]).toEqual([true, false]);
  });

  test("has its faults told at each place, once", () => {
    const schema = doubling((next) => ({ allOf: [next, next] }), { type: "string" });
    const checked = compileRawJsonSchema(schema, "parameters").validate({ a: 5, b: 5 });
    expect(checked).toMatchObject({ issues: [{ path: ["a"] }, { path: ["b"] }], others: 0 });
    const names = { propertyNames: { $ref: "#/$defs/d0" }, properties: {}, $defs: { d0: { maxLength: 1 } } };
    const twice = compileRawJsonSchema({ ...names, allOf: [{ $ref: "#/$defs/d0" }] }, "p").validate({ aa: 1, bb: 1 });
    expect("issues" in twice && twice.issues).toHaveLength(2);
  });
});
