/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12, or draft-07 where a source library writes that), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** True for a value made of keys and values: not null, not an array. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The JSON text of a value.
 *
 * @throws {TypeError} For what JSON would drop, empty or misrepresent without a word: circular references, `bigint`,
 * functions, symbols, `Map`, `Set`, and a value that is `undefined` as a whole.
 */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value, refuseLoss);
  if (text === undefined) throw new TypeError(`JSON cannot hold a value of type ${typeof value}`);
  return text;
}

/** The value itself when JSON can hold it; otherwise a string that says why not. Never throws. */
export function jsonOrReason(value: unknown): unknown {
  try {
    if (typeof value !== "string" && value !== undefined) toJsonText(value);
    return value;
  } catch (error) {
    return `(not recorded: ${error instanceof TypeError ? error.message : "it cannot be read"})`;
  }
}

function refuseLoss(_key: string, value: unknown): unknown {
  if (typeof value === "object") {
    if (value instanceof Map || value instanceof Set) {
      throw new TypeError(`JSON cannot hold a ${value.constructor.name}: use an array or an object`);
    }
  } else if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    throw new TypeError(`JSON cannot hold a ${typeof value}`);
  }
  return value;
}

/** Freezes plain data through and through and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
