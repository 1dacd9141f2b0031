import { expect } from "vitest";
import type { JsonSchema } from "../../json/json.ts";

/** Work that doubles with each level ends here. */
const MAX_LOOKS = 5_000_000;

/** A value whose parts count how often they are looked at. */
export function counted<T>(value: T): { readonly value: T; readonly looks: () => number } {
  let looks = 0;
  const made = new WeakMap<object, object>();
  const look = (): void => {
    looks += 1;
    if (looks > MAX_LOOKS) throw new Error(`looked at more than ${MAX_LOOKS} times`);
  };
  const wrap = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    const known = made.get(part);
    if (known !== undefined) return known;
    const proxy = new Proxy(part, {
      get(target, key, receiver) {
        look();
        return wrap(Reflect.get(target, key, receiver));
      },
      ownKeys(target) {
        look();
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor(target, key) {
        look();
        const found = Reflect.getOwnPropertyDescriptor(target, key);
        if (found !== undefined && "value" in found) found.value = wrap(found.value);
        return found;
      },
    });
    made.set(part, proxy);
    return proxy;
  };
  return { value: wrap(value) as T, looks: () => looks };
}

/** Expects work that doubles with the size, as `work` counts it, and not with each level. */
export async function expectLinear(work: (size: number) => number | Promise<number>, smallest = 16): Promise<void> {
  // At first a compiled schema and the module of repairs are made.
  await work(2);
  const looks = [await work(smallest), await work(smallest * 2), await work(smallest * 4)] as const;
  expect(looks[1]).toBeLessThan(looks[0] * 2.5 + 1_000);
  expect(looks[2]).toBeLessThan(looks[1] * 2.5 + 1_000);
}

/** A value within as many others. */
export function nested(depth: number, wrap: (inner: unknown) => unknown, leaf: unknown): unknown {
  let value = leaf;
  for (let at = 0; at < depth; at += 1) value = wrap(value);
  return value;
}

const op = { type: "string" };
const e = { $ref: "#/$defs/e" };

/** Branches that overlap: an operator has one operand or two. */
export const rawAst = {
  anyOf: [
    { type: "number" },
    { type: "object", properties: { op, left: e }, required: ["op", "left"], additionalProperties: false },
    {
      type: "object",
      properties: { op, left: e, right: e },
      required: ["op", "left", "right"],
      additionalProperties: false,
    },
  ],
};

/** A schema whose field `e` refers to the node. */
export const rawOf = (node: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { e },
  required: ["e"],
  $defs: { e: node },
});

/** Definitions of which each refers to the next one in several ways. */
export function chain(length: number, step: (next: object) => JsonSchema): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`d${length}`]: { type: "string" } };
  for (let at = 0; at < length; at += 1) $defs[`d${at}`] = step({ $ref: `#/$defs/d${at + 1}` });
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs };
}

export const STEPS: readonly (readonly [string, (next: object) => JsonSchema])[] = [
  ["anyOf", (next) => ({ anyOf: [next, { ...next }, { ...next }] })],
  ["allOf", (next) => ({ allOf: [next, { ...next }, { ...next }] })],
  [
    "objects",
    (next) => ({ anyOf: ["x", "y", "z"].map((name) => ({ type: "object", properties: { [name]: next, a: next } })) }),
  ],
  [
    "lists",
    (next) => ({
      anyOf: [
        { type: "array", items: next },
        { type: "array", items: { ...next } },
      ],
    }),
  ],
  ["tuples", (next) => ({ type: "array", prefixItems: [next, { ...next }] })],
  ["records", (next) => ({ anyOf: [1, 2, 3].map(() => ({ type: "object", additionalProperties: { ...next } })) })],
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  ["conditions", (next) => ({ type: "object", if: { properties: { a: next } }, then: { properties: { a: next } } })],
];

/** The schema of the first field of a chain. */
export const a = (schema: JsonSchema): unknown => (schema["properties"] as JsonSchema)["a"];
