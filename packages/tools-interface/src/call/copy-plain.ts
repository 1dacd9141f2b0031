const MAX_DEPTH = 500;

/**
 * A copy of plain objects, arrays, dates, maps, sets and bytes, all the way down; anything else, such as an instance of a
 * class, stays as the schema made it.
 *
 * @param end - Called with each object and array of the copy once it is complete.
 */
export function copyPlain(value: unknown, end: (copy: object) => object = (copy) => copy, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw new TypeError(`parameters are nested more than ${MAX_DEPTH} deep`);
  const inside = (inner: unknown): unknown => copyPlain(inner, end, depth + 1);
  if (Array.isArray(value)) return end(Array.from(value as unknown[], inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return copyBuiltIn(value, prototype, inside);
  const copy = Object.create(prototype) as object;
  for (const [key, inner] of Object.entries(value)) {
    // Not by assignment: `__proto__` is a field like any other.
    const field = { value: inside(inner), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, key, field);
  }
  return end(copy);
}

function copyBuiltIn(value: object, prototype: unknown, inner: (item: unknown) => unknown): object {
  if (prototype === Date.prototype) return new Date((value as Date).getTime());
  if (prototype === Uint8Array.prototype) return new Uint8Array(value as Uint8Array);
  if (prototype === Set.prototype) return new Set(Array.from(value as Set<unknown>, inner));
  if (prototype !== Map.prototype) return value;
  return new Map(Array.from(value as Map<unknown, unknown>, ([key, item]) => [inner(key), inner(item)]));
}
