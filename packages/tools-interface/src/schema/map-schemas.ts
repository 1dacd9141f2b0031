import { isJsonObject, type JsonSchema } from "../json/json.ts";

/** Keywords whose value is data. */
const DATA = new Set(["const", "enum", "default", "examples", "required", "type"]);
/** Keywords whose value maps names to schemas. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** A copy of a JSON Schema in which each schema has been changed, the innermost first. */
export function mapSchemas(schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  const map = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(map);
    return isJsonObject(node) ? change(mapValues(node, (value, key) => mapKeyword(key, value))) : node;
  };
  const mapKeyword = (key: string, value: unknown): unknown => {
    if (DATA.has(key)) return value;
    return NAMED.has(key) && isJsonObject(value) ? mapValues(value, map) : map(value);
  };
  return map(schema) as JsonSchema;
}

function mapValues(object: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
