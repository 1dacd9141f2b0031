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
    return `(not recorded: ${reasonOf(error)})`;
  }
}

/** A getter may throw what cannot be read either, such as a revoked proxy. */
function reasonOf(thrown: unknown): string {
  try {
    if (thrown instanceof TypeError) return thrown.message;
  } catch {
    // As for every other value.
  }
  return "it cannot be read";
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

/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Deeper than this counts as circular. */
const MAX_DEPTH = 500;
/** More values than this are refused: a few objects that share each other can stand for more than any memory holds. */
const MAX_VALUES = 2_000_000;

/**
 * A frozen copy of a value in its JSON form. Reads every field once, so that later changes of the value, getters and
 * `toJSON` cannot make the copy differ from the checked value. Fields that are `undefined` are left out, as JSON does.
 *
 * Refuses values that JSON would silently drop, empty or misrepresent: circular references, `bigint`, functions,
 * symbols, `NaN` and the infinities, promises, iterators, streams, collections, and objects whose content is not in
 * their fields, such as `Map`, `Response` and class instances with nothing but private fields.
 *
 * @param size Is raised by what is copied.
 * @throws {TypeError} With the type found and the types allowed; or the error of a hostile getter.
 */
export function jsonSnapshot(value: unknown, size: SnapshotSize = { values: 0, chars: 0 }): JsonValue | undefined {
  return copy(value, "", 0, size);
}

/** How many values a snapshot holds, and how many characters its texts and the names of its fields have. */
export interface SnapshotSize {
  values: number;
  chars: number;
}

function copy(value: unknown, key: string, depth: number, size: SnapshotSize): JsonValue | undefined {
  if (typeof value === "string") size.chars += value.length;
  if (typeof value !== "object" || value === null) return scalar(value);
  if (depth > MAX_DEPTH) throw new TypeError(`JSON cannot hold a value that is circular or deeper than ${MAX_DEPTH}`);
  if (ArrayBuffer.isView(value)) throw unheld(value);
  const toJson: unknown = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof toJson !== "function") return copyObject(value, depth, size);
  const plain: unknown = toJson.call(value, key);
  if (plain === null && value instanceof Date)
    throw new TypeError("JSON cannot hold an invalid date: use null or text");
  // As in `JSON.stringify`, the `toJSON` of a result of `toJSON` is not called.
  return typeof plain === "object" && plain !== null ? copyObject(plain, depth + 1, size) : scalar(plain);
}

function copyObject(value: object, depth: number, size: SnapshotSize): JsonValue {
  if (depth > MAX_DEPTH) throw new TypeError(`JSON cannot hold a value that is circular or deeper than ${MAX_DEPTH}`);
  if (Array.isArray(value)) return copyArray(value, depth, size);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype) {
    const primitive = boxedPrimitive(value);
    if (primitive !== undefined) return primitive;
  }
  if (Symbol.iterator in value || Symbol.asyncIterator in value) throw unheld(value);
  if (typeof (value as { readonly then?: unknown }).then === "function") throw unheld(value);
  const keys = Object.keys(value);
  if (keys.length === 0 && !isEmptyPlain(value)) throw unheld(value);
  spend(size, keys.length);
  const fields: Record<string, JsonValue> = {};
  for (const key of keys) {
    const inner = copy((value as Record<string, unknown>)[key], key, depth + 1, size);
    if (inner === undefined) continue;
    size.chars += key.length;
    if (key === "__proto__") Object.defineProperty(fields, key, { value: inner, enumerable: true });
    else fields[key] = inner;
  }
  return Object.freeze(fields);
}

function copyArray(value: readonly unknown[], depth: number, size: SnapshotSize): JsonValue {
  const { length } = value;
  spend(size, length);
  const items: JsonValue[] = [];
  // Not `map`, which skips holes: JSON holds them as `null`.
  for (let index = 0; index < length; index += 1) {
    items.push(copy(value[index], String(index), depth + 1, size) ?? null);
  }
  return Object.freeze(items);
}

function spend(size: SnapshotSize, values: number): void {
  size.values += values;
  if (size.values > MAX_VALUES) throw new TypeError(`JSON cannot hold a value of more than ${MAX_VALUES} parts here`);
}

function scalar(value: unknown): JsonValue | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`JSON cannot hold ${value}: use null or text`);
  }
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    throw new TypeError(`JSON cannot hold a ${typeof value}: use text, a number, an array or an object of fields`);
  }
  return value as JsonValue | undefined;
}

/** `new String("a")` and the like, which JSON holds as the wrapped primitive. */
function boxedPrimitive(value: object): JsonValue | undefined {
  const tag = Object.prototype.toString.call(value);
  if (tag !== "[object String]" && tag !== "[object Number]" && tag !== "[object Boolean]") return undefined;
  const primitive: unknown = value.valueOf();
  return typeof primitive === "object" ? undefined : scalar(primitive);
}

/** Whether there is nothing in an object without enumerable fields: no hidden field, and no class that may have private ones. */
function isEmptyPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second comparison knows the plain objects of another realm.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain && Reflect.ownKeys(value).length === 0;
}

function unheld(value: object): TypeError {
  const type = typeName(value);
  const advice =
    type === "Generator"
      ? "make the function async to report its values as progress, or answer an array of them"
      : "use text, a number, an array or an object of fields";
  return new TypeError(`JSON cannot hold a value of type ${type}: ${advice}`);
}

const MAX_NAME_CHARS = 60;

function typeName(value: object): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const own: unknown = tag === "Object" ? (value.constructor as { readonly name?: unknown } | undefined)?.name : tag;
  return typeof own === "string" && own !== "" ? own.slice(0, MAX_NAME_CHARS) : "object";
}

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
