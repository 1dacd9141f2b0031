import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { resolvePointer } from "./map-schemas.ts";

/**
 * The values that a schema allows at one place, as a choice of plain schemas: no `$ref`, `anyOf`, `oneOf` or `allOf` at
 * their top.
 */
export type Alternatives = readonly JsonSchema[];

/** References and unions nested deeper than this are not followed. */
const MAX_DEPTH = 64;
/** More alternatives than this say nothing to anybody. */
const MAX_ALTERNATIVES = 64;
/** Nothing is known of the place. */
const UNKNOWN: Alternatives = Object.freeze([]);
const ANYTHING: Alternatives = Object.freeze([{}]);

const known = new WeakMap<object, Alternatives>();

/**
 * The alternatives of a schema node. The same node returns the same array, so that values derived from it can be
 * cached.
 */
export function alternatives(node: unknown, root: JsonSchema): Alternatives {
  return isJsonObject(node) ? expand(node, root, 0) : UNKNOWN;
}

/** A function of alternatives, and of the whole schema if need be, that works out its answer once for each. */
export function onceFor<Answer, Root extends readonly JsonSchema[]>(
  answer: (allowed: Alternatives, ...root: Root) => Answer,
): typeof answer {
  const answers = new WeakMap<Alternatives, { readonly answer: Answer }>();
  return (allowed, ...root) => {
    let found = answers.get(allowed);
    if (found === undefined) answers.set(allowed, (found = { answer: answer(allowed, ...root) }));
    return found.answer;
  };
}

/** The alternatives of several nodes, each once: those of a union often lead to the same schema below. */
export function alternativesOf(nodes: readonly unknown[], root: JsonSchema): Alternatives {
  return [...new Set(nodes.flatMap((node) => alternatives(node, root)))];
}

/** Each node is expanded once, however many references lead to it. */
function expand(node: unknown, root: JsonSchema, depth: number): Alternatives {
  if (!isJsonObject(node) || depth > MAX_DEPTH) return ANYTHING;
  const made = known.get(node);
  if (made !== undefined) return made;
  // For a schema that refers to itself and to nothing else.
  known.set(node, ANYTHING);
  const { $ref, allOf, anyOf, oneOf, ...own } = node;
  const parts: Alternatives[] = [];
  if (typeof $ref === "string") parts.push(expand(resolvePointer(root, $ref), root, depth + 1));
  for (const part of asArray(allOf)) parts.push(expand(part, root, depth + 1));
  for (const union of [anyOf, oneOf]) {
    if (Array.isArray(union)) parts.push([...new Set(union.flatMap((branch) => expand(branch, root, depth + 1)))]);
  }
  // A node that only combines others has their own schemas, not copies of them.
  if (Object.keys(own).length > 0 || parts.length === 0) parts.unshift([parts.length === 0 ? node : own]);
  const met = parts.reduce(meet);
  const found = met.length > MAX_ALTERNATIVES ? met.slice(0, MAX_ALTERNATIVES) : met;
  known.set(node, found);
  return found;
}

/** The alternatives of two schemas at once. */
function meet(all: Alternatives, others: Alternatives): Alternatives {
  const met: JsonSchema[] = [];
  for (const one of all) {
    for (const other of others) {
      if (met.length === MAX_ALTERNATIVES) return met;
      met.push(merge(one, other));
    }
  }
  return met;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Both schemas at once, as far as that can be said by putting their keywords together. */
function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...one, ...other };
  for (const keyword of ["properties", "patternProperties"]) {
    if (keyword in one && keyword in other)
      merged[keyword] = { ...(one[keyword] as object), ...(other[keyword] as object) };
  }
  if ("required" in one && "required" in other) {
    merged["required"] = [...new Set([...asArray(one["required"]), ...asArray(other["required"])])];
  }
  return merged;
}

/** The kinds of values in JSON Schema; integers are numbers. */
export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The kind of a value. `undefined` for values that JSON lacks. */
export function kindOf(value: unknown): Kind | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" || type === "object" ? type : undefined;
}

/** The kinds that a plain schema allows. `undefined` when it does not say. */
export function kindsOf(schema: JsonSchema): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type;
  const values = valuesOf(schema);
  return values?.map((value) => kindOf(value) ?? "undefined");
}

/** The only values that a plain schema allows. `undefined` when it does not list them. */
export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

/** True when a plain schema allows values of this kind. */
export function allowsKind(schema: JsonSchema, kind: Kind | undefined): boolean {
  const kinds = kindsOf(schema);
  if (kinds === undefined) return true;
  return kind !== undefined && (kinds.includes(kind) || (kind === "number" && kinds.includes("integer")));
}

/** The named fields of a plain schema. */
export function propertiesOf(schema: JsonSchema): { readonly [key: string]: unknown } {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
}

/** The names of the fields that plain schemas name. */
export const namesIn = onceFor(
  (allowed): ReadonlySet<string> => new Set(allowed.flatMap((one) => Object.keys(propertiesOf(one)))),
);

/** False when a field with an enumerated value has another value. */
export function matchesTags(schema: JsonSchema, value: unknown): boolean {
  if (!isJsonObject(value)) return true;
  return Object.entries(propertiesOf(schema)).every(([key, node]) => {
    const values = isJsonObject(node) ? valuesOf(node) : undefined;
    return values === undefined || !Object.hasOwn(value, key) || values.includes(value[key]);
  });
}

/** True when a plain schema requires the field. */
export function isRequired(schema: JsonSchema, key: string): boolean {
  return asArray(schema["required"]).includes(key);
}

/** The schema node for one item or field of a value. `undefined` when nothing is known of it. */
export function childNode(schema: JsonSchema, value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) {
    const { prefixItems, items, additionalItems } = schema;
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    return tuple[Number(key)] ?? (Array.isArray(items) ? additionalItems : items);
  }
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, key)) return properties[key];
  return "patternProperties" in schema ? undefined : schema["additionalProperties"];
}

/**
 * A plain schema's rule for fields that it does not name:
 *
 * - `closed`: it forbids them
 * - `unsaid`: it names its fields and has no rule for others, so JSON Schema allows them
 * - `free`: it is for objects and names no fields at all
 * - `open`: it allows them on purpose, or is for any value
 */
type Openness = "closed" | "unsaid" | "free" | "open";

/** Keywords that let an object have fields besides `properties`, or that name fields where only a validator follows. */
const OPENING = ["if", "then", "else", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef"];

/** True for a schema that may speak of fields where only a validator follows. */
export function isOpening(schema: JsonSchema): boolean {
  return OPENING.some((keyword) => Object.hasOwn(schema, keyword));
}

/** Determines a plain schema's rule for the fields that it does not name. */
export function opennessOf(schema: JsonSchema): Openness {
  const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
  const others = additionalProperties ?? unevaluatedProperties;
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0) return "open";
  if (isOpening(schema)) return "open";
  if (others === false) return "closed";
  if (others !== undefined) return "open";
  if (Object.keys(propertiesOf(schema)).length > 0) return "unsaid";
  return schema["type"] === "object" ? "free" : "open";
}
