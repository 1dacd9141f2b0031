import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { resolvePointer } from "../../schema/json-pointer.ts";

/** After as many steps every value fits: a recursive schema sets no end. */
const MAX_STEPS = 10_000;

/**
 * Whether a value has the shape of a wire schema. Reads the differences between the branches of a union (types, values,
 * names of fields) and not bounds, patterns or formats.
 */
export function fitsWireSchema(value: unknown, schema: unknown, root: JsonSchema, steps = { taken: 0 }): boolean {
  steps.taken += 1;
  if (!isJsonObject(schema) || steps.taken > MAX_STEPS) return schema !== false;
  const fits = (inner: unknown, node: unknown): boolean => fitsWireSchema(inner, node, root, steps);
  const { $ref, anyOf, enum: values, type } = schema;
  if (typeof $ref === "string" && !fits(value, resolvePointer(root, $ref))) return false;
  if (Array.isArray(anyOf) && !anyOf.some((branch) => fits(value, branch))) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (Array.isArray(value)) return value.every((item) => fits(item, schema["items"] ?? true));
  return !isJsonObject(value) || fitsFields(value, schema, fits);
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
  fits: (inner: unknown, node: unknown) => boolean,
): boolean {
  const known = isJsonObject(properties) ? properties : {};
  if (Array.isArray(required) && !required.every((key) => typeof key === "string" && Object.hasOwn(value, key)))
    return false;
  return Object.entries(value).every(([key, inner]) =>
    Object.hasOwn(known, key) ? fits(inner, known[key]) : additionalProperties !== false,
  );
}
