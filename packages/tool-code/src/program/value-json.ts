/** Bounds of a value's JSON. */
interface ValueLimits {
  /** Values: each array, object, text, number, boolean and null. */
  readonly values: number;
  /** Characters of all texts together. */
  readonly chars: number;
}

/**
 * The JSON of a value, `undefined` for a value that is none, with the number of values in it; or the limit it exceeds.
 * Inherits nothing.
 */
type ValueJson =
  | { readonly json: string | undefined; readonly count: number }
  | { readonly exceeds: keyof ValueLimits };

/** Turns values into JSON. */
export interface ValueWriter {
  /** Leaves null for promises. */
  now(value: unknown, limits: ValueLimits): ValueJson;
  /** Waits for promises, wherever they stand in the value. */
  settled(value: unknown, limits: ValueLimits): Promise<ValueJson>;
}

/**
 * Makes the function that turns a program's values into JSON. It runs beside the program, sent there as source, so it
 * uses nothing from outside itself and takes everything it needs before the program starts.
 *
 * JSON data stays as it is. `NaN` and the infinities become their names, a BigInt its digits, a Date its ISO text, a
 * RegExp its source, an Error its `name`, `message` and fields. A Map becomes a list of pairs; a Set, a typed array, an
 * ArrayBuffer, and any object that can be iterated and has no fields a list. A promise is awaited and its value takes
 * its place. An object inside itself becomes the path of the outer one. `undefined` is left out of objects, and null in
 * lists. Any other value becomes the text that a console prints.
 *
 * @param inspect Describes a value in a few words.
 */
