/**
 * Makes the function that prints a value as a console does. Runs inside QuickJS, sent there as source, so it uses
 * nothing from outside itself and takes everything it needs before the program starts. Calls no getter and no method of
 * a value, except those of a proxy.
 */
export function guestInspect(): (value: unknown) => string {
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { isArray } = Array;
  const { is, prototype } = Object;
  const { isView } = ArrayBuffer;
  const { stringify } = JSON;
  const { Error, RegExp, Map, Set } = globalThis;
  const tagOf = prototype.toString;
  const { toISOString, getTime } = Date.prototype;
  const { forEach: eachEntry } = Map.prototype;
  const { forEach: eachItem } = Set.prototype;
  const regExpText = RegExp.prototype.toString;
  const functionText = Function.prototype.toString;
  const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
  const { test } = RegExp.prototype;
  const MAX_DEPTH = 6;
  const MAX_ITEMS = 200;
  const MAX_CHARS = 10_000;
  const MAX_WIDTH = 100;
  /** So that a value with many branches ends. */
  const MAX_VALUES = 20_000;

  function nameOf(object: object): string {
    for (let at: object | null = object; at !== null; at = getPrototypeOf(at)) {
      const maker = getOwnPropertyDescriptor(at, "constructor")?.value as unknown;
      if (typeof maker === "function") {
        const name = getOwnPropertyDescriptor(maker, "name")?.value as unknown;
        return typeof name === "string" ? name : "";
      }
    }
    return "[Object: null prototype]";
  }

  function quoted(text: string): string {
    const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
    return !shown.includes('"') || shown.includes("'")
      ? stringify(shown)
      : `'${stringify(shown).slice(1, -1).split('\\"').join('"')}'`;
  }

  function errorText(error: Error): string {
    const own = (name: string): unknown => {
      for (let at: object | null = error; at !== null; at = getPrototypeOf(at)) {
        const found = getOwnPropertyDescriptor(at, name);
        if (found !== undefined) return found.value;
      }
      return undefined;
    };
    const [name, message, stack] = [own("name"), own("message"), own("stack")];
    const head = `${typeof name === "string" ? name : "Error"}${typeof message === "string" && message !== "" ? `: ${message}` : ""}`;
    const frames = typeof stack === "string" ? stack.split("\n").filter((line) => line.startsWith("    at ")) : [];
    return [head, ...frames].join("\n");
  }

  return (root) => {
    const above: unknown[] = [];
    let count = 0;

    function joined(open: string, parts: readonly string[], close: string): string {
      if (parts.length === 0) return `${open}${close}`;
      const line = `${open} ${parts.join(", ")} ${close}`;
      const outer = "  ".repeat(above.length - 1);
      if (line.length + outer.length <= MAX_WIDTH && !line.includes("\n")) return line;
      return `${open}\n${parts.map((part) => `${outer}  ${part}`).join(",\n")}\n${outer}${close}`;
    }

    function rest(all: number, shown: number): readonly string[] {
      return all > shown ? [`… ${all - shown} more item${all - shown === 1 ? "" : "s"}`] : [];
    }

    function fields(object: object, skipsIndices: boolean): string[] {
      const parts: string[] = [];
      let left = 0;
      for (const key of ownKeys(object)) {
        if (skipsIndices && typeof key === "string" && /^\d+$/.test(key)) continue;
        const found = getOwnPropertyDescriptor(object, key);
        if (found?.enumerable !== true) continue;
        if (parts.length >= MAX_ITEMS) {
          left += 1;
          continue;
        }
        const name = typeof key === "symbol" ? `[${String(key)}]` : apply(test, IDENTIFIER, [key]) ? key : quoted(key);
        const value =
          found.get !== undefined || found.set !== undefined
            ? found.get === undefined
              ? "[Setter]"
              : found.set === undefined
                ? "[Getter]"
                : "[Getter/Setter]"
            : show(found.value);
        parts.push(`${name}: ${value}`);
      }
      return left > 0 ? [...parts, `… ${left} more fields`] : parts;
    }

    function inside(object: object): string {
      const name = nameOf(object);
      if (isArray(object) || (isView(object) && "length" in object)) {
        const list = object as unknown as readonly unknown[];
        const items: string[] = [];
        for (let at = 0; at < list.length && at < MAX_ITEMS; at += 1)
          items.push(at in list ? show(list[at]) : "<empty>");
        const open = name === "Array" ? "[" : `${name}(${list.length}) [`;
        return joined(
          open,
          [...items, ...rest(list.length, MAX_ITEMS), ...(isArray(object) ? fields(object, true) : [])],
          "]",
        );
      }
      const parts: string[] = [];
      switch (apply(tagOf, object, [])) {
        case "[object Map]": {
          const map = object as Map<unknown, unknown>;
          apply(eachEntry, map, [
            (value: unknown, key: unknown) => {
              if (parts.length < MAX_ITEMS) parts.push(`${show(key)} => ${show(value)}`);
            },
          ]);
          return joined(`${name}(${map.size}) {`, [...parts, ...rest(map.size, MAX_ITEMS)], "}");
        }
        case "[object Set]": {
          const set = object as Set<unknown>;
          apply(eachItem, set, [
            (value: unknown) => {
              if (parts.length < MAX_ITEMS) parts.push(show(value));
            },
          ]);
          return joined(`${name}(${set.size}) {`, [...parts, ...rest(set.size, MAX_ITEMS)], "}");
        }
        case "[object Date]":
          return Number.isNaN(apply(getTime, object, [])) ? "Invalid Date" : apply(toISOString, object, []);
        case "[object RegExp]":
          return apply(regExpText, object, []);
        case "[object WeakMap]":
        case "[object WeakSet]":
          return `${name} { <items unknown> }`;
        case "[object Promise]":
          return "Promise { … }";
        case "[object Number]":
        case "[object Boolean]":
        case "[object String]":
          return `[${name}: ${show(object.valueOf())}]`;
      }
      if (object instanceof Error) {
        const more = fields(object, false).filter((part) => !/^(?:name|message|stack): /.test(part));
        return more.length === 0 ? errorText(object) : `${errorText(object)} ${joined("{", more, "}")}`;
      }
      const own = fields(object, false);
      if (name === "Object") return joined("{", own, "}");
      return joined(`${name} {`, own, "}");
    }

    function show(value: unknown): string {
      count += 1;
      if (count > MAX_VALUES) return "…";
      switch (typeof value) {
        case "string":
          return quoted(value);
        case "number":
          return is(value, -0) ? "-0" : `${value}`;
        case "bigint":
          return `${value}n`;
        case "symbol":
          return String(value);
        case "function": {
          const name = getOwnPropertyDescriptor(value, "name")?.value as unknown;
          const shown = typeof name === "string" && name !== "" ? name : "(anonymous)";
          if (apply(functionText, value, []).startsWith("class")) return `[class ${shown}]`;
          return shown === "(anonymous)" ? `[Function ${shown}]` : `[Function: ${shown}]`;
        }
        case "boolean":
        case "undefined":
          return `${value}`;
        case "object":
          break;
      }
      if (value === null) return "null";
      if (above.includes(value)) return "[Circular]";
      if (above.length >= MAX_DEPTH) return isArray(value) ? "[Array]" : `[${nameOf(value)}]`;
      above.push(value);
      try {
        return inside(value);
      } catch {
        return "[cannot be printed]";
      } finally {
        above.length -= 1;
      }
    }

    return show(root);
  };
}
