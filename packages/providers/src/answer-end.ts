import type { AnswerEnd, ModelTurn, ToolCall } from "@dispatch/tools-interface";

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
