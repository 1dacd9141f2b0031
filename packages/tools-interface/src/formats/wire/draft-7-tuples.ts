import { isJsonObject, type JsonSchema } from "../../json/json.ts";
import { DATA_KEYWORDS } from "../../schema/schema-keywords.ts";

/**
 * Removes `items: false` beside `prefixItems` where `maxItems` allows no more items anyway. A client that reads schemas by
 * draft 7, as MCP clients did until 2025-11-25, ignores `prefixItems` and would refuse every item.
 */
export function toDraft7Tuples(schema: JsonSchema): JsonSchema {
  return openIn(schema) as JsonSchema;
}

function openIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openIn);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "items" || !isClosedTwice(value));
  return Object.fromEntries(kept.map(([key, inner]) => [key, DATA_KEYWORDS.has(key) ? inner : openIn(inner)]));
}

function isClosedTwice({ items, prefixItems, maxItems }: JsonSchema): boolean {
  return items === false && Array.isArray(prefixItems) && Number(maxItems) <= prefixItems.length;
}
