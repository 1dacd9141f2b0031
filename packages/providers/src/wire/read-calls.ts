import type { AnswerEnd, ModelTurn, ToolCall } from "@dispatch/tools-interface";
import { isJsonObject, parseJson } from "@dispatch/tools-interface/internal";
import type { WireTools } from "./wire-tools.ts";

/** A call as it stands in a provider's message; each field may hold anything. */
export interface WireCall {
  readonly id: unknown;
  /** The provider's id of the message or response that holds the call, where it has one. */
  readonly turn?: unknown;
  readonly name: unknown;
  /** The arguments, as a value or as JSON text. */
  readonly params: unknown;
  /** Whether a program that the provider runs made the call. Default false. */
  readonly isProgram?: boolean;
}

/**
 * A call with the tool's own name and the arguments as the tool's own schema says them. Text that is not JSON stays text,
 * for the registry to repair or to report.
 */
export function readWireCall(
  { id, turn, name, params, isProgram = false }: WireCall,
  wire: Pick<WireTools, "names" | "decode"> | undefined,
): ToolCall {
  const wireName = typeof name === "string" ? name : "";
  return {
    ...(typeof id === "string" && id !== "" && { id }),
    ...(typeof turn === "string" && turn !== "" && { turn }),
    name: wire?.names.fromWire(wireName) ?? wireName,
    arguments: wire === undefined ? params : decodeParams(wireName, params, wire),
    ...(isProgram && { caller: "program" }),
  };
}

function decodeParams(wireName: string, params: unknown, wire: Pick<WireTools, "decode">): unknown {
  if (typeof params !== "string" || params.trim() === "") return wire.decode(wireName, params);
  try {
    return wire.decode(wireName, parseJson(params));
  } catch {
    return params;
  }
}

/** The objects in a list, for a message that may be anything. */
export function objectsIn(list: unknown): readonly { readonly [key: string]: unknown }[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** A field of a value that may not be an object. */
export function fieldOf(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}

/** The sum of the numbers among the values, for counts that may be absent. `undefined` when all are, or one is no count. */
export function sumOf(...counts: readonly unknown[]): number | undefined {
  const given = counts.filter((count) => count !== undefined && count !== null);
  const sound = given.filter((count): count is number => typeof count === "number" && count >= 0);
  return given.length > 0 && sound.length === given.length ? sound.reduce((sum, count) => sum + count, 0) : undefined;
}

/** The reason that stands for an answer whose end never came: a stream that broke off, or that is not over. */
const UNFINISHED = "unfinished";

/**
 * Marks the call in which an answer was cut off, so that it is never executed: its arguments may be incomplete and
 * still be valid. Calls before it are complete.
 *
 * @param calls - The calls of an answer, in order.
 * @param reason - The provider's reason for the end of the answer. `undefined` if it gives none, `null` while the
 * answer goes on.
 * @param complete - The reasons of a complete answer, in lower case. Any other one is taken for a cut.
 * @param endsInCall - Whether the last piece of the answer is the last call. Default true.
 */
export function markCutOff(
  calls: ToolCall[],
  reason: unknown,
  complete: ReadonlySet<string>,
  endsInCall = true,
): ToolCall[] {
  const last = calls.at(-1);
  if (last === undefined || !endsInCall || reason === undefined) return calls;
  const cutOff = typeof reason === "string" ? reason : UNFINISHED;
  return complete.has(cutOff.toLowerCase()) ? calls : [...calls.slice(0, -1), { ...last, cutOff }];
}

/** A provider's reasons for the end of an answer, in lower case, grouped by the loop's reaction. */
export type AnswerEnds = Readonly<Partial<Record<Exclude<AnswerEnd, "stopped">, ReadonlySet<string>>>>;

/** How an answer ended. An unknown reason stops a loop, because its meaning is unknown. */
export function endOfAnswer(reason: unknown, ends: AnswerEnds): Pick<ModelTurn, "end" | "reason"> {
  if (reason === undefined) return {};
  if (typeof reason !== "string") return { end: "stopped", reason: UNFINISHED };
  const known = (["complete", "paused", "length"] as const).find((end) => ends[end]?.has(reason.toLowerCase()));
  return { end: known ?? "stopped", reason };
}
