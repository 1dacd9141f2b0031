import { maskSecrets } from "../error/describe-received.ts";
import { thrownMessage } from "../error/tool-error.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { parseJson } from "../json/parse-json.ts";
import { readDamagedParams } from "../repair/damaged-params.ts";
import type { Repair, RepairPolicy } from "../repair/repair.ts";

/**
 * A call as a model asked for it. Nothing in it is trusted.
 *
 * The parameters may stand under `arguments` (OpenAI, MCP), `input` (Anthropic) or `params`, as an object or as JSON
 * text. None at all means `{}`.
 */
export interface ToolCall {
  /** The provider's id of the call; made up when absent. */
  readonly id?: string | undefined;
  /**
   * Identifies the model's turn, such as the id of its message; `from…` functions read it from the provider's answer. With
   * it an id needs to be unique only within its turn: a recorded call of another turn is another call.
   */
  readonly turn?: string | undefined;
  /** The tool that is asked for. */
  readonly name: string;
  /** The parameters. */
  readonly arguments?: unknown;
  /** The parameters, by Anthropic's name. */
  readonly input?: unknown;
  /** The parameters, by this package's name. */
  readonly params?: unknown;
  /**
   * Why the answer ended before this call was complete, as the provider says it, such as `max_tokens`. The `from…`
   * readers set it. A call with it is answered with the failure `cut_off` and never executed.
   */
  readonly cutOff?: string | undefined;
  /**
   * `program` for a call of a program that the provider runs for the model. The `from…` readers set it. Default: the model
   * made the call itself.
   */
  readonly caller?: "program" | undefined;
}

/** A call as it was sent, as far as it could be read. */
export interface SentCall {
  /** The provider's id, `undefined` when it is missing or unusable. */
  readonly id: string | undefined;
  /** The turn, `undefined` when it is missing or unusable. */
  readonly turn?: string | undefined;
  /** The name, empty when there is none. */
  readonly name: string;
  /** The parameters as they were sent. */
  readonly sent: unknown;
  /** Why the call is incomplete. `undefined` for a complete one. */
  readonly cutOff?: string | undefined;
  /** Whether a program made it. */
  readonly caller?: "program" | undefined;
}

/** A call that has its id: the provider's, or one made up for it. */
export type IdentifiedCall = SentCall & { readonly id: string };

/** Reads a call, which is untrusted data of any type. Never throws. */
export function readCall(call: unknown): SentCall {
  try {
    if (!isJsonObject(call)) return { id: undefined, name: "", sent: call };
    const { id, turn, name, cutOff, caller } = call as Partial<ToolCall>;
    return {
      id: textOf(id),
      turn: textOf(turn),
      name: typeof name === "string" ? name : "",
      sent: call["arguments"] ?? call["input"] ?? call["params"],
      ...(typeof cutOff === "string" && { cutOff }),
      ...(caller === "program" && { caller }),
    };
  } catch {
    return { id: undefined, name: "", sent: undefined };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The parameters of a call with the repairs that reading them took, or why they cannot be read. */
export type ParsedParams =
  | { readonly params: unknown; readonly repairs?: readonly Repair[]; readonly error?: undefined }
  | { readonly error: string };

/** The parts of a tool that parsing depends on. */
interface CalledTool {
  readonly parameters: JsonSchema;
  readonly repair: RepairPolicy;
}

/** Parses the parameters of a call. Text that is not JSON is repaired or refused, never taken for `{}`. */
export function parseParams(sent: unknown, tool: CalledTool): ParsedParams {
  return typeof sent === "string" ? parseText(sent, tool) : { params: sent ?? {} };
}

function parseText(sent: string, { parameters, repair }: CalledTool): ParsedParams {
  try {
    return { params: parseJson(sent) };
  } catch (error) {
    if (sent.trim() === "") return { params: {} };
    const read = readDamagedParams(sent, parameters);
    if (read.reason === undefined && repair !== "off") {
      const message = `the arguments were not valid JSON: ${read.faults.join(", ")}`;
      return { params: read.value, repairs: [{ path: [], kind: "json_text", message }] };
    }
    const why = read.reason ?? `beside the object there is ${read.faults.join(", ")}`;
    const detail = maskSecrets(`${why} (${thrownMessage(error)})`).slice(0, MAX_DETAIL_CHARS);
    return { error: `the arguments are not valid JSON, ${detail}. Send them again as one JSON object` };
  }
}

/** Limit of the description of a fault in a text, in characters. */
const MAX_DETAIL_CHARS = 200;

let idPrefix: string | undefined;
let ids = 0;

/** An id for a call that came without one: unique in this process, and very likely among processes. */
export function makeCallId(): string {
  idPrefix ??= crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? "";
  ids += 1;
  return `call_${idPrefix}_${ids}`;
}

/** True for an id that {@link makeCallId} may have made, in this process or another. */
export function isMadeUpId(id: string): boolean {
  return /^call_[a-z0-9]+_\d+$/.test(id);
}
