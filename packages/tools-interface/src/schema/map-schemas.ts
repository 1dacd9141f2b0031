import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { DATA_KEYWORDS, NAMED_SCHEMAS } from "./schema-keywords.ts";

/** Keywords whose value holds no schemas. */
const DATA = new Set([...DATA_KEYWORDS, "required", "type"]);

/** A copy of a JSON Schema in which each schema has been changed, the innermost first. */
export function mapSchemas(schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  const map = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(map);
    return isJsonObject(node) ? change(mapValues(node, (value, key) => mapKeyword(key, value))) : node;
  };
  const mapKeyword = (key: string, value: unknown): unknown => {
    if (DATA.has(key)) return value;
    return NAMED_SCHEMAS.has(key) && isJsonObject(value) ? mapValues(value, map) : map(value);
  };
  return map(schema) as JsonSchema;
}

function mapValues(object: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
