import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";
import { UnsupportedSchemaError } from "./format-report.ts";

/** A schema from elsewhere may refer to itself, or stand for more than fits into memory. */
const MAX_STEPS = 1000;

/**
 * One schema for all that several say together, without `$ref` and `allOf` at its top.
 *
 * @throws {UnsupportedSchemaError} When it cannot be said without `allOf`.
 */
export function mergeSchemas(
  parts: readonly unknown[],
  root: JsonSchema,
  path: string,
  steps = { taken: 0 },
): JsonSchema {
  steps.taken += 1;
  if (steps.taken > MAX_STEPS) throw new UnsupportedSchemaError(path, "refers to itself in allOf, or to too much");
  let merged: JsonSchema = {};
  for (const part of parts) {
    if (part === true) continue;
    if (!isJsonObject(part)) throw new UnsupportedSchemaError(path, "allows no value at all");
    const { $ref, allOf, ...own } = part;
    const inner: unknown[] = [];
    if (typeof $ref === "string") inner.push(target(root, $ref, path));
    if (Array.isArray(allOf)) inner.push(...(allOf as unknown[]));
    const other = inner.length === 0 ? own : mergeSchemas([own, ...inner], root, path, steps);
    merged = mergeTwo(merged, other, path);
  }
  return merged;
}

function target(root: JsonSchema, reference: string, path: string): unknown {
  const found = resolvePointer(root, reference);
  if (found === undefined) throw new UnsupportedSchemaError(path, `refers to ${reference}, which is not in the schema`);
  return found;
}

function mergeTwo(one: JsonSchema, other: JsonSchema, path: string): JsonSchema {
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const both = Object.hasOwn(merged, keyword) && !isSame(merged[keyword], value);
    merged[keyword] = both ? mergeKeyword(keyword, merged[keyword], value, path) : value;
  }
  return merged;
}

function mergeKeyword(keyword: string, one: unknown, other: unknown, path: string): unknown {
  switch (keyword) {
    case "title":
    case "description":
    case "default":
    case "examples":
    case "$defs":
    case "definitions":
      return one;
    case "required":
      return [...new Set([...list(one), ...list(other)])];
    case "properties":
      return mergeProperties(one, other);
    case "items":
      return { allOf: [one, other] };
    case "additionalProperties":
      return mergeExtra(one, other);
    case "type":
      return mergeTypes(list(one), list(other), path);
    case "enum":
      return list(one).filter((value) => list(other).some((same) => isSame(value, same)));
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
    case "minProperties":
      return Math.max(Number(one), Number(other));
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return Math.min(Number(one), Number(other));
    default:
      throw new UnsupportedSchemaError(path, `says ${keyword} in two ways at once`);
  }
}

function mergeProperties(one: unknown, other: unknown): unknown {
  const merged = new Map(Object.entries(isJsonObject(one) ? one : {}));
  for (const [key, value] of Object.entries(isJsonObject(other) ? other : {})) {
    const mine = merged.get(key);
    merged.set(key, merged.has(key) && !isSame(mine, value) ? { allOf: [mine, value] } : value);
  }
  return Object.fromEntries(merged);
}

function mergeExtra(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false;
  if (isAny(one)) return other;
  return isAny(other) ? one : { allOf: [one, other] };
}

function mergeTypes(one: readonly unknown[], other: readonly unknown[], path: string): unknown {
  const meets = (type: unknown, types: readonly unknown[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const types = [...one.filter((type) => meets(type, other)), ...other.filter((type) => meets(type, one))];
  const distinct = [...new Set(types)];
  if (distinct.length === 0) throw new UnsupportedSchemaError(path, "allows no value at all");
  return distinct.length === 1 ? distinct[0] : distinct;
}

function isAny(schema: unknown): boolean {
  return schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a schema allows `null`. `known` caches the answers for references; one that leads to itself adds nothing. */
export function allowsNull(schema: unknown, root: JsonSchema, known = new Map<string, boolean>()): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  const { $ref, type, enum: values, anyOf, oneOf, allOf } = schema;
  const inner = (node: unknown): boolean => allowsNull(node, root, known);
  if (typeof $ref === "string") {
    if (!known.has($ref)) {
      known.set($ref, false);
      known.set($ref, inner(resolvePointer(root, $ref) ?? true));
    }
    if (known.get($ref) === false) return false;
  }
  if (type !== undefined && !list(type).includes("null")) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  if (Object.hasOwn(schema, "const") && schema["const"] !== null) return false;
  if (Array.isArray(allOf) && !allOf.every(inner)) return false;
  return [anyOf, oneOf].every((union) => !Array.isArray(union) || union.some(inner));
}
