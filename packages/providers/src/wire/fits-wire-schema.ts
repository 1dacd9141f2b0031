import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject, resolvePointer } from "@dispatch/tools-interface/internal";

/** What was found for the values of one call, by schema: the branches of a union lead to the same schemas below. */
export type KnownFits = Map<unknown, Map<unknown, boolean>>;

/**
 * Whether a value has the shape of a wire schema. Reads the differences between the branches of a union (types, values,
 * names of fields) and not bounds, patterns or formats.
 */
export function fitsWireSchema(value: unknown, schema: unknown, root: JsonSchema, known: KnownFits): boolean {
  if (!isJsonObject(schema)) return schema !== false;
  const values = known.get(schema) ?? new Map<unknown, boolean>();
  known.set(schema, values);
  let found = values.get(value);
  if (found !== undefined) return found;
  // A schema that refers to itself and to nothing else says nothing.
  values.set(value, true);
  found = fits(value, schema, (inner, node) => fitsWireSchema(inner, node, root, known), root);
  values.set(value, found);
  return found;
}

type Fits = (value: unknown, node: unknown) => boolean;

function fits(value: unknown, schema: JsonSchema, fitsNode: Fits, root: JsonSchema): boolean {
  const { $ref, anyOf, enum: values, type } = schema;
  if (typeof $ref === "string" && !fitsNode(value, resolvePointer(root, $ref))) return false;
  if (Array.isArray(anyOf) && !anyOf.some((branch) => fitsNode(value, branch))) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (Array.isArray(value)) return value.every((item) => fitsNode(item, schema["items"] ?? true));
  return !isJsonObject(value) || fitsFields(value, schema, fitsNode);
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function fitsFields(
  value: { readonly [key: string]: unknown },
  { properties, required, additionalProperties }: JsonSchema,
  fitsNode: Fits,
): boolean {
  const known = isJsonObject(properties) ? properties : {};
  if (Array.isArray(required) && !required.every((key) => typeof key === "string" && Object.hasOwn(value, key)))
    return false;
  return Object.entries(value).every(([key, inner]) =>
    Object.hasOwn(known, key) ? fitsNode(inner, known[key]) : additionalProperties !== false,
  );
}
