import { isJsonObject, type JsonValue } from "./json.ts";

/**
 * Truncates JSON to at most `maxChars` characters by shortening its longest arrays, objects and texts. The result is valid
 * JSON that states in each place how much is missing, with `note` at its root. `undefined` when the text is not JSON, or
 * when not even its outline fits.
 */
export function truncateJson(text: string, maxChars: number, note: string): string | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const noted = (limit: number): string => JSON.stringify(withNote(shrink(value, limit, 0), note));
  if (noted(0).length > maxChars) return undefined;
  // The text grows with the limit: doubles the limit until the text is too long, then searches in between.
  let fits = 0;
  let tooMany = 1;
  while (tooMany < text.length && noted(tooMany).length <= maxChars) {
    fits = tooMany;
    tooMany *= 2;
  }
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (noted(middle).length <= maxChars) fits = middle;
    else tooMany = middle;
  }
  return noted(fits);
}

/** Characters of a text that are kept for each item of an array that is. */
const CHARS_PER_ITEM = 40;
/** Deeper values are dropped: `JSON.parse` reads any depth, a recursive function does not. */
const MAX_DEPTH = 200;

/** At most `limit` items of every array, as many fields of every object, and texts in proportion. */
function shrink(value: JsonValue, limit: number, depth: number): JsonValue {
  if (typeof value === "string") {
    const length = limit * CHARS_PER_ITEM + CHARS_PER_ITEM;
    return value.length <= length ? value : `${value.slice(0, length)}… (${value.length - length} more characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "… (nested deeper)";
  if (Array.isArray(value)) {
    const items = value.slice(0, limit).map((item) => shrink(item, limit, depth + 1));
    return items.length === value.length ? items : [...items, `… (${value.length - items.length} more items)`];
  }
  const all = Object.entries(value);
  const fields = all.slice(0, limit).map(([key, inner]) => [key, shrink(inner, limit, depth + 1)]);
  if (all.length > limit) fields.push(["…", `(${all.length - limit} more fields)`]);
  return Object.fromEntries(fields) as JsonValue;
}

function withNote(value: JsonValue, note: string): JsonValue {
  if (typeof value === "string") return `${value} (${note})`;
  if (Array.isArray(value)) return [...value, note];
  return isJsonObject(value) ? { ...value, "…note": note } : value;
}
