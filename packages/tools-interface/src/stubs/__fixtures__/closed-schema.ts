import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { resolvePointer } from "../../schema/json-pointer.ts";

const DATA = new Set(["const", "enum", "required", "type"]);
const NAMED = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const IN_PLACE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$defs"]);

/**
 * The same schema for values whose every field counts: wherever it names fields, only those that are named by a part
 * which applies, or that a part lets in.
 */
export function closedSchema(root: JsonSchema): JsonSchema {
  const walk = (schema: unknown, isInPlace: boolean): unknown => {
    if (!isJsonObject(schema)) return schema;
    const entries = Object.entries(schema).map(([key, part]): [string, unknown] => {
      const inner = (one: unknown): unknown => walk(one, IN_PLACE.has(key));
      if (DATA.has(key)) return [key, part];
      if (Array.isArray(part)) return [key, part.map(inner)];
      if (!NAMED.has(key) || !isJsonObject(part)) return [key, inner(part)];
      return [key, Object.fromEntries(Object.entries(part).map(([name, one]) => [name, inner(one)]))];
    });
    const isClosed = !isInPlace && !("unevaluatedProperties" in schema) && namesFields(schema, root);
    return Object.fromEntries(isClosed ? [...entries, ["unevaluatedProperties", false]] : entries);
  };
  return walk(root, false) as JsonSchema;
}

function namesFields(schema: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isJsonObject(schema) || depth > 9) return false;
  const { $ref, allOf = [], anyOf = [], oneOf = [], properties } = schema;
  const parts: unknown[] = [allOf, anyOf, oneOf].flat();
  if (typeof $ref === "string") parts.push(resolvePointer(root, $ref));
  return isJsonObject(properties) || parts.some((part) => namesFields(part, root, depth + 1));
}
