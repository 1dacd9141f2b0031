/**
 * Makes the function that shortens JSON by its structure: lists, objects and texts keep their beginnings, and say how much
 * more there was. It runs beside the program, sent there as source, so it uses nothing from outside itself and takes
 * everything it needs before the program starts.
 */
export function cutJson(): (json: string, maxChars: number) => string {
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { keys } = Object;
  const { apply, setPrototypeOf, defineProperty } = Reflect;
  const { slice } = String.prototype;
  /** Characters of a text that are kept for each item of a list that is. */
  const CHARS_PER_ITEM = 40;

  function shrink(value: unknown, most: number): unknown {
    if (typeof value === "string") {
      const chars = (most + 1) * CHARS_PER_ITEM;
      const kept: string = apply(slice, value, [0, chars]);
      return value.length <= chars ? value : `${kept}… (${value.length - chars} more characters)`;
    }
    if (typeof value !== "object" || value === null) return value;
    const names = isArray(value) ? undefined : keys(value);
    const length = names?.length ?? (value as unknown[]).length;
    const cut: unknown[] | Record<string, unknown> = names === undefined ? [] : {};
    // Inherits nothing that the program could have put there.
    setPrototypeOf(cut, null);
    const set = (key: string | number, inner: unknown): void =>
      void defineProperty(cut, key, { __proto__: null, value: inner, enumerable: true, configurable: true } as never);
    for (let at = 0; at < length && at < most; at += 1) {
      const key = names?.[at] ?? at;
      set(key, shrink((value as Record<string | number, unknown>)[key], most));
    }
    if (length > most)
      set(names === undefined ? most : "…", `… (${length - most} more ${names === undefined ? "items" : "fields"})`);
    return cut;
  }

  return (json, maxChars) => {
    const value = parse(json);
    const cut = (most: number): string => stringify(shrink(value, most));
    let fits = 0;
    let tooMany = 1;
    while (tooMany < json.length && cut(tooMany).length <= maxChars) {
      fits = tooMany;
      tooMany *= 2;
    }
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >>> 1;
      if (cut(middle).length <= maxChars) fits = middle;
      else tooMany = middle;
    }
    return cut(fits);
  };
}
