import { nextTurn } from "../call/calls-in-flight.ts";
import { isMadeUpId, readCall, type SentCall, type ToolCall } from "../call/parse-call.ts";
import { canonicalText, jsonOrReason } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import { unreadableResult } from "../registry/dispatcher.ts";
import { failure, type ToolResult, type ToolResultRecord } from "../result/tool-result.ts";
import { isNumberedId, isSameTurn, recordedEntry, resultOf } from "./recorded-result.ts";
import { argumentsText, type TranscriptEntry } from "./transcript-entry.ts";
import { entryNow, recordEntry, type Transcript } from "./transcript.ts";

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
  const turn = nextTurn();
  if (turn !== undefined) await turn;
  // Not `map`, which skips holes. Arguments are compared in the form in which they are recorded.
  const sent = Array.from(calls, (call) => {
    const read = readCall(call);
    return { ...read, sent: jsonOrReason(read.sent) };
  });
  const found = entriesOfTail(transcript, sent);
  const results: ToolResult[] = [];
  for (const [index, call] of sent.entries()) {
    const { name } = call;
    const id = call.id ?? idFor(call, index);
    const isAmbiguous = call.turn === undefined && call.id !== undefined && isNumberedId(call.id, name);
    const isSearched = isAmbiguous && transcript.entries !== undefined;
    const entry = found[index] ?? (isSearched ? undefined : await recordedEntry(transcript, { ...call, id }));
    const result = entry === undefined ? interruptedResult(name) : readableResult(entry);
    results.push(result);
    if (entry !== undefined) continue;
    await recordEntry(transcript, entryNow({ ...call, id }, result));
  }
  return results;
}

/**
 * The entries of calls that came without an id, so that one was made up when they ran, or with a number, which comes with
 * every message. Each is among the last entries of calls that ran, as many as the message has calls, so that the same call
 * of an earlier message is not taken for it.
 */
function entriesOfTail(
  { entries = [] }: ReconcilableTranscript,
  calls: readonly SentCall[],
): readonly (TranscriptEntry | undefined)[] {
  const own = entries.filter(({ parentCallId }) => parentCallId === undefined);
  const ran = own.filter((entry) => !isInterrupted(entry)).slice(-calls.length);
  // Entries that this function made are further ones: it finds the same the next time.
  const [first] = ran;
  const since = first === undefined ? own : own.slice(own.indexOf(first));
  const open = new Map<string, TranscriptEntry[]>();
  for (const entry of [...ran, ...since.filter(isInterrupted)]) {
    const { callId, name, arguments: sent, argumentsDigest } = entry;
    for (const id of isMadeUpId(callId) ? [callId, undefined] : [callId]) {
      const key = keyOf({ id, name, sent, digest: argumentsDigest });
      const alike = key === undefined ? undefined : open.get(key);
      if (alike !== undefined) alike.push(entry);
      else if (key !== undefined) open.set(key, [entry]);
    }
  }
  const taken = new Set<TranscriptEntry>();
  return calls.map((call) => {
    const key = keyOf(call);
    const alike = key === undefined ? [] : (open.get(key) ?? []);
    const index = alike.findIndex((entry) => !taken.has(entry) && isSameTurn(entry, call));
    const [found] = index === -1 ? [] : alike.splice(index, 1);
    if (found !== undefined) taken.add(found);
    return found;
  });
}

/**
 * A text that a call shares with its entry, and that each makes once: comparing every call with every entry would take the
 * square of their number. `undefined` for arguments that JSON cannot hold, which are never the same.
 *
 * @param call.id `undefined` stands for every id that was made up.
 */
function keyOf(call: {
  readonly id: string | undefined;
  readonly name: string;
  readonly sent: unknown;
  readonly digest?: string | undefined;
}): string | undefined {
  try {
    return JSON.stringify([call.id, call.name, call.digest ?? sha256(argumentsText(call.sent))]);
  } catch {
    return undefined;
  }
}

/** The result in an entry; a failure where what stands there is none, so that the other calls get theirs. */
function readableResult(entry: TranscriptEntry): ToolResult {
  try {
    return resultOf(entry);
  } catch {
    return unreadableResult(entry.name);
  }
}

function isInterrupted({ result }: TranscriptEntry): boolean {
  return !result.success && (result as Partial<ToolResultRecord>).code === "interrupted";
}

/** The same id each time, so that a call is closed once. */
function idFor({ name, sent }: SentCall, index: number): string {
  return `call_${sha256(canonicalText([name, sent ?? null, index])).slice(0, 24)}`;
}

function interruptedResult(name: string): ToolResult {
  return failure(
    `${name} was interrupted: its result was never recorded, and it may have had effects. Check the state before you call it again`,
    { code: "interrupted", effects: "possible" },
  );
}
