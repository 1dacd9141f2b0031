import { type OptionNames, unknownName } from "../error/check-options.ts";
import { closestMatch } from "../error/closest-match.ts";
import { maskSecrets } from "../error/describe-received.ts";
import { describeIssues, type Issue } from "../error/issue.ts";
import { thrownMessage } from "../error/tool-error.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { type JsonLoss, LossyJsonError, parseJson } from "../json/parse-json.ts";
import { readDamagedParams } from "../repair/damaged-json.ts";
import { locationAt, rootLocation } from "../repair/instance-location.ts";
import { applyRepairs } from "../repair/propose-repair.ts";
import type { Repair, RepairPolicy } from "../repair/repair.ts";
import { type Alternatives, kindsOf } from "../schema/schema-node.ts";

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
  /** Describes a field that no call has, or parameters that stand there twice: the call must not run. */
  readonly fault?: string | undefined;
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
    const fault = faultOf(call);
    return {
      id: textOf(id),
      turn: textOf(turn),
      name: typeof name === "string" ? name : "",
      sent: call["arguments"] ?? call["input"] ?? call["params"],
      ...(typeof cutOff === "string" && { cutOff }),
      ...(caller === "program" && { caller }),
      ...(fault !== undefined && { fault }),
    };
  } catch {
    return { id: undefined, name: "", sent: undefined };
  }
}

const FIELDS: OptionNames<ToolCall> & { readonly type: true } = {
  id: true,
  turn: true,
  name: true,
  arguments: true,
  input: true,
  params: true,
  cutOff: true,
  caller: true,
  // Of Anthropic's `tool_use` blocks.
  type: true,
};
const PARAMETERS = ["arguments", "input", "params"] as const;

/** A call with its parameters under another name would run without any. */
function faultOf(call: { readonly [key: string]: unknown }): string | undefined {
  const given = PARAMETERS.filter((name) => call[name] !== undefined && call[name] !== null);
  if (given.length > 1) return `it has parameters under ${given.map((name) => JSON.stringify(name)).join(" and ")}`;
  const unknown = unknownName(call, FIELDS);
  if (unknown === undefined) return undefined;
  const near = closestMatch(unknown, Object.keys(FIELDS));
  const found = `found the field ${JSON.stringify(unknown.slice(0, 100))}`;
  if (near !== undefined) return `${found}, did you mean ${JSON.stringify(near)}`;
  return given.length === 0 ? `${found}, send the parameters as "arguments"` : `${found}, which no call has`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The parameters of a call with the repairs that reading them took, or why they cannot be read. */
type ParsedParams =
  | { readonly params: unknown; readonly repairs?: readonly Repair[]; readonly error?: undefined }
  | {
      readonly error: string;
      /** The parts of JSON text that would not arrive as they were sent. Absent when the text is not JSON. */
      readonly issues?: readonly Issue[];
    };

/** The parts of a tool that parsing depends on. */
interface CalledTool {
  readonly parameters: JsonSchema;
  readonly repair: RepairPolicy;
}

/**
 * Parses the parameters of a call. Text that is not JSON, or whose value would not be what it says, is repaired or refused,
 * never taken for `{}`.
 */
export function parseParams(sent: unknown, tool: CalledTool): ParsedParams {
  return typeof sent === "string" ? parseText(sent, tool) : { params: sent ?? {} };
}

function parseText(sent: string, { parameters, repair }: CalledTool): ParsedParams {
  try {
    return { params: parseJson(sent) };
  } catch (error) {
    if (error instanceof LossyJsonError) return keepAll(sent, error, { parameters, repair });
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

/** Repairs the losses of a JSON text if each has one reading: a field sent twice alike, the digits of a string. */
function keepAll(sent: string, { losses, others }: LossyJsonError, { parameters, repair }: CalledTool): ParsedParams {
  const params: unknown = JSON.parse(sent);
  const root = rootLocation(params, parameters);
  const changes = losses.map((loss) => kept(loss, locationAt(root, loss.path, parameters).allowed));
  if (repair !== "off" && others === 0 && changes.every((change) => change !== undefined)) {
    return {
      params: applyRepairs(
        params,
        changes.filter(({ value }) => value !== undefined),
      ),
      repairs: changes.map(({ path, kind, message }) => ({ path, kind, message })),
    };
  }
  const left = losses.filter((_, index) => repair === "off" || changes[index] === undefined);
  const issues = left.map(({ path, message }) => ({ path, message }));
  const error = describeIssues(
    "some arguments would not arrive as they were sent",
    { issues, others },
    "Send them again",
  );
  return { error, issues };
}

function kept(
  { kind, path, digits }: JsonLoss,
  allowed: Alternatives,
): (Repair & { readonly value?: string }) | undefined {
  if (kind === "repeated") {
    return {
      path,
      kind: "repeat_dropped",
      message: "the field had been sent more than once, each time with this value",
    };
  }
  if (digits === undefined || !allowed.some((one) => kindsOf(one)?.includes("string"))) return undefined;
  return {
    path,
    kind: "to_string",
    message: "a number without room for its digits became a string of them",
    value: digits,
  };
}

/** Limit of the description of a fault in a text, in characters. */
const MAX_DETAIL_CHARS = 200;

let idPrefix: string | undefined;
let ids = 0;

/** An id for a call that came without one: unique in this process, and very likely among processes. */
export function makeCallId(): string {
  // Joined once: a recorded call takes 6 % longer with an id of three parts.
  idPrefix ??= `call_${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}_`;
  ids += 1;
  return `${idPrefix}${ids}`;
}

/** True for an id that {@link makeCallId} may have made, in this process or another. */
export function isMadeUpId(id: string): boolean {
  return /^call_[a-z0-9]+_\d+$/.test(id);
}

/** Who gets the result of a call: a model, another tool, or a program that a tool runs. */
export type ToolCaller = "model" | "tool" | "program";

/** A call whose tool makes another call. */
export interface ParentCall {
  /** Identifies the call. */
  readonly callId: string;
  /** Name of its tool. */
  readonly name: string;
  /** `program` when a program makes the call, which the tool runs. */
  readonly caller?: "program";
}

/** For a call that no tool makes. */
export const NO_PARENTS: readonly ParentCall[] = Object.freeze([]);

/** The caller of a call: the host's own code if a tool makes it. */
export function callerOf(caller: "program" | undefined, parents: readonly ParentCall[]): ToolCaller {
  const parent = parents.at(-1);
  return parent === undefined ? (caller ?? "model") : (parent.caller ?? "tool");
}

/** A call as events and middleware name it. */
export interface CallOf {
  /** Identifies the call. */
  readonly callId: string;
  /** The call during which this one was made, for nested calls. */
  readonly parentCallId: string | undefined;
  /** The name that was asked for, registered or not. */
  readonly name: string;
}
