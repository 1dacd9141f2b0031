import type { JsonSchema } from "../../json/json.ts";

const nested = (depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema =>
  depth === 0 ? { type: "string" } : wrap(nested(depth - 1, wrap));
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });
const a = object({ a: { type: "string" } });
const b = object({ b: { type: "number" } }, { required: ["b"] });
const many = Array.from({ length: 2_000 }, (_, index) => `value ${index}`);
const pairOf = (index: number): JsonSchema => ({
  anyOf: [object({ [`x${index}`]: { type: "string" } }), object({ [`y${index}`]: { type: "number" } })],
});
const ownKey = (key: string, value: unknown): JsonSchema => Object.fromEntries([[key, value]]);

/** Text that tries to leave a comment, to start a tag, a directive or a line of its own, or to hide. */
export const HOSTILE_TEXTS: readonly string[] = [
  "ends */ function evil() { return 1 } /* \u2028 evil2() //",
  "*/",
  "**/",
  "*\u0000/ evil()",
  "*\u202e/ evil()",
  "/* nested /** deeper */",
  "\u2028evil()\u2029evil()",
  "first\r\nsecond\rthird\u0085fourth",
  "@deprecated",
  "@ts-expect-error",
  "@ts-ignore\n@ts-expect-error",
  "  @ts-expect-error",
  "* @ts-expect-error",
  "*@ts-expect-error",
  "/@ts-expect-error",
  "//@ts-expect-error",
  "text\n * @ts-expect-error",
  "text\n\t@ts-expect-error */",
  "@param params {never} nothing\n@template T\n@type {string}",
  "`${evil()}`",
  "</script><!-- --> #!/usr/bin/env node",
  "// @ts-nocheck",
  "\u0000\u0007\u001b[31mred\u007f",
  "\ud800 alone \udc00",
  "\ufeff\u200e\u202e gnirts",
  "",
  " \n\t\u2028 ",
  "\\",
  "\\u002a\\u002f",
  "x".repeat(20_000),
  "{@link evil}",
];

