/**
 * Makes the test whether JSON holds all of a value. Runs inside Deno, sent there as source like the harness it is for, so
 * it uses nothing from outside of itself and takes what it needs before the program starts.
 */
export function harnessPlain(): (value: unknown, depth: number) => boolean {
  const { apply, getPrototypeOf } = Reflect;
  const { isArray } = Array;
  const { keys } = Object;
  const { isFinite } = Number;
  const objectPrototype = Object.prototype;
  const objectTag = objectPrototype.toString;

  function isPlain(value: unknown, depth: number): boolean {
    if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean") return true;
    if (typeof value === "number") return isFinite(value);
    if (typeof value !== "object" || depth > 200) return false;
    const object = value as Record<string, unknown>;
    if (typeof object["toJSON"] === "function") return true;
    const names = keys(object);
    if (!isArray(object)) {
      const prototype = getPrototypeOf(object);
      if (apply(objectTag, object, []) !== "[object Object]") return false;
      if (prototype !== objectPrototype && prototype !== null && names.length === 0) return false;
    }
    for (let at = 0; at < names.length; at += 1) if (!isPlain(object[names[at] as string], depth + 1)) return false;
    return true;
  }

  return isPlain;
}