export function valueJson(inspect: (value: unknown) => string): ValueWriter {
  const { apply, getPrototypeOf, setPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { isArray, from } = Array;
  const { freeze, is, keys, prototype } = Object;
  const { isView } = ArrayBuffer;
  const { stringify } = JSON;
  const { toISOString, getTime } = Date.prototype;
  const { get: settledOf, set: settleAs, has: isSettled } = WeakMap.prototype;
  const rawJSON = (JSON as { rawJSON?: (json: string) => unknown }).rawJSON;
  const tagOf = prototype.toString;
  const { isInteger, isFinite } = Number;
  const { Uint8Array, WeakMap: NewWeakMap, Error } = globalThis;
  /** Fields of an error that are not listed with its own; the first two may be inherited. */
  const FIELDS = ["name", "message", "code", "tool", "errors", "cause"];
  const MAX_DEPTH = 150;
  /** Promises of promises. */
  const MAX_ROUNDS = 20;

  /**
   * An empty list that inherits nothing: a program can put setters for numbered properties into the prototype of
   * arrays.
   */
  function newList<Item>(): Item[] {
    const list: Item[] = [];
    setPrototypeOf(list, null);
    return list;
  }

  /** An object that inherits nothing, which an engine reads faster than one whose prototype is null. */
  const Fields = function () {} as unknown as { new (): object; prototype: object };
  Fields.prototype = freeze({ __proto__: null });
  const unsettled = new NewWeakMap<object, unknown>();
  let spare: readonly [above: unknown[], path: (string | number)[]] | undefined = [newList(), newList()];

  /** Turns a value into JSON. Leaves null for promises that `settled` does not hold, and adds them to `promises`. */
  function toJson(
    root: unknown,
    limits: ValueLimits,
    settled: WeakMap<object, unknown>,
    promises?: Promise<unknown>[],
  ): ValueJson {
    let exceeds: keyof ValueLimits | undefined;
    let count = 0;
    let chars = 0;
    // Making such a list takes as long as writing a small value. A value that is read may make a program call another
    // tool, which then needs lists of its own.
    const kept = spare;
    const above = kept?.[0] ?? newList<unknown>();
    const path = kept?.[1] ?? newList<string | number>();
    spare = undefined;

    function stop(limit: keyof ValueLimits): never {
      exceeds = limit;
      throw new Error(limit);
    }

    /** A value that cannot even be described must not hide the rest. */
    function described(value: unknown): string {
      let shown = "[cannot be shown]";
      try {
        shown = inspect(value);
      } catch {
        // A proxy, or a function of the program's that describes it.
      }
      return text(shown);
    }

    function text(value: string): string {
      chars += value.length;
      return chars > limits.chars ? stop("chars") : value;
    }

    /** The items of an iterable, as a list within the allowed length. */
    function listOf(iterable: Iterable<unknown>): unknown[] {
      const list = newList<unknown>();
      for (const item of iterable) {
        if (list.length > limits.values) stop("values");
        list[list.length] = item;
      }
      return list;
    }

    function numbersOf(buffer: unknown): unknown[] {
      const list = !isView(buffer)
        ? new Uint8Array(buffer as ArrayBuffer)
        : "length" in buffer
          ? (buffer as unknown as ArrayLike<number>)
          : new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      return list.length > limits.values ? stop("values") : from(list);
    }

    function pathOf(index: number): string {
      let found = "$";
      for (let at = 0; at < index; at += 1) {
        const key = path[at] as string | number;
        found += isInteger(key) ? `[${key}]` : `.${key}`;
      }
      return found;
    }

    function plainItems(list: readonly unknown[]): unknown[] {
      const out = newList<unknown>();
      if (list.length > limits.values) stop("values");
      for (let at = 0; at < list.length; at += 1) {
        path[path.length] = at;
        out[at] = plain(list[at]) ?? null;
        path.length -= 1;
      }
      return out;
    }

    function plainFields(object: Record<string, unknown>, names: readonly string[]): unknown {
      const out = new Fields() as Record<string, unknown>;
      for (let at = 0; at < names.length; at += 1) {
        const name = names[at] as string;
        path[path.length] = text(name);
        let field;
        try {
          field = object[name];
        } catch (error) {
          field = `[${name} threw ${described(error)}]`;
        }
        const value = name === "toJSON" && typeof field === "function" ? undefined : plain(field);
        if (value !== undefined) out[name] = value;
        path.length -= 1;
      }
      return out;
    }

    function plainObject(object: Record<string, unknown>): unknown {
      if (isArray(object)) return plainItems(object);
      const tag = apply(tagOf, object, []);
      switch (tag) {
        case "[object Date]":
          return isFinite(apply(getTime, object, [])) ? text(apply(toISOString, object, [])) : "Invalid Date";
        case "[object RegExp]":
          return text(`${object as unknown as RegExp}`);
        case "[object Boolean]":
        case "[object Number]":
        case "[object String]":
        case "[object BigInt]":
          return plain(object.valueOf());
        case "[object Promise]":
          if (apply(isSettled, settled, [object])) return plain(apply(settledOf, settled, [object]));
          if (promises !== undefined) promises[promises.length] = object as unknown as Promise<unknown>;
          return null;
        case "[object Map]":
        case "[object Set]":
        case "[object Arguments]":
          return plainItems(listOf(object as unknown as Iterable<unknown>));
        case "[object Error]": {
          const names = newList<string>();
          const seen = { __proto__: null } as unknown as Record<string, true>;
          const own = keys(object);
          for (let round = 0; round < 2; round += 1) {
            const list = round === 0 ? FIELDS : own;
            for (let at = 0; at < list.length; at += 1) {
              const name = list[at] as string;
              const isShown = at < 2 || list === own || getOwnPropertyDescriptor(object, name) !== undefined;
              if (isShown && seen[name] !== true) names[names.length] = name;
              if (isShown) seen[name] = true;
            }
          }
          return plainFields(object, names);
        }
        case "[object ArrayBuffer]":
        case "[object SharedArrayBuffer]":
          return plainItems(numbersOf(object));
      }
      if (isView(object)) return plainItems(numbersOf(object));
      if (typeof object["toJSON"] === "function") {
        const json = (object["toJSON"] as (key: string) => unknown)("");
        return isRecord(json) ? plainFields(json, keys(json)) : plain(json);
      }
      const names = keys(object);
      const parent = getPrototypeOf(object);
      if (names.length > 0 || parent === null || parent === prototype || getPrototypeOf(parent) === null)
        return plainFields(object, names);
      const iterate = (object as unknown as Partial<Iterable<unknown>>)[Symbol.iterator];
      if (typeof iterate === "function") return plainItems(listOf(object as unknown as Iterable<unknown>));
      return described(object);
    }

    function isRecord(value: unknown): value is Record<string, unknown> {
      return typeof value === "object" && value !== null && apply(tagOf, value, []) === "[object Object]";
    }

    function plain(value: unknown): unknown {
      count += 1;
      if (count > limits.values) stop("values");
      if (value === undefined) return undefined;
      if (value === null || typeof value === "boolean") return value;
      if (typeof value === "string") return text(value);
      if (is(value, -0)) return rawJSON === undefined ? 0 : rawJSON("-0");
      if (typeof value === "number") return isFinite(value) ? value : `${value}`;
      if (typeof value === "bigint") return text(`${value}`);
      if (typeof value !== "object") return described(value);
      for (let at = 0; at < above.length; at += 1) if (above[at] === value) return `[circular: ${pathOf(at)}]`;
      if (above.length >= MAX_DEPTH) return `[deeper than ${MAX_DEPTH} levels]`;
      above[above.length] = value;
      const depth = path.length;
      try {
        return plainObject(value as Record<string, unknown>);
      } catch (error) {
        if (exceeds !== undefined) throw error;
        path.length = depth;
        return described(value);
      } finally {
        above.length -= 1;
      }
    }

    try {
      const json = stringify(plain(root));
      return { __proto__: null, json, count } as ValueJson;
    } catch {
      // Only `stop` throws here, and texts that are too long for the engine.
      return { __proto__: null, exceeds: exceeds ?? "chars" } as ValueJson;
    } finally {
      above.length = 0;
      path.length = 0;
      spare = kept ?? spare;
    }
  }

  return {
    now: (root, limits) => toJson(root, limits, unsettled),
    async settled(root, limits) {
      const values = new NewWeakMap<object, unknown>();
      for (let round = 0; ; round += 1) {
        const promises = newList<Promise<unknown>>();
        const found = toJson(root, limits, values, promises);
        if (promises.length === 0 || round === MAX_ROUNDS) return found;
        for (let at = 0; at < promises.length; at += 1) {
          const promise = promises[at] as Promise<unknown>;
          apply(settleAs, values, [promise, await promise]);
        }
      }
    },
  };
}