/** Schemas that are odd, wrong, or made to break what prints them; some no tool can be defined with. */
export const HOSTILE_SCHEMAS: Readonly<Record<string, { readonly schema: unknown; readonly defs?: JsonSchema }>> = {
  "mutual recursion": {
    schema: { $ref: "#/$defs/a" },
    defs: { a: object({ b: { $ref: "#/$defs/b" } }), b: { type: "array", items: { $ref: "#/$defs/a" } } },
  },
  "recursion to the root": { schema: { type: "array", items: { $ref: "#" } } },
  "circle of references": {
    schema: { $ref: "#/$defs/a" },
    defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/c" }, c: { $ref: "#/$defs/a" } },
  },
  "circle through unions": {
    schema: { allOf: [{ $ref: "#/$defs/a" }, a] },
    defs: {
      a: { anyOf: [{ $ref: "#/$defs/b" }, { type: "string" }] },
      b: { anyOf: [object({ p: { $ref: "#/$defs/a" } }), { $ref: "#/$defs/a" }] },
    },
  },
  "recursion in a map": {
    schema: { $ref: "#/$defs/m" },
    defs: { m: { type: "object", additionalProperties: { $ref: "#/$defs/m" } } },
  },
  "recursion in a tuple": {
    schema: { $ref: "#/$defs/t" },
    defs: { t: { type: "array", prefixItems: [{ type: "string" }, { $ref: "#/$defs/t" }], items: false } },
  },
  "recursion in its own rest": {
    schema: { $ref: "#/$defs/t" },
    defs: { t: { prefixItems: [{ type: "string" }], items: { $ref: "#/$defs/t" }, type: ["array", "null"] } },
  },
  "recursion in an intersection": {
    schema: { $ref: "#/$defs/t" },
    defs: { t: { allOf: [a, object({ next: { allOf: [{ $ref: "#/$defs/t" }, b] } })] } },
  },
  "a chain of definitions": {
    schema: { $ref: "#/$defs/d0" },
    defs: Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
    ),
  },
  "a tree of definitions": {
    schema: { $ref: "#/$defs/d0" },
    defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, { allOf: [{ anyOf: [next, a] }, { anyOf: [b, next] }] }];
      }),
    ),
  },
  "definitions that look alike": {
    schema: {
      anyOf: ["a-b", "a_b", "A b", "", "9", "Ünïcode", "a~1b", "a%20b"].map((n) => ({ $ref: `#/$defs/${n}` })),
    },
    defs: Object.fromEntries(["a-b", "a_b", "A b", "", "9", "Ünïcode", "a/b", "a b"].map((name) => [name, a])),
  },
  "reference nowhere": { schema: { $ref: "#/$defs/missing" } },
  "reference abroad": { schema: { $ref: "https://example.com/x" } },
  "reference that does not decode": { schema: { $ref: "#/$defs/%zz" } },
  "reference that is no text": { schema: { $ref: 5 } },
  "reference to an inherited key": { schema: { $ref: "#/constructor/prototype" } },
  "reference inside a resource": {
    schema: { $id: "https://example.com/y", items: { $ref: "#/$defs/a" } },
    defs: { a },
  },
  "reference beside fields": { schema: { $ref: "#/$defs/a", ...b }, defs: { a } },
  "product of unions": { schema: { allOf: Array.from({ length: 24 }, (_, index) => pairOf(index)) } },
  "product of references": {
    schema: { allOf: Array.from({ length: 24 }, (_, index) => ({ $ref: `#/$defs/p${index}` })) },
    defs: Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`p${index}`, pairOf(index)])),
  },
  "product of untyped": {
    schema: { allOf: Array.from({ length: 24 }, (_, index) => ({ properties: { [`x${index}`]: a } })) },
  },
  "product of enums": {
    schema: { allOf: [{ enum: many }, { enum: many.toReversed() }, { anyOf: [{ enum: many }, a] }] },
  },
  "huge enum": { schema: { enum: many } },
  "huge union": { schema: { anyOf: many.slice(0, 1_000).map((name) => object({ [name]: a })) } },
  "huge tuple": { schema: { type: "array", prefixItems: many.map(() => a) } },
  "deep objects": { schema: nested(120, (inner) => object({ a: inner })) },
  "deep arrays": { schema: nested(120, (inner) => ({ type: "array", items: inner })) },
  "deep unions": { schema: nested(120, (inner) => ({ anyOf: [inner, { type: "null" }] })) },
  "deep intersections": { schema: nested(120, (inner) => ({ allOf: [inner, a] })) },
  "deep rest": { schema: nested(60, (inner) => object({ a: inner }, { additionalProperties: { type: "number" } })) },
  "deep constant": { schema: { const: JSON.parse(`${"[".repeat(150)}${"]".repeat(150)}`) } },
  "empty enum": { schema: { enum: [] } },
  "enum of everything": { schema: { enum: [1, "two", null, { deep: [true, {}] }, -0.5, 1e300, -0, [], {}] } },
  "hostile literals": { schema: { enum: HOSTILE_TEXTS.slice(0, -2) } },
  "hostile keys": { schema: object(Object.fromEntries(HOSTILE_TEXTS.map((key) => [key, { type: "string" }]))) },
  "hostile keys required": { schema: { type: "object", required: [...HOSTILE_TEXTS] } },
  "hostile values noted": {
    schema: object({
      a: { type: "string", default: "*/ evil()", pattern: "*/", format: "*/\n@ts-expect-error", contentEncoding: {} },
      b: { type: "number", minimum: "*/", default: { "*/": ["\u2028"] } },
      c: { anyOf: [{ type: "string", description: "*/", format: "*/" }, { type: "null" }] },
    }),
  },
  "words as keys": {
    schema: object(
      Object.fromEntries(
        "new get set static readonly async class constructor prototype default 1 01 1.5 -1 a-b a.b $ _ ünï toString valueOf"
          .split(" ")
          .map((key) => [key, { type: "string" }]),
      ),
    ),
  },
  "own prototype": {
    schema: { type: "object", properties: ownKey("__proto__", { type: "string" }), required: ["__proto__"] },
  },
  "own prototype as a value": { schema: { const: ownKey("__proto__", 1) } },
  "rest beside optional fields": { schema: { ...a, additionalProperties: { type: "number" } } },
  "rest and patterns": { schema: { ...b, patternProperties: { "^x": a }, additionalProperties: { type: "null" } } },
  "closed patterns": { schema: { type: "object", patternProperties: { "^x": a }, additionalProperties: false } },
  "no names at all": { schema: { type: "object", propertyNames: { enum: [] } } },
  "names and fields": { schema: { ...a, propertyNames: { enum: ["a", "b"] } } },
  "names false": { schema: { type: "object", propertyNames: false } },
  "optional after required": {
    schema: { type: "array", prefixItems: [a, b, a], minItems: 2, items: { type: "null" } },
  },
  "more than there are": { schema: { type: "array", prefixItems: [a], minItems: 9, maxItems: 2 } },
  "both tuples": { schema: { type: "array", prefixItems: [a], items: [b, a], additionalItems: false } },
  "none but the first": { schema: { type: "array", prefixItems: [a, b], maxItems: 1 } },
  "empty tuple": { schema: { type: "array", prefixItems: [], items: false } },
  "items false": { schema: { type: "array", items: false } },
  "sizes that are none": { schema: { type: "array", prefixItems: [a], minItems: -1, maxItems: 0.5 } },
  "all kinds": { schema: { type: ["object", "array", "string", "number", "integer", "boolean", "null"] } },
  "kinds with fields": { schema: { ...a, type: ["null", "object", "array"], items: b } },
  "kinds that exclude each other": { schema: { type: "string", allOf: [{ type: "number" }] } },
  "no kind": { schema: { type: [] } },
  "unknown kind": { schema: { type: "wat" } },
  "unknown keywords": { schema: { type: "string", "x-odd": [{}], "*/": "*/", $comment: "*/" } },
  conditions: { schema: { ...a, if: a, ...ownKey("then", b), else: { properties: { c: true } } } },
  dependencies: { schema: { ...a, dependentSchemas: { a: b }, dependentRequired: { a: ["z"] } } },
  unevaluated: { schema: { allOf: [a, b], unevaluatedProperties: false } },
  "unevaluated with a type": { schema: { ...a, unevaluatedProperties: { type: "number" } } },
  not: { schema: { not: { type: "string" } } },
  "nullable as OpenAPI says it": { schema: { type: "string", nullable: true } },
  true: { schema: true },
  false: { schema: false },
  "no schema": { schema: "*/" },
  "keywords of the wrong type": {
    schema: { type: "object", properties: "x", required: 5, additionalProperties: [], patternProperties: 1, enum: {} },
  },
  "lists of the wrong things": { schema: { allOf: [null, 5, []], anyOf: {}, oneOf: [], prefixItems: [null] } },
  exclusive: { schema: { oneOf: [a, b, { type: "array" }] } },
  "union beside fields": { schema: { ...a, anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
  "union with anything": { schema: { ...a, anyOf: [b, {}] } },
  "intersection with anything": { schema: { ...a, allOf: [true, {}, { description: "x" }, { type: "object" }] } },
};
