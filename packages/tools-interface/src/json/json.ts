import { jsonSnapshot, type JsonValue, type SnapshotSize } from "./json-snapshot.ts";

/** A JSON Schema document (draft 2020-12, or draft-07 where a source library writes that), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** True for a value made of keys and values: not null, not an array. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The JSON text of a value.
 *
 * @throws {TypeError} As `jsonSnapshot`, and for `undefined`.
 */
export function toJsonText(value: unknown): string {
  const plain = jsonSnapshot(value);
  if (plain === undefined) throw new TypeError(`JSON cannot hold a value of type ${typeof value}`);
  return JSON.stringify(plain);
}

/** The data as it arrives elsewhere: `toJSON` may change it on the way. `undefined` if JSON cannot hold it. Never throws. */
export function plainJson(data: unknown): unknown {
  try {
    return data === undefined ? undefined : (JSON.parse(toJsonText(data)) as unknown);
  } catch {
    return undefined;
  }
}

/** A frozen copy of the value when JSON can hold it; otherwise a string that says why not. Never throws. `size` as in `jsonSnapshot`. */
export function jsonOrReason(value: unknown, size?: SnapshotSize): JsonValue | undefined {
  try {
    return jsonSnapshot(value, size);
  } catch (error) {
    return `(not recorded: ${error instanceof TypeError ? error.message : "it cannot be read"})`;
  }
}

/** A copy of a value's own fields, hidden ones too, that inherits no others, not even from a changed `Object.prototype`. */
export function ownFields<T extends object>(value: T): T {
  const own = Object.create(null) as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(value)) own[name] = (value as Record<string, unknown>)[name];
  return own as T;
}

/** Freezes plain data through and through and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}
