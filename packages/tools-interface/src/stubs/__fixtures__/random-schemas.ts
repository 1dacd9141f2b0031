import fc from "fast-check";
import type { JsonSchema } from "../../json/json.ts";

type Schemas = fc.Arbitrary<JsonSchema>;
const NAMES = ["a", "b", "odd-key", "class", "*/"] as const;
const name = fc.constantFrom<string>(...NAMES);
const literal = fc.constantFrom<unknown>("a", "b", "red", "*/", "\u2028", 0, 1, -0.5, 3, true, false, null);
const plain: Schemas = fc.oneof(
  fc.constantFrom("string", "number", "boolean", "null").map((type) => ({ type })),
  literal.map((value) => ({ const: value })),
  fc.uniqueArray(literal, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  fc.constantFrom<JsonSchema>({ const: { a: 1 } }, { const: {} }, { const: ["a", 1] }, { enum: [[]] }),
);
const kinds = fc
  .subarray(["string", "number", "boolean", "null"], { minLength: 1 })
  .map((type): JsonSchema => ({ type }));
const reference: Schemas = fc.constantFrom({ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }, { $ref: "#/$defs/tree" });
/** Recursive, through fields, items, a rest and a map. */
const tree: JsonSchema = {
  type: "object",
  properties: {
    a: { type: "string" },
    kids: { type: "array", items: { $ref: "#/$defs/tree" } },
    by: { type: "object", additionalProperties: { $ref: "#/$defs/tree" } },
    pair: { type: "array", prefixItems: [{ type: "string" }, { $ref: "#/$defs/tree" }], items: false, minItems: 1 },
  },
  required: ["a"],
};

interface Extras {
  readonly fields: JsonSchema;
  readonly needed: readonly string[];
  readonly more: JsonSchema;
}
const toObject = ({ fields, needed, more }: Extras): JsonSchema => ({
  type: "object",
  properties: fields,
  required: needed.filter((key) => Object.hasOwn(fields, key)),
  ...more,
});
const needed = fc.subarray<string>([...NAMES]);

function objects(node: Schemas, more: fc.Arbitrary<JsonSchema>): Schemas {
  return fc.record({ fields: fc.dictionary(name, node, { minKeys: 1, maxKeys: 3 }), needed, more }).map(toObject);
}

function tuples(node: Schemas): Schemas {
  const places = fc.array(node, { minLength: 1, maxLength: 3 });
  return fc
    .tuple(places, fc.nat(3), fc.oneof(fc.constantFrom(false, true, undefined), node))
    .chain(([some, least, rest]) => {
      const sized = { type: "array", minItems: Math.min(least, some.length) };
      const old = { ...sized, items: some, ...(rest !== undefined && { additionalItems: rest }) };
      return fc.constantFrom<JsonSchema>(
        { ...sized, prefixItems: some, ...(rest !== undefined && { items: rest }) },
        old,
      );
    });
}

/** Schemas whose every word TypeScript has too. */
const exact: Schemas = fc.letrec<{ node: JsonSchema; object: JsonSchema; array: JsonSchema }>((tie) => {
  const closed = objects(
    tie("node"),
    fc.constantFrom({}, { additionalProperties: false }, { additionalProperties: true }),
  );
  const records = tie("node").map((values): JsonSchema => ({ type: "object", additionalProperties: values }));
  const keyed = fc.tuple(tie("node"), needed).map(([values, keys]): JsonSchema => {
    const names = { enum: ["a", "b", "odd-key"] };
    return {
      type: "object",
      propertyNames: names,
      additionalProperties: values,
      required: keys.slice(0, 1).filter((key) => names.enum.includes(key)),
    };
  });
  const told = fc.array(objects(tie("node"), fc.constant({ additionalProperties: false })), {
    minLength: 2,
    maxLength: 3,
  });
  const unions = told.map((branches): JsonSchema => {
    return {
      anyOf: branches.map((branch, index) => ({
        ...branch,
        properties: { ...(branch["properties"] as object), kind: { const: `k${index}` } },
        required: [...(branch["required"] as string[]), "kind"],
      })),
    };
  });
  const mixed = fc.tuple(tie("object"), tie("array"), kinds, fc.boolean()).map(([object, array, scalars, isOne]) => {
    return { [isOne ? "oneOf" : "anyOf"]: [scalars, object, array] };
  });
  return {
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: "node" },
      plain,
      kinds,
      reference,
      tie("object"),
      tie("array"),
      unions,
      mixed,
      tie("node").map((one): JsonSchema => ({ anyOf: [one, { type: "null" }] })),
    ),
    object: fc.oneof({ depthIdentifier: "node" }, closed, records, keyed),
    array: fc.oneof(
      { depthIdentifier: "node" },
      tie("node").map((items): JsonSchema => ({ type: "array", items })),
      tuples(tie("node")),
    ),
  };
}).node;

