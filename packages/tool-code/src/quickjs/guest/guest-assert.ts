/** `node:assert`, as far as programs use it to check their results. */
export interface GuestAssert {
  readonly assert: object;
  readonly isDeepStrictEqual: (one: unknown, other: unknown) => boolean;
}

/**
 * Makes `node:assert`. Runs inside QuickJS, sent there as source, so it uses nothing from outside of itself but its
 * parameters.
 */
export function guestAssert(inspect: (value: unknown) => string): GuestAssert {
  class AssertionError extends Error {
    override name = "AssertionError";
    readonly code = "ERR_ASSERTION";
  }

  function isObject(value: unknown): value is object {
    return typeof value === "object" && value !== null;
  }

  /** Whether two values hold the same. `isStrict` also asks for the same types. */
  function isSame(one: unknown, other: unknown, isStrict: boolean, above: readonly unknown[] = []): boolean {
    if (Object.is(one, other) || above.includes(one)) return true;
    if (!isObject(one) || !isObject(other)) return !isStrict && one == other;
    if (isStrict && Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
    if (one instanceof RegExp && other instanceof RegExp) return String(one) === String(other);
    const parents = [...above, one];
    const same = (left: unknown, right: unknown): boolean => isSame(left, right, isStrict, parents);
    if (one instanceof Map && other instanceof Map)
      return one.size === other.size && [...one].every(([key, value]) => other.has(key) && same(value, other.get(key)));
    if (one instanceof Set && other instanceof Set)
      return (
        one.size === other.size &&
        [...one].every((item) => other.has(item) || [...other].some((found) => same(item, found)))
      );
    if (one instanceof Error && other instanceof Error && (one.name !== other.name || one.message !== other.message))
      return false;
    const [keys, others] = [Object.keys(one), Object.keys(other)];
    return (
      keys.length === others.length &&
      keys.every((key) => Object.hasOwn(other, key) && same(one[key as keyof object], other[key as keyof object]))
    );
  }

  function check(holds: unknown, message: unknown, found: () => string): void {
    if (holds) return;
    if (message instanceof Error) throw message;
    throw new AssertionError(message === undefined ? found() : `${message as string}`);
  }

  const ok = (value: unknown, message?: unknown): void =>
    check(value, message, () => `The expression evaluated to a falsy value: ${inspect(value)}`);
  const compare =
    (holds: (one: unknown, other: unknown) => boolean, words: string) =>
    (one: unknown, other: unknown, message?: unknown): void =>
      check(holds(one, other), message, () => `Expected values to be ${words}: ${inspect(one)} and ${inspect(other)}`);
  const isEqual = (one: unknown, other: unknown): boolean => one == other || Object.is(one, other);
  const isDeep = (one: unknown, other: unknown): boolean => isSame(one, other, false);
  const isDeepStrictEqual = (one: unknown, other: unknown): boolean => isSame(one, other, true);
  const not =
    (holds: (one: unknown, other: unknown) => boolean) =>
    (one: unknown, other: unknown): boolean =>
      !holds(one, other);

  /** Whether a thrown value matches the expectation: by class, text, fields, or a function's verdict. */
  function fits(thrown: unknown, expected: unknown): boolean {
    if (expected === undefined || typeof expected === "string") return true;
    if (expected instanceof RegExp) return expected.test(String(thrown));
    if (typeof expected !== "function")
      return Object.entries(expected as object).every(([key, value]) => {
        const found: unknown = (thrown as Record<string, unknown>)[key];
        return value instanceof RegExp ? value.test(String(found)) : isSame(found, value, true);
      });
    if (typeof expected.prototype === "object" && thrown instanceof expected) return true;
    return !Error.isPrototypeOf(expected) && (expected as (error: unknown) => unknown)(thrown) === true;
  }

  const throws = (run: () => unknown, expected?: unknown, message?: unknown): void => {
    let isThrown = false;
    try {
      run();
    } catch (error) {
      isThrown = true;
      if (!fits(error, expected)) throw error;
    }
    check(isThrown, message, () => "Missing expected exception");
  };
  const rejects = async (run: unknown, expected?: unknown, message?: unknown): Promise<void> => {
    let isThrown = false;
    try {
      await (typeof run === "function" ? (run as () => unknown)() : run);
    } catch (error) {
      isThrown = true;
      if (!fits(error, expected)) throw error;
    }
    check(isThrown, message, () => "Missing expected rejection");
  };
  const assert = Object.assign((value: unknown, message?: unknown) => ok(value, message), {
    AssertionError,
    ok,
    equal: compare(isEqual, "loosely equal"),
    notEqual: compare(not(isEqual), "loosely unequal"),
    strictEqual: compare(Object.is, "strictly equal"),
    notStrictEqual: compare(not(Object.is), "strictly unequal"),
    deepEqual: compare(isDeep, "loosely deep-equal"),
    notDeepEqual: compare(not(isDeep), "loosely deep-unequal"),
    deepStrictEqual: compare(isDeepStrictEqual, "strictly deep-equal"),
    notDeepStrictEqual: compare(not(isDeepStrictEqual), "strictly deep-unequal"),
    match: (text: string, pattern: RegExp, message?: unknown) =>
      check(pattern.test(text), message, () => `Expected ${inspect(text)} to match ${String(pattern)}`),
    fail: (message?: unknown) => check(false, message, () => "Failed"),
    throws,
    rejects,
  });
  return { assert: Object.assign(assert, { strict: assert }), isDeepStrictEqual };
}
