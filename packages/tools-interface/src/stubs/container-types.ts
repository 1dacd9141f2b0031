import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { docOf } from "./doc-comment.ts";
import {
  fieldType,
  NEVER,
  OPEN_OBJECT,
  printType,
  text,
  union,
  UNKNOWN,
  type StubField,
  type StubType,
} from "./stub-type.ts";

/** How the schema of a field or an item prints. */
export type ToType = (schema: unknown) => StubType;

/** Tuples with more places than this print as arrays. */
const MAX_PLACES = 64;
/** The type of fields without a name prints up to this length, in characters, when it has to cover named ones too. */
const MAX_INDEX = 80;

/** The type of the arrays that a schema accepts. */
export function arrayType(schema: JsonSchema, toType: ToType): StubType {
  const { items, prefixItems, additionalItems, minItems, maxItems } = schema;
  const places: readonly unknown[] | undefined = [items, prefixItems].find(Array.isArray);
  if (places === undefined) return { kind: "array", item: toType(items) };
  if (places.length > MAX_PLACES) return { kind: "array", item: UNKNOWN };
  const most = typeof maxItems === "number" ? maxItems : Infinity;
  const fixed = places.slice(0, most).map(toType);
  const least = typeof minItems === "number" ? minItems : 0;
  const rest = most <= places.length ? NEVER : toType(Array.isArray(items) ? additionalItems : items);
  return rest === NEVER ? { kind: "tuple", items: fixed, least } : { kind: "tuple", items: fixed, least, rest };
}

/**
 * The type of the objects that a schema accepts.
 *
 * @param isSettled Whether the surrounding schema decides already which other fields they may have.
 */
export function objectType(schema: JsonSchema, isSettled: boolean, toType: ToType): StubType {
  const { properties, required, patternProperties, additionalProperties: extra } = schema;
  const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
  const named = new Map(Object.entries(isJsonObject(properties) ? properties : {}));
  const keys = named.size === 0 ? onlyKeys(schema) : undefined;
  for (const name of keys ?? []) named.set(name, extra);
  const unnamed = isJsonObject(extra) && patternProperties === undefined ? extra : true;
  for (const name of needed) if (!named.has(name)) named.set(name, unnamed);
  const fields = [...named].map(([name, value]) => fieldType(name, toType(value), !needed.has(name), docOf(value)));
  const index =
    keys === undefined ? indexType(schema, fields, isSettled, toType) : keys.length === 0 ? NEVER : undefined;
  return index === undefined ? { kind: "object", fields } : { kind: "object", fields, index };
}

/** The only names that fields may have, where the schema lists them. */
function onlyKeys({ propertyNames, patternProperties, additionalProperties }: JsonSchema) {
  if (!isJsonObject(propertyNames) || patternProperties !== undefined || additionalProperties === false)
    return undefined;
  const names = propertyNames["enum"];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : undefined;
}

/** The type of fields without a name; `undefined` if none are allowed. */
function indexType(
  schema: JsonSchema,
  fields: readonly StubField[],
  isSettled: boolean,
  toType: ToType,
): StubType | undefined {
  const { patternProperties, additionalProperties: extra, unevaluatedProperties: other } = schema;
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  if (patterns.length === 0 && (extra === undefined || extra === false)) {
    if (other === true || isJsonObject(other)) return UNKNOWN;
    if (extra === false && fields.length === 0) return NEVER;
    // JSON Schema allows everything it does not forbid: a type without an index would refuse other fields in a literal.
    return isSettled || extra === false || other === false ? undefined : UNKNOWN;
  }
  const types = [...patterns, ...(extra === false ? [] : [extra])].map(toType);
  if (fields.length === 0) return union(types);
  // In TypeScript the index must cover the named fields too, and `undefined` for a field that is left out.
  const absent = fields.some(({ optional }) => optional) ? [text("undefined")] : [];
  const all = union([...types, ...fields.map(({ type }) => type), ...absent]);
  return printType(all).length > MAX_INDEX ? UNKNOWN : all;
}

/** The type with room for fields it does not name. `undefined` when that cannot be said of it. */
export function opened(type: StubType, isObject: boolean): StubType | undefined {
  switch (type.kind) {
    case "object":
      return { ...type, index: UNKNOWN };
    case "union": {
      const parts = type.parts.map((part) => opened(part, isObject));
      return parts.every((part) => part !== undefined) ? union(parts) : undefined;
    }
    case "alias":
    case "intersection":
      return isObject ? { kind: "intersection", parts: [type, OPEN_OBJECT] } : undefined;
    case "text":
    case "array":
    case "tuple":
      return type;
  }
}
