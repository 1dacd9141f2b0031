import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { type AnyTool, defineTool } from "../index.ts";
import type { JsonSchema } from "../json/json.ts";
import { describeExpected } from "../repair/describe-expected.ts";
import { exampleOf } from "../repair/example-params.ts";
import { diagnoseParams, explainDiagnosis } from "../repair/explain-issues.ts";
import { rootLocation } from "../repair/instance-location.ts";
import { proposeRenames } from "../repair/rename-fields.ts";
import { readToolText } from "../search/word-postings.ts";
import { SchemaTypes } from "../stubs/schema-types.ts";
import { a, chain, counted, expectLinear, nested, rawAst, rawOf, STEPS } from "./__fixtures__/linear-work.ts";
import { compileRawJsonSchema } from "./raw-json-schema.ts";
import { alternatives } from "./schema-node.ts";
import { ignoredFields, namesFields } from "./unknown-fields.ts";

const binary = (left: unknown) => ({ op: "+", left, right: 1 });
const unary = (left: unknown) => ({ op: "-", left });
const op = { type: "string" };
const e = { $ref: "#/$defs/e" };

const zodAst: z.ZodType = z.lazy(() =>
  z.union([
    z.number(),
    z.object({ op: z.string(), left: zodAst }),
    z.object({ op: z.string(), left: zodAst, right: zodAst }),
  ]),
);
const zodKinds: z.ZodType = z.lazy(() =>
  z.union([
    z.number(),
    z.discriminatedUnion("op", [
      z.object({ op: z.literal("-"), left: zodKinds }),
      z.object({ op: z.literal("+"), left: zodKinds, right: zodKinds }),
    ]),
  ]),
);
const zodRecord: z.ZodType = z.lazy(() => z.union([z.number(), z.record(z.string(), zodRecord)]));
const zodTuple: z.ZodType = z.lazy(() => z.union([z.number(), z.tuple([zodTuple, zodTuple])]));
const zodList: z.ZodType = z.lazy(() =>
  z.union([z.number(), z.array(zodList), z.object({ op: z.string().optional(), left: zodList.optional() })]),
);
const zod3Ast: z3.ZodTypeAny = z3.lazy(() =>
  z3.union([
    z3.number(),
    z3.object({ op: z3.string(), left: zod3Ast }),
    z3.object({ op: z3.string(), left: zod3Ast, right: zod3Ast }),
  ]),
);
const zod3Record: z3.ZodTypeAny = z3.lazy(() => z3.union([z3.number(), z3.record(z3.string(), zod3Record)]));
const valibotAst: v.GenericSchema = v.lazy(() =>
  v.union([
    v.number(),
    v.object({ op: v.string(), left: valibotAst }),
    v.object({ op: v.string(), left: valibotAst, right: valibotAst }),
  ]),
);
const rawFields = (keyword: string): JsonSchema => ({
  type: ["object", "number"],
  [keyword]: [{ properties: { op, left: e } }, { properties: { left: e, right: e } }],
});

const SCHEMAS: readonly (readonly [name: string, parameters: unknown, wrap: (inner: unknown) => unknown])[] = [
  ["Zod 4, branches that overlap", z.object({ e: zodAst }), binary],
  ["Zod 4, branches that overlap, the shorter one", z.object({ e: zodAst }), unary],
  ["Zod 4, branches told apart by a field", z.object({ e: zodKinds }), binary],
  ["Zod 4, records", z.object({ e: zodRecord }), (inner) => ({ a: inner })],
  ["Zod 4, tuples", z.object({ e: zodTuple }), (inner) => [inner, 1]],
  ["Zod 4, lists and objects", z.object({ e: zodList }), (inner) => [{ left: inner }]],
  ["Zod 4, loose objects", z.looseObject({ e: zodAst }), binary],
  ["Zod 3, branches that overlap", z3.object({ e: zod3Ast }), binary],
  ["Zod 3, records", z3.object({ e: zod3Record }), (inner) => ({ a: inner })],
  ["Standard Schema, branches that overlap", toStandardJsonSchema(v.object({ e: valibotAst })), binary],
  ["JSON Schema, branches that overlap", rawOf(rawAst), binary],
  ["JSON Schema, exactly one of the branches", rawOf({ oneOf: rawAst.anyOf }), unary],
  ["JSON Schema, allOf", rawOf(rawFields("allOf")), binary],
  ["JSON Schema, anyOf", rawOf(rawFields("anyOf")), binary],
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  ["JSON Schema, if", rawOf({ if: { properties: { left: e } }, then: { properties: { left: e } } }), unary],
  [
    "JSON Schema, one reference and unevaluatedProperties",
    rawOf({ type: ["object", "number"], anyOf: [{ properties: { op, left: e } }], unevaluatedProperties: false }),
    unary,
  ],
  [
    "JSON Schema, unevaluatedItems and contains",
    rawOf({ type: ["array", "number"], contains: e, unevaluatedItems: false }),
    (inner) => [inner],
  ],
  [
    "JSON Schema, a reference to a part that stands in its place too",
    { type: "object", allOf: [{ properties: { e: { $ref: "#" }, left: { $ref: "#" } } }, { $ref: "#/allOf/0" }] },
    unary,
  ],
];

