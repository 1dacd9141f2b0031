import { isMadeUpId, readCall, type SentCall, type ToolCall } from "../call/parse-call.ts";
import { canonicalText } from "../json/canonical-text.ts";
import { jsonOrReason } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import { failure, type ToolResult } from "../result/tool-result.ts";
import { recordEntry } from "./record-entry.ts";
import { isEntryOf, recordedEntry, restoreResult } from "./recorded-result.ts";
import { nextSequence, type Transcript, type TranscriptEntry } from "./transcript.ts";

/** A transcript that knows its calls by id and, for calls that had none, lists its entries. */
export type ReconcilableTranscript = Transcript &
  Required<Pick<Transcript, "find">> & { readonly entries?: readonly TranscriptEntry[] };

/**
 * Closes calls that were left open, for example because the process died: a call of a model's message that the
 * transcript has no entry of gets one, a failure with the code `interrupted`. No tool runs. Calling it again changes
 * nothing.
 *
 * @param transcript Must have `find`. A call without an id is looked for in `entries`, and counts as interrupted when
 * the transcript has none.
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
  transcript: ReconcilableTranscript,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const sent = calls.map(readCall);
  const unnamed = entriesWithoutIds(transcript, sent);
  const results: ToolResult[] = [];
  for (const [index, call] of sent.entries()) {
    const { name } = call;
    const id = call.id ?? idFor(call, index);
    const entry = unnamed[index] ?? (await recordedEntry(transcript, { ...call, id }));
    const result = entry === undefined ? interruptedResult(name) : restoreResult(entry.result);
    results.push(result);
    if (entry !== undefined) continue;
    const at = { startedAt: Date.now(), durationMs: 0, sequence: nextSequence() };
    await recordEntry(transcript, { callId: id, name, arguments: jsonOrReason(call.sent), result, ...at });
  }
  return results;
}

/**
 * The entries of calls that came without an id: their ids were made up when they ran. Each is among the last entries, as
 * many as the message has calls, so that the same call of an earlier message is not taken for it.
 */
function entriesWithoutIds(
  { entries = [] }: ReconcilableTranscript,
  calls: readonly SentCall[],
): readonly (TranscriptEntry | undefined)[] {
  const tail = entries.filter(({ parentCallId }) => parentCallId === undefined).slice(-calls.length);
  const open = tail.filter(({ callId }) => isMadeUpId(callId));
  return calls.map((call) => {
    const index = call.id === undefined ? open.findIndex((entry) => isEntryOf(entry, call)) : -1;
    return index === -1 ? undefined : open.splice(index, 1)[0];
  });
}

/** The same id each time, so that a call is closed once. */
function idFor({ name, sent }: SentCall, index: number): string {
  return `call_${sha256(canonicalText([name, jsonOrReason(sent) ?? null, index])).slice(0, 24)}`;
}

function interruptedResult(name: string): ToolResult {
  return failure(
    `${name} was interrupted: its result was never recorded, and it may have had effects. Check the state before you call it again`,
    { code: "interrupted", effects: "possible" },
  );
}
