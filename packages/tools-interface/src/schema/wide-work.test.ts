import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { defineTool, type AnyTool } from "../index.ts";
import { counted, expectLinear } from "./__fixtures__/linear-work.ts";

type Fields = Record<string, unknown>;

/** The kinds of schemas of one library. */
interface Kinds {
  readonly text: unknown;
  readonly number: unknown;
  readonly optional: (inner: unknown) => unknown;
  readonly object: (fields: Fields) => unknown;
  readonly strict: (fields: Fields) => unknown;
  readonly list: (item: unknown) => unknown;
  readonly tuple: (items: unknown[]) => unknown;
  readonly record: (value: unknown) => unknown;
  readonly union: (options: unknown[]) => unknown;
  readonly tagged: (options: unknown[]) => unknown;
  readonly both: (one: unknown, other: unknown) => unknown;
  readonly listed: (texts: string[]) => unknown;
  readonly constant: (text: string) => unknown;
  readonly root?: (schema: unknown) => unknown;
}

const OPTIONAL = Symbol("optional");
const rawObject = (properties: Fields): Fields => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object))),
});

/** The libraries take their own schemas alone, which `Kinds` does not distinguish. */
const LIBRARIES = {
  "Zod 4": {
    text: z.string(),
    number: z.number(),
    optional: z.optional,
    object: z.object,
    strict: z.strictObject,
    list: z.array,
    tuple: z.tuple,
    record: (value: z.ZodType) => z.record(z.string(), value),
    union: z.union,
    tagged: (options: unknown) => z.discriminatedUnion("kind", options as never),
    both: z.intersection,
    listed: z.enum,
    constant: z.literal,
  },
  "Zod 3": {
    text: z3.string(),
    number: z3.number(),
    optional: (inner: z3.ZodTypeAny) => inner.optional(),
    object: z3.object,
    strict: (shape: z3.ZodRawShape) => z3.strictObject(shape),
    list: z3.array,
    tuple: z3.tuple,
    record: z3.record,
    union: z3.union,
    tagged: (options: unknown) => z3.discriminatedUnion("kind", options as never),
    both: z3.intersection,
    listed: z3.enum,
    constant: z3.literal,
  },
  "Standard Schema": {
    text: v.string(),
    number: v.number(),
    optional: v.optional,
    object: v.object,
    strict: v.strictObject,
    list: v.array,
    tuple: v.tuple,
    record: (value: v.GenericSchema) => v.record(v.string(), value),
    union: v.union,
    tagged: (options: unknown) => v.variant("kind", options as never),
    both: (one: unknown, other: unknown) => v.intersect([one, other] as never),
    listed: v.picklist,
    constant: v.literal,
    root: toStandardJsonSchema,
  },
  "JSON Schema": {
    text: { type: "string" },
    number: { type: "number" },
    optional: (inner: object) => ({ ...inner, [OPTIONAL]: true }),
    object: rawObject,
    strict: (properties: Fields) => ({ ...rawObject(properties), additionalProperties: false }),
    list: (items: unknown) => ({ type: "array", items }),
    tuple: (prefixItems: unknown) => ({ type: "array", prefixItems, items: false }),
    record: (value: unknown) => ({ type: "object", additionalProperties: value }),
    union: (anyOf: unknown) => ({ anyOf }),
    tagged: (oneOf: unknown) => ({ oneOf }),
    both: (one: unknown, other: unknown) => ({ allOf: [one, other] }),
    listed: (texts: unknown) => ({ enum: texts }),
    constant: (text: unknown) => ({ const: text }),
  },
} as Readonly<Record<string, unknown>> as Readonly<Record<string, Kinds>>;

const times = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));
const fields = (size: number, make: (at: number) => unknown, letter = "k"): Fields =>
  Object.fromEntries(times(size, (at) => [`${letter}${at}`, make(at)]));

const ITEMS: Readonly<Record<string, unknown>> = {
  fits: { path: "a" },
  "is wrong": { path: 1, mode: 2 },
  "has an unknown field": { path: "a", more: 1 },
  "has a field in another case": { Path: "a" },
  "has a misspelt field": { file_path: "a", modes: "b" },
  "is a text": '{"path":"a"}',
  "is null": null,
};

/** Schemas that grow with the size, or whose values do, and such values. */
const WIDE: Readonly<
  Record<string, (kinds: Kinds, size: number) => readonly [unknown, Readonly<Record<string, unknown>>]>