function toolOf(parameters: unknown, repair: "safe" | "lenient" | "off"): AnyTool {
  return defineTool({
    name: "probe",
    description: "P.",
    parameters: parameters as never,
    repair,
    execute: () => "ran",
  });
}

describe("a call costs twice as much for a value nested twice as deep", () => {
  const costOf = (tool: AnyTool, value: (depth: number) => unknown) => async (depth: number) => {
    const params = counted({ e: value(depth) });
    await tool.call(params.value);
    return params.looks();
  };

  test.each(SCHEMAS)("%s", async (name, parameters, wrap) => {
    const leaf = name.includes("stands in its place") ? {} : 1;
    for (const repair of ["safe", "lenient", "off"] as const) {
      const tool = toolOf(parameters, repair);
      // The parameters that Zod takes for the shorter branch lose a field, which a tool without repair refuses.
      if (repair === "safe") expect(String(await tool.call({ e: nested(64, wrap, leaf) }))).toMatch(/^ran/);
      await expectLinear(costOf(tool, (depth) => nested(depth, wrap, leaf)));
      // Zod 3 and Valibot try each branch for a wrong value, all the way down.
      if (/Zod 3, branches|Standard/.test(name)) continue;
      await expectLinear(costOf(tool, (depth) => nested(depth, wrap, "wrong")));
      await expectLinear(costOf(tool, (depth) => nested(depth, wrap, { op: "+", left: 1, unknown: 1 })));
      await expectLinear(costOf(tool, (depth) => nested(depth, wrap, { Op: "+", LEFT: 1 })));
    }
  });
});

describe("what follows a library's own check", () => {
  const root = rawOf(rawAst);

  test.each<[string, (params: unknown) => unknown]>([
    ["names of fields", (params) => namesFields(root)(params)],
    ["ignored fields", (params) => ignoredFields(params, structuredClone({ e: 1 }), root)],
    ["renames", (params) => proposeRenames(rootLocation(params, root), root)],
    [
      "a diagnosis",
      (params) => explainDiagnosis(diagnoseParams(params, { issues: [{ path: ["e"], message: "wrong" }] }, root), root),
    ],
  ])("finds %s by looking at each part so often", async (_, work) => {
    for (const leaf of [1, "wrong", { op: "+", left: 1, other: 1 }]) {
      await expectLinear((depth) => {
        const params = counted({ e: nested(depth, binary, leaf) });
        work(params.value);
        return params.looks();
      });
    }
  });

  test("finds the place of an issue at any depth", async () => {
    await expectLinear((depth) => {
      const params = counted({ e: nested(depth, unary, "wrong") });
      const path = ["e", ...Array.from({ length: depth }, () => "left")];
      const diagnosis = diagnoseParams(params.value, { issues: [{ path, message: "wrong" }] }, root);
      expect(diagnosis.problems[0]?.location.allowed).toHaveLength(3);
      return params.looks();
    });
  });
});

