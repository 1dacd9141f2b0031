import type { CutValue } from "../code-outcome.ts";
import type { FrameSink } from "./frame-reader.ts";
import { JsonStream, type JsonStreamLimits } from "./json-stream.ts";

/** An error as the harness reports it. */
export interface ChildError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Whether it is a failed tool call that was not caught. */
  readonly tool: boolean;
  /** Whether the program's return value is too long. */
  readonly output: boolean;
  /** Whether the program waits for a promise that nothing can settle. */
  readonly unsettled?: boolean;
  /** The module that could not be parsed, if the failure is a parse error. */
  readonly unparsed: Unparsed | undefined;
}

/** A module that is not TypeScript. */
export interface Unparsed {
  readonly url: string;
  /** Text that the harness put before the program on its first line. */
  readonly prefix: string;
}

/** A message from a sandboxed process. Untrusted: the program may have written it. */
export type ChildMessage =
  | { readonly t: "ready"; readonly version: string }
  | { readonly t: "call"; readonly id: number; readonly name: string; readonly params: unknown }
  /** One way to read the program failed; others are tried. */
  | { readonly t: "syntax"; readonly message: string; readonly unparsed: Unparsed }
  | {
      readonly t: "done";
      readonly value: unknown;
      readonly cut?: CutValue | undefined;
      readonly error: ChildError | undefined;
    };

/** Nesting of parameters. Deeper ones could exhaust the stack of code that walks them. */
const MAX_DEPTH = 200;
/** Text of an error, which a model reads. */
const MAX_ERROR_CHARS = 8_000;
/** `__proto__`, or a number as a key, in plain or escaped letters. */
const SPECIAL_KEY = /__proto__|\\u|"\d{2,4}"\s*:/;
/** Longer names are no tool's. */
const MAX_NAME_CHARS = 200;

/** Parses a short message. Returns `undefined` for an invalid one, and for one that holds more values than allowed. */
export function parseChildMessage(json: string, maxValues: number): ChildMessage | undefined {
  if (SPECIAL_KEY.test(json)) {
    let found: ChildMessage | undefined;
    const stream = childMessageStream(maxValues, (message) => (found = message));
    stream.push(Buffer.from(json));
    stream.end();
    return found;
  }
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return undefined;
  }
  // A level takes two characters, and so does a value, but for the last one.
  const isSmall = json.length <= 2 * Math.min(MAX_DEPTH, maxValues);
  return isSmall || isWithin(raw, { depth: MAX_DEPTH, values: maxValues }) ? toChildMessage(raw) : undefined;
}

/** Reads a message in pieces. */
export function childMessageStream(
  maxValues: number,
  onMessage: (message: ChildMessage | undefined) => void,
): FrameSink {
  const stream = new JsonStream({ depth: MAX_DEPTH, values: maxValues });
  return {
    push: (piece) => stream.push(piece),
    end: () => {
      const read = stream.end();
      onMessage(read && toChildMessage(read.value));
    },
  };
}

function toChildMessage(raw: unknown): ChildMessage | undefined {
  if (!isRecord(raw)) return undefined;
  switch (raw["t"]) {
    case "ready":
      return typeof raw["version"] === "string" ? { t: "ready", version: raw["version"] } : undefined;
    case "call": {
      const { id, name, params } = raw;
      return Number.isSafeInteger(id) && typeof name === "string"
        ? { t: "call", id: id as number, name: shortName(name), params }
        : undefined;
    }
    case "syntax": {
      const unparsed = unparsedOf(raw);
      return unparsed && { t: "syntax", message: textOf(raw["message"]).slice(0, MAX_ERROR_CHARS), unparsed };
    }
    case "done":
      return { t: "done", value: raw["value"], ...cutOf(raw["cut"]), error: errorOf(raw["error"]) };
    default:
      return undefined;
  }
}

function cutOf(raw: unknown): { readonly cut?: CutValue } {
  if (!isRecord(raw) || !Number.isSafeInteger(raw["chars"])) return {};
  const { chars, json } = raw;
  return { cut: { chars: chars as number, json: typeof json === "string" ? json : undefined } };
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
    unsettled: error["unsettled"] === true,
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

/** A part of a text would keep all of it in memory. */
function shortName(name: string): string {
  return name.length <= MAX_NAME_CHARS ? name : `${Buffer.from(name.slice(0, MAX_NAME_CHARS - 1)).toString()}…`;
}

function isWithin(root: unknown, limits: JsonStreamLimits): boolean {
  let count = 0;
  const visit = (value: unknown, depth: number): boolean => {
    count += 1;
    if (count > limits.values) return false;
    if (typeof value !== "object" || value === null) return true;
    return depth > 0 && Object.values(value).every((inner) => visit(inner, depth - 1));
  };
  return visit(root, limits.depth);
}
