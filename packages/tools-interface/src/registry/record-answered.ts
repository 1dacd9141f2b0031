import { readCall, type ToolCall } from "../call/parse-call.ts";
import { jsonOrReason } from "../json/json.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { recordedEntry } from "../transcript/recorded-result.ts";
import { recordEntry, nextSequence } from "../transcript/transcript.ts";
import type { DispatchOptions } from "./dispatch-options.ts";
import { notify } from "./tool-event.ts";

/**
 * Records a call that an agent's library answered by itself, without dispatching it. A call that is in the transcript
 * already keeps its entry. Never rejects: errors of the transcript are reported to observers.
 */
export async function recordAnswered(
  call: ToolCall & { readonly id: string },
  result: ToolResult,
  { transcript, onEvent, recordTimeoutMs }: DispatchOptions,
): Promise<void> {
  if (transcript === undefined) return;
  const { id, turn, name, sent } = { ...readCall(call), id: call.id };
  const recorded = jsonOrReason(sent);
  try {
    if ((await recordedEntry(transcript, { id, turn, name, sent: recorded })) !== undefined) return;
    const scope = turn === undefined ? {} : { turn };
    const at = { startedAt: Date.now(), durationMs: 0, sequence: nextSequence() };
    await recordEntry(transcript, { callId: id, ...scope, name, arguments: recorded, result, ...at }, recordTimeoutMs);
  } catch (error) {
    notify(onEvent, { type: "transcript-error", callId: id, parentCallId: undefined, name, error });
  }
}