> = {
  "a list of objects": ({ list, object, text, optional }, size) => [
    list(object({ path: text, mode: optional(text) })),
    Object.fromEntries(Object.entries(ITEMS).map(([name, item]) => [name, times(size, () => structuredClone(item))])),
  ],
  "a list of strict objects": ({ list, strict, text, optional }, size) => [
    list(strict({ path: text, mode: optional(text) })),
    Object.fromEntries(Object.entries(ITEMS).map(([name, item]) => [name, times(size, () => structuredClone(item))])),
  ],
  "lists in a list": ({ list, number }, size) => [
    list(list(number)),
    { fits: times(size, () => [1, 2]), "is text": times(size, () => ["1"]), "is wrong": times(size, () => ["x", 1]) },
  ],
  "a record": ({ record, number }, size) => [
    record(number),
    { fits: fields(size, () => 1), "is text": fields(size, () => "1"), "is wrong": fields(size, () => "x") },
  ],
  "fields of an object": ({ object, number }, size) => [
    object(fields(size, () => number)),
    {
      fits: fields(size, () => 1),
      "is text": fields(size, () => "1"),
      "is wrong": fields(size, () => "x"),
      "is in another case": fields(size, () => 1, "K"),
      "is another object": fields(size, () => 1, "other"),
      "has more fields": { ...fields(size, () => 1), ...fields(size, () => 1, "other") },
    },
  ],
  "a tuple": ({ tuple, number }, size) => [
    tuple(times(size, () => number)),
    { fits: times(size, () => 1), "is wrong": times(size, () => "x"), "is longer": times(size * 2, () => 1) },
  ],
  "two objects at once": ({ both, object, number }, size) => [
    both(object(fields(size, () => number)), object(fields(size, () => number, "j"))),
    { fits: { ...fields(size, () => 1), ...fields(size, () => 1, "j") }, "is half of it": fields(size, () => 1) },
  ],
  "a list of tagged objects": ({ list, tagged, object, constant, number }, size) => [
    list(tagged(times(4, (at) => object({ kind: constant(`k${at}`), a: number })))),
    {
      fits: times(size, () => ({ kind: "k3", a: 1 })),
      "is wrong": times(size, () => ({ kind: "k3", a: "x" })),
      "is of no kind": times(size, () => ({ kind: "other", a: 1 })),
      "has an unknown field": times(size, () => ({ kind: "k3", a: 1, b: 1 })),
    },
  ],
  "a list of a union": ({ list, union, object, number }, size) => [
    list(union([number, object({ left: number }), object({ left: number, right: number })])),
    {
      fits: times(size, (at) => [1, { left: 1 }, { left: 1, right: 1 }][at % 3]),
      "is wrong": times(size, () => ({ left: "x" })),
      "has an unknown field": times(size, () => ({ left: 1, other: 1 })),
    },
  ],
  "one of many objects": ({ union, object, number }, size) => [
    union(times(size, (at) => object({ [`k${at}`]: number }))),
    { fits: { [`k${size - 1}`]: 1 }, "is wrong": { [`k${size - 1}`]: "x" }, "is none": { other: 1 } },
  ],
  "one of many tagged objects": ({ tagged, object, constant, number }, size) => [
    tagged(times(size, (at) => object({ kind: constant(`k${at}`), a: number }))),
    { fits: { kind: `k${size - 1}`, a: 1 }, "is wrong": { kind: `k${size - 1}`, a: "x" }, "is none": { kind: "x" } },
  ],
  "a list of long enums": ({ list, listed }, size) => [
    list(listed(times(size, (at) => `value_${at}`))),
    { fits: times(size, (at) => `value_${at}`), "is in another case": times(size, (at) => `Value_${at}`) },
  ],
};

/** Above the number of issues that are explained, and of fields that are compared: their work is bounded by that. */
const SMALLEST = 128;

describe.each(Object.entries(LIBRARIES))("%s: a call costs twice as much for twice the width", (_, kinds) => {
  test.each(Object.entries(WIDE))("%s", async (_name, make) => {
    const names = Object.keys(make(kinds, 1)[1]);
    for (const repair of ["safe", "lenient"] as const) {
      for (const name of names) {
        await expectLinear(async (size) => {
          const [schema, values] = make(kinds, size);
          const root = kinds.object({ e: schema });
          const tool: AnyTool = defineTool({
            name: "probe",
            description: "P.",
            parameters: (kinds.root?.(root) ?? root) as never,
            repair,
            execute: () => "ran",
          });
          const params = counted({ e: values[name] });
          await tool.call(params.value);
          return params.looks();
        }, SMALLEST);
      }
    }
  });
});
