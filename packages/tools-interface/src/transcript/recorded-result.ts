import type { IdentifiedCall } from "../call/parse-call.ts";
import { sha256 } from "../json/sha256.ts";
import { failure, readResult, type ToolResult, type ToolResultRecord } from "../result/tool-result.ts";
import { argumentsText, type TranscriptEntry } from "./transcript-entry.ts";
import { settledInTime, type Transcript, TRANSCRIPT_TIMEOUT_MS } from "./transcript.ts";

/**
 * The replay of a call: its recorded result, or `undefined`. A call that had no effects, such as a denied one, does not count: it can
 * be dispatched again and may run then. Where the turn of the call or of the entry is unknown, the id has to identify the call.
 * Rejects when the transcript does.
 *
 * @param isHarmless Whether running the call again changes nothing.
 */
export async function recordedResult(
  transcript: Transcript,
  call: IdentifiedCall,
  isHarmless: boolean,
): Promise<ToolResult | undefined> {
  const isIdentified = identifiesCall(transcript, call, isHarmless);
  if (!isIdentified && call.turn === undefined) return undefined;
  const entry = await recordedEntry(transcript, call);
  if (entry === undefined || hadNoEffects(entry.result)) return undefined;
  return isIdentified || entry.turn !== undefined ? resultOf(entry) : undefined;
}

/** The result in an entry, or a failure in place of one that the transcript has dropped from memory. */
export function resultOf({ name, result, resultDropped }: TranscriptEntry): ToolResult {
  if (resultDropped !== true) return readResult(result);
  return failure(
    `${name} has been answered before, and its result was dropped from memory since. It did not run again; look at what it did before you call it anew`,
    { code: "result_dropped", effects: "possible" },
  );
}

/** The entry of a call, or `undefined`. One with the same id but another turn, tool or arguments does not count. */
export async function recordedEntry(
  transcript: Transcript,
  call: IdentifiedCall,
): Promise<TranscriptEntry | undefined> {
  const found = transcript.find?.(call.id, call.turn);
  if (!isFound(found)) return undefined;
  const entry = "then" in found ? await settledInTime(found, TRANSCRIPT_TIMEOUT_MS, "transcript.find") : found;
  return isFound(entry) && isEntryOf(entry, call) ? entry : undefined;
}

/** A database answers `null` for missing values. */
function isFound<T>(found: T | undefined): found is T & object {
  return found !== undefined && found !== null;
}

/**
 * Whether an entry is of a call with this name and these arguments, and of this turn where both say one. Arguments that
 * JSON cannot hold are never the same.
 */
function isEntryOf(entry: TranscriptEntry, call: Omit<IdentifiedCall, "id">): boolean {
  const { name, sent } = call;
  if (entry.name !== name || !isSameTurn(entry, call)) return false;
  try {
    const text = argumentsText(sent);
    return entry.argumentsDigest === undefined
      ? text === argumentsText(entry.arguments)
      : sha256(text) === entry.argumentsDigest;
  } catch {
    return false;
  }
}

/** Whether an entry and a call are of the same turn, as far as both say one. */
export function isSameTurn(entry: TranscriptEntry, { turn }: { readonly turn?: string | undefined }): boolean {
  return (turn ?? entry.turn) === (entry.turn ?? turn);
}

/** Whether the call ended without having done anything, so that it may be dispatched again and run then. */
export function hadNoEffects(result: ToolResult | ToolResultRecord): boolean {
  return !result.success && "effects" in result && result.effects === "none";
}

/** The numbered ids of calls that this process has answered, by transcript. Few, because they come again and again. */
const answered = new WeakMap<Transcript, Set<string>>();

/** Providers know tools by names with other punctuation. */
const PUNCTUATION = /[^A-Za-z0-9]/g;
/** More digits are a random id: Groq's ids are `call_` and four characters. */
const MAX_NUMBER_DIGITS = 3;

/**
 * True for an id that comes with every message: the name of the called tool, as a provider may write it, or a number,
 * alone or after words (`0`, `call_0`, `functions.search:3`). Of all other ids nothing is guessed from their look: they
 * identify a call. A caller whose provider numbers calls in another way names the turn.
 */
export function isNumberedId(id: string, name: string): boolean {
  if (id.length === name.length && id.replaceAll(PUNCTUATION, "_") === name.replaceAll(PUNCTUATION, "_")) return true;
  let at = id.length;
  while (at > 0 && id.charAt(at - 1) >= "0" && id.charAt(at - 1) <= "9") at -= 1;
  const digits = id.length - at;
  if (digits === 0 || digits > MAX_NUMBER_DIGITS) return false;
  const before = id.slice(0, at);
  return before === "" || before.endsWith(":") || before.endsWith(".") || /^[a-z]+(?:[_-][a-z]+)*[_-]$/.test(before);
}

/**
 * Whether an id identifies a call by itself, if no turn is known. Some providers number their calls anew in every
 * message, so the same id, name and arguments come again with the next message. A random id does. A numbered one does
 * only the first time in this process, which is when a restored conversation goes on where it broke off, and only if
 * running again could do harm.
 *
 * @param isHarmless Whether running the call again changes nothing.
 */
function identifiesCall(
  transcript: Transcript,
  { id, name }: { readonly id: string; readonly name: string },
  isHarmless: boolean,
): boolean {
  return !isNumberedId(id, name) || (!isHarmless && answered.get(transcript)?.has(id) !== true);
}

/** Notes that a call with this id has been answered in this process. */
export function noteAnswered(transcript: Transcript, id: string, name: string): void {
  if (!isNumberedId(id, name)) return;
  const ids = answered.get(transcript);
  if (ids === undefined) answered.set(transcript, new Set([id]));
  else ids.add(id);
}
