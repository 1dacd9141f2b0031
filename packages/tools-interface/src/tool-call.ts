import { isJsonObject } from "./json.ts";
import { thrownMessage } from "./tool-error.ts";

/**
 * A call as a model asked for it. Nothing in it is trusted.
 *
 * The parameters may stand under `arguments` (OpenAI, MCP), `input` (Anthropic) or `params`, as an object or as JSON
 * text. None at all means `{}`.
 */
export interface ToolCall {
  /** The provider's id of the call; made up when absent. */
  readonly id?: string | undefined;
  /** The tool that is asked for. */
  readonly name: string;
  /** The parameters. */
  readonly arguments?: unknown;
  /** The parameters, by Anthropic's name. */
  readonly input?: unknown;
  /** The parameters, by this package's name. */
  readonly params?: unknown;
}

/** A call taken apart: either its parameters, or why they cannot be read. */
export type ParsedCall = { readonly params: unknown; readonly error?: undefined } | { readonly error: string };

/** Takes the parameters out of a call. Text that is not JSON is reported as such, never taken for `{}`. */
export function parseCall(call: ToolCall): ParsedCall {
  const raw = call.arguments ?? call.input ?? call.params ?? {};
  if (typeof raw !== "string") return { params: raw };
  if (raw.trim() === "") return { params: {} };
  try {
    return { params: MAY_NAME_PROTOTYPE.test(raw) ? JSON.parse(raw, dropPrototype) : JSON.parse(raw) };
  } catch (error) {
    return { error: `the arguments are not valid JSON, ${thrownMessage(error)}. Send them again as one JSON object` };
  }
}

/** `__proto__` in plain or escaped letters. A reviver makes parsing several times slower, so it runs only where needed. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u/;

/** `JSON.parse` makes an own `__proto__` key, which a later copy or merge would turn into a prototype. */
function dropPrototype(this: unknown, key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

/** The name of a call if it has one that can be looked up. A call is untrusted data, whatever its type says. */
export function nameOf(call: unknown): string | undefined {
  return isJsonObject(call) && typeof call["name"] === "string" ? call["name"] : undefined;
}

let idPrefix: string | undefined;
let ids = 0;

/** An id for a call that came without one: unique in this process, and very likely among processes. */
export function makeCallId(): string {
  idPrefix ??= crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? "";
  ids += 1;
  return `call_${idPrefix}_${ids}`;
}
