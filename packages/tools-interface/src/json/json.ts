/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12, or draft-07 where a source library writes that), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** True for a value made of keys and values: not null, not an array. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deeper than this counts as circular. */
const MAX_DEPTH = 500;
/** More values than this are refused: a few objects that share each other can stand for more than any memory holds. */
const MAX_VALUES = 2_000_000;

/** Objects that JSON would print as `{}`, as if they were empty. */
const UNPRINTABLE = [Map, Set, WeakMap, WeakSet, Error, Promise, RegExp, ArrayBuffer];

/**
 * Refuses what JSON would drop, empty or misrepresent without a word: circular references, `bigint`, functions, symbols,
 * numbers that are none, and objects whose content is not in their fields, such as `Map`, `Error` and typed arrays. A
 * walk of our own, because a replacer makes `JSON.stringify` five times slower.
 *
 * @throws {TypeError} That says what was found, or whatever a hostile getter throws.
 */
export function assertJson(value: unknown): void {
  if (typeof value === "object" && value !== null) assertObject(value, 0, { left: MAX_VALUES });
  else assertScalar(value);
}

function assertObject(value: object, depth: number, budget: { left: number }): void {
  if (depth > MAX_DEPTH) throw new TypeError(`JSON cannot hold a value that is circular or deeper than ${MAX_DEPTH}`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) assertPrintable(value);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const plain: unknown = value.toJSON();
    if (typeof plain === "object" && plain !== null) assertObject(plain, depth + 1, budget);
    else assertScalar(plain);
    return;
  }
  for (const inner of Object.values(value)) {
    budget.left -= 1;
    if (budget.left < 0) throw new TypeError(`JSON cannot hold a value of more than ${MAX_VALUES} parts here`);
    if (typeof inner === "object" && inner !== null) assertObject(inner, depth + 1, budget);
    else assertScalar(inner);
  }
}

function assertPrintable(value: object): void {
  const known = UNPRINTABLE.find((type) => value instanceof type);
  if (known === undefined && !ArrayBuffer.isView(value)) return;
  throw new TypeError(
    `JSON cannot hold a value of type ${known?.name ?? "typed array"}: use an array, an object or text`,
  );
}

function assertScalar(value: unknown): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`JSON cannot hold ${value}: use null or text`);
  }
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    throw new TypeError(`JSON cannot hold a ${typeof value}`);
  }
}

/**
 * The JSON text of a value.
 *
 * @throws {TypeError} As `assertJson`, and for `undefined`.
 */
export function toJsonText(value: unknown): string {
  assertJson(value);
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`JSON cannot hold a value of type ${typeof value}`);
  return text;
}

/** The value itself when JSON can hold it; otherwise a string that says why not. Never throws. */
export function jsonOrReason(value: unknown): unknown {
  try {
    assertJson(value);
    return value;
  } catch (error) {
    return `(not recorded: ${error instanceof TypeError ? error.message : "it cannot be read"})`;
  }
}

/** Freezes plain data through and through and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}
