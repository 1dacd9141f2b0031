import { makeCallId, readCall, type ToolCall } from "../call/parse-call.ts";
import { jsonOrReason } from "../json/json.ts";
import { failure, type ToolResult } from "../result/tool-result.ts";
import { recordEntry } from "./record-entry.ts";
import { recordedResult } from "./recorded-result.ts";
import { nextSequence, type Transcript } from "./transcript.ts";

/**
 * Closes calls that were left open, for example because the process died: a call of a model's message that the
 * transcript has no entry of gets one, a failure with the code `interrupted`. No tool runs.
 *
 * @param transcript Must have `find`.
 * @param calls The calls of the last message, as the model made them.
 * @returns A result for each call, in their order: recorded before, or just now. Providers refuse a conversation in which
 * a call has none.
 *
 * @example
 * ```ts
 * const transcript = createTranscript(JSON.parse(await readFile("transcript.json", "utf8")));
 * const results = await reconcile(transcript, fromAnthropicMessage(lastMessage, wire));
 * ```
 */
export async function reconcile(
  transcript: Transcript & Required<Pick<Transcript, "find">>,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  for (const call of calls) {
    const { id: callId = makeCallId(), name, sent } = readCall(call);
    const recorded = await recordedResult(transcript, { id: callId, name, sent });
    const result = recorded ?? interruptedResult(name);
    results.push(result);
    if (recorded !== undefined) continue;
    const at = { startedAt: Date.now(), durationMs: 0, sequence: nextSequence() };
    await recordEntry(transcript, { callId, name, arguments: jsonOrReason(sent), result, ...at });
  }
  return results;
}

function interruptedResult(name: string): ToolResult {
  return failure(
    `${name} was interrupted: its result was never recorded, and it may have had effects. Check the state before you call it again`,
    { code: "interrupted", effects: "possible" },
  );
}