const SCHEMA_WALKS: readonly (readonly [string, (schema: JsonSchema) => unknown])[] = [
  ["alternatives", (schema) => alternatives(a(schema), schema)],
  ["names of fields", (schema) => namesFields(schema)({ a: {} })],
  ["ignored fields", (schema) => ignoredFields({ a: { a: {} } }, { a: {} }, schema)],
  ["an example", (schema) => exampleOf(schema)],
  ["a description", (schema) => describeExpected(alternatives(a(schema), schema), schema)],
  ["words to search for", (schema) => readToolText({ name: "a", description: "b", parameters: schema })],
  ["stubs", (schema) => new SchemaTypes(schema, (name) => name.slice(8)).aliases.length],
];

describe("a schema whose definitions lead several times to the next one", () => {
  describe.each(STEPS)("by %s", (_, step) => {
    test.each(SCHEMA_WALKS)("is read once for %s", async (_walk, work) => {
      await expectLinear((length) => {
        const schema = counted(chain(length, step));
        work(schema.value);
        return schema.looks();
      }, 8);
    });

    test("checks a value once", () => {
      const { validate } = compileRawJsonSchema(chain(60, step), "parameters");
      const deep = counted({ a: nested(60, (inner) => [inner], { a: 1 }) });
      void validate(deep.value);
      expect(deep.looks()).toBeLessThan(20_000);
    });
  });
});

describe("a call with very many wrong values", () => {
  const values = Array.from({ length: 1_000 }, (_, at) => `value_${at}`);

  test.each<[string, (error: () => string) => z.ZodType]>([
    ["an enum", (error) => z.enum(values as [string], { error })],
    [
      "a union of literals",
      (error) => z.union(values.slice(0, 50).map((value) => z.literal(value)) as never, { error }),
    ],
    [
      "a discriminated union",
      (error) =>
        z.discriminatedUnion("kind", values.map((value) => z.object({ kind: z.literal(value) })) as never, { error }),
    ],
    ["an asynchronous check", (error) => z.string().refine(async () => false, { error })],
  ])("has Zod word as many of them as are listed: %s", async (_, item) => {
    let worded = 0;
    const one = item(() => `wrong ${(worded += 1)}`);
    const wrong = _.startsWith("a disc") ? { kind: "none" } : "none";
    const tool = toolOf(z.object({ list: z.array(one) }), "safe");
    const result = await tool.call({ list: Array.from({ length: 10_000 }, () => wrong) });
    expect(result).toMatchObject({ code: "invalid_params", issues: { length: 100 } });
    expect(String(result)).toMatch(/and \d{4} more/);
    expect(worded).toBeLessThanOrEqual(300);
  });
});

describe("a call with very many fields that no schema names", () => {
  const SIZES = [1_000, 2_000] as const;
  const names = Array.from({ length: 30 }, (_, at) => `field${at}`);
  const shape = Object.fromEntries(names.map((name) => [name, { type: "string" }]));

  test.each<[string, unknown]>([
    ["z.object", z.object({ path: z.string() })],
    ["z.strictObject", z.strictObject({ path: z.string() })],
    ["a union", z.object({ path: z.string() }).or(z.object({ url: z.string() }))],
    ["Zod 3", z3.object({ path: z3.string() })],
    ["Valibot", toStandardJsonSchema(v.object({ path: v.string() }))],
    ["JSON Schema", { type: "object", properties: { path: { type: "string" } }, additionalProperties: false }],
    ["many missing fields", { type: "object", properties: shape, required: names }],
  ])("looks at each a few times: %s", async (name, schema) => {
    const parameters = name === "a union" ? z.object({ e: schema as z.ZodType }) : schema;
    for (const repair of ["safe", "lenient", "off"] as const) {
      const tool = toolOf(parameters, repair);
      const looks = await Promise.all(
        SIZES.map(async (size) => {
          const fields = { path: "a", ...Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, at])) };
          const params = counted(name === "a union" ? { e: fields } : fields);
          await tool.call(params.value);
          return params.looks();
        }),
      );
      const [some = 0, twice = 0] = looks;
      expect(some).toBeLessThan(SIZES[0] * 40);
      expect(twice).toBeLessThan(some * 2.2);
    }
  });

  test("leaves out more of them than a function takes arguments", async () => {
    const fields = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at]));
    const result = await toolOf(z.strictObject({ path: z.string() }), "lenient").call({ path: "a", ...fields });
    expect(result).toMatchObject({ success: true, ignored: { length: 200_000 } });
  });
});