/** Anything JSON Schema can say. */
const wide: Schemas = fc.letrec<{ node: JsonSchema; parts: JsonSchema[] }>((tie) => {
  const bounded = fc.constantFrom<JsonSchema>(
    { type: "string", minLength: 1, maxLength: 3, pattern: "^[a-z]" },
    { type: "string", format: "email" },
    { type: "integer", minimum: 1, maximum: 40, multipleOf: 3 },
    { type: "number", exclusiveMinimum: 0 },
    { not: { type: "string" } },
    { type: ["string", "array"], uniqueItems: true, maxItems: 2, contains: { type: "number" } },
    { minProperties: 1, propertyNames: { pattern: "^[a-z]" } },
    { type: "object" },
    { required: ["a"] },
    {},
  );
  const extras = fc.oneof(
    fc.constantFrom<JsonSchema>(
      {},
      { additionalProperties: false },
      { additionalProperties: true },
      { unevaluatedProperties: false },
    ),
    tie("node").map((one) => ({ additionalProperties: one })),
    tie("node").map((one) => ({ patternProperties: { "^x": one } })),
    tie("node").map((one) => ({ patternProperties: { "^x": one }, additionalProperties: false })),
    fc.tuple(tie("node"), tie("node"), tie("node")).map(([first, ...parts]) => {
      return Object.fromEntries([["if", first], ...["then", "else"].map((key, at) => [key, parts[at]] as const)]);
    }),
    tie("node").map((one) => ({ dependentSchemas: { a: one } })),
    tie("node").map((one) => ({ unevaluatedProperties: one })),
  );
  const inherited = fc.constantFrom("toString", "constructor", "1", "length", "a");
  const shapes = fc.oneof(
    objects(tie("node"), extras),
    tuples(tie("node")),
    tie("node").map((items): JsonSchema => ({ type: "array", items })),
    fc.tuple(inherited, tie("node")).map(([key, one]): JsonSchema => ({ type: "object", properties: { [key]: one } })),
  );
  const untyped = shapes.map(({ type: _, ...schema }): JsonSchema => schema);
  const composed = fc
    .tuple(fc.constantFrom("allOf", "anyOf", "oneOf"), tie("parts"))
    .map(([key, parts]): JsonSchema => ({ [key]: parts }));
  const beside = fc
    .tuple(fc.oneof(composed, reference), fc.oneof(shapes, untyped, bounded))
    .map(([one, other]) => ({ ...other, ...one }));
  return {
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: "node" },
      plain,
      bounded,
      kinds,
      reference,
      shapes,
      untyped,
      composed,
      beside,
    ),
    parts: fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
  };
}).node;

/** Parameters with one field of a random schema. */
function parametersOf(node: Schemas, defs: (name: string) => Schemas): Schemas {
  return fc.tuple(node, fc.boolean(), defs("a"), defs("b")).map(([value, isRequired, a, b]) => ({
    type: "object",
    properties: { value },
    required: isRequired ? ["value"] : [],
    $defs: { a, b, tree },
  }));
}

/** Parameters whose every word TypeScript has too. */
export const exactParameters: Schemas = parametersOf(exact, () => exact);

/** Parameters of any schema. */
export const wideParameters: Schemas = parametersOf(wide, () => wide);
