/** An error as the harness reports it. */
export interface ChildError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Whether it is a failed tool call that was not caught. */
  readonly tool: boolean;
  /** Whether what the program returned is too long. */
  readonly output: boolean;
  /** The module that could not be parsed, when that is what went wrong. */
  readonly unparsed: Unparsed | undefined;
}

/** A module that is not TypeScript. */
export interface Unparsed {
  /** Its URL, which is in the message. */
  readonly url: string;
  /** What the harness put before the program on its first line. */
  readonly prefix: string;
}

/** A message from a sandboxed process. Untrusted: the program may have written it. */
export type ChildMessage =
  | { readonly t: "ready"; readonly version: string }
  | { readonly t: "call"; readonly id: number; readonly name: string; readonly params: unknown }
  /** One way to read the program failed; others are tried. */
  | { readonly t: "syntax"; readonly message: string; readonly unparsed: Unparsed }
  | { readonly t: "done"; readonly value: unknown; readonly error: ChildError | undefined };

/** Nesting of parameters. Deeper ones could exhaust the stack of code that walks them. */
const MAX_DEPTH = 200;
/** Text of an error, which a model reads. */
const MAX_ERROR_CHARS = 8_000;
/** `__proto__` in plain or escaped letters. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u/;

/** Parses a message. Returns `undefined` for an invalid one. */
export function parseChildMessage(json: string): ChildMessage | undefined {
  let raw: unknown;
  try {
    raw = MAY_NAME_PROTOTYPE.test(json) ? JSON.parse(json, dropPrototype) : JSON.parse(json);
  } catch {
    return undefined;
  }
  // Each level takes two brackets.
  if (!isRecord(raw) || (json.length > 2 * MAX_DEPTH && !isShallow(raw, MAX_DEPTH))) return undefined;
  switch (raw["t"]) {
    case "ready":
      return typeof raw["version"] === "string" ? { t: "ready", version: raw["version"] } : undefined;
    case "call": {
      const { id, name, params } = raw;
      return Number.isSafeInteger(id) && typeof name === "string"
        ? { t: "call", id: id as number, name, params }
        : undefined;
    }
    case "syntax": {
      const unparsed = unparsedOf(raw);
      return unparsed && { t: "syntax", message: textOf(raw["message"]).slice(0, MAX_ERROR_CHARS), unparsed };
    }
    case "done":
      return { t: "done", value: "text" in raw ? textOf(raw["text"]) : raw["value"], error: errorOf(raw["error"]) };
    default:
      return undefined;
  }
}

function errorOf(raw: unknown): ChildError | undefined {
  if (raw === undefined) return undefined;
  const error = isRecord(raw) ? raw : {};
  return {
    name: textOf(error["name"]).slice(0, 200),
    message: textOf(error["message"]).slice(0, MAX_ERROR_CHARS),
    stack: textOf(error["stack"]).slice(0, MAX_ERROR_CHARS),
    tool: error["tool"] === true,
    output: error["output"] === true,
    unparsed: unparsedOf(error),
  };
}

function unparsedOf({ url, prefix }: Record<string, unknown>): Unparsed | undefined {
  return typeof url === "string" && url !== "" && typeof prefix === "string" ? { url, prefix } : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

/** An own `__proto__` would become a prototype in the next copy or merge. */
function dropPrototype(this: unknown, key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}
