import { jsonSnapshot } from "./json-snapshot.ts";
import { isJsonObject } from "./json.ts";

/**
 * A text that is the same for equal JSON values, regardless of the order of their keys, and different for different
 * ones. For comparing and hashing only: it is not the JSON of the value.
 *
 * @throws {TypeError} As `jsonSnapshot`.
 */
export function canonicalText(value: unknown): string {
  return JSON.stringify(tagged(jsonSnapshot(value) ?? null));
}

/** Objects as lists of their fields: in an object, integer keys would come first and `__proto__` would be lost. */
function tagged(value: unknown): unknown {
  if (Array.isArray(value)) return ["[", ...value.map(tagged)];
  if (!isJsonObject(value)) return value;
  const fields = Object.keys(value).toSorted();
  return ["{", ...fields.flatMap((key) => [key, tagged(value[key])])];
}
