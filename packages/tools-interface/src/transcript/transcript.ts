import type { IdentifiedCall } from "../call/parse-call.ts";
import { checkOptions } from "../error/check-options.ts";
import { toJsonText } from "../json/json.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { withTimeout } from "../wait/with-timeout.ts";
import { largeParts, type TranscriptEntry, withoutLargeParts } from "./transcript-entry.ts";

/** Where dispatched calls are recorded. `append` is called exactly once for each. */
export interface Transcript {
  /**
   * Records one call. May throw or reject: the call keeps its result and observers receive the error, as they do when it
   * has not settled after ten seconds.
   */
  append(entry: TranscriptEntry): void | Promise<void>;
  /**
   * The last entry with this id, of this turn when one is given and known. With it a call that is recorded already is
   * answered from the record when it is dispatched again, and its tool does not run a second time.
   */
  find?(callId: string, turn?: string): TranscriptEntry | undefined | Promise<TranscriptEntry | undefined>;
}

/** A transcript in memory. */
export interface MemoryTranscript extends Transcript {
  /** All entries, in the order in which the calls arrived. */
  readonly entries: readonly TranscriptEntry[];
  /** The last entry with this id: of this turn, else of any. */
  find(callId: string, turn?: string): TranscriptEntry | undefined;
  /** The entries as plain data. Metadata that JSON cannot hold, which is the host's own, is left out. */
  toJSON(): readonly TranscriptEntry[];
}

/** Options of {@link createTranscript}. */
export interface TranscriptOptions {
  /**
   * Memory for arguments and results, in MiB. Beyond it the earliest are dropped, those of nested calls first: of each
   * larger than 2 KiB the entry holds a note with its beginning. Default 64; `Infinity` drops nothing.
   */
  readonly maxMb?: number;
}

const DEFAULT_MAX_MB = 64;
const MIB = 1024 * 1024;

/**
 * A transcript in memory. Every call has its entry; large results of long sessions are dropped, see `maxMb`.
 *
 * @param restored Entries of an earlier session; they stay in front of everything that follows.
 * @throws {TypeError} For an option that there is not.
 * @throws {RangeError} When `maxMb` is no number above 0.
 *
 * @example
 * ```ts
 * const transcript = createTranscript();
 * await registry.dispatch(call, { transcript });
 * await writeFile("transcript.json", JSON.stringify(transcript));
 * ```
 */
export function createTranscript(
  restored: readonly TranscriptEntry[] = [],
  options: TranscriptOptions = {},
): MemoryTranscript {
  checkOptions("create a transcript", options, { maxMb: true });
  const { maxMb = DEFAULT_MAX_MB } = options;
  if (!(typeof maxMb === "number" && maxMb > 0)) {
    throw new RangeError(`Cannot create a transcript: maxMb is ${String(maxMb)}, allowed is a number above 0`);
  }
  const most = maxMb * MIB;
  const entries: TranscriptEntry[] = [...restored];
  const byId = new Map<string, TranscriptEntry>();
  const byTurn = new Map<string, Map<string, TranscriptEntry>>();
  const note = (entry: TranscriptEntry): void => {
    const { callId, turn } = entry;
    byId.set(callId, entry);
    if (turn === undefined) return;
    const ofTurn = byTurn.get(turn);
    if (ofTurn === undefined) byTurn.set(turn, new Map([[callId, entry]]));
    else ofTurn.set(callId, entry);
  };
  // Until one is looked for, entries are in no index, which costs 0.3 µs a call.
  const unnoted = [...entries];
  const noteAll = (): void => {
    for (const entry of unnoted.splice(0)) note(entry);
  };
  /** What could be dropped of all entries. */
  let bytes = 0;
  /** Down to half of what is allowed, so that the entries are looked through once for as much as that. */
  const dropEarliest = (): void => {
    noteAll();
    for (const isNested of [true, false]) {
      for (const [at, entry] of entries.entries()) {
        if (bytes <= most / 2) return;
        if ((typeof entry.parentCallId === "string") !== isNested) continue;
        const large = largeParts(entry);
        const freed = large.sent + large.result;
        if (freed === 0) continue;
        bytes -= freed;
        const left = withoutLargeParts(entry, large);
        entries[at] = left;
        for (const index of [byId, byTurn.get(entry.turn ?? "")])
          if (index?.get(entry.callId) === entry) index.set(entry.callId, left);
      }
    }
  };
  const hold = (entry: TranscriptEntry): void => {
    const { sent, result } = largeParts(entry);
    bytes += sent + result;
    if (bytes > most) dropEarliest();
  };
  for (const entry of restored) hold(entry);
  return {
    // No getter: V8 would keep the entries of all earlier transcripts from the quick collection of young objects.
    entries,
    append(entry) {
      const last = entries.at(-1);
      const isLast = entries.length === restored.length || (last?.sequence ?? 0) <= entry.sequence;
      if (isLast) entries.push(Object.freeze(entry));
      else entries.splice(positionOf(entry, entries, restored.length), 0, Object.freeze(entry));
      unnoted.push(entry);
      hold(entry);
    },
    find(callId, turn) {
      noteAll();
      return byTurn.get(turn ?? "")?.get(callId) ?? byId.get(callId);
    },
    toJSON: () => entries.map(toPlainEntry),
  };
}

/** Where an entry belongs among those from `start` on, which are in order. */
function positionOf({ sequence: own }: TranscriptEntry, entries: readonly TranscriptEntry[], start: number): number {
  let low = start;
  let high = entries.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((entries[middle]?.sequence ?? 0) > own) high = middle;
    else low = middle + 1;
  }
  return low;
}

let sequence = 0;

/** The next `sequence` of this process. */
export function nextSequence(): number {
  return (sequence += 1);
}

/** An entry of a call that takes no time now: it did not run, or elsewhere. */
export function entryNow({ id: callId, turn, name, sent }: IdentifiedCall, result: ToolResult): TranscriptEntry {
  const at = { startedAt: Date.now(), durationMs: 0, sequence: nextSequence() };
  return { callId, ...(turn !== undefined && { turn }), name, arguments: sent, result, ...at };
}

/** The entry as plain data. Metadata that JSON cannot hold, which is the host's own, is left out. */
export function toPlainEntry(entry: TranscriptEntry): TranscriptEntry {
  try {
    return JSON.parse(toJsonText(entry)) as TranscriptEntry;
  } catch {
    const { result } = entry;
    const record = "toJSON" in result ? result.toJSON() : result;
    return JSON.parse(toJsonText({ ...entry, result: { ...record, metadata: {} } })) as TranscriptEntry;
  }
}

/** How long a transcript may take to append an entry or to find one, in milliseconds, unless the caller sets it. */
export const TRANSCRIPT_TIMEOUT_MS = 10_000;

/**
 * Appends an entry to the transcript. Returns a promise only if `append` does, which settles within `timeoutMs`.
 *
 * @throws The transcript's error, or an `Error` when it takes too long.
 */
export function recordEntry(
  transcript: Pick<Transcript, "append">,
  entry: TranscriptEntry,
  timeoutMs: number = TRANSCRIPT_TIMEOUT_MS,
): Promise<void> | undefined {
  const pending = transcript.append(entry);
  return pending === undefined ? undefined : settledInTime(pending, timeoutMs, "transcript.append");
}

/** Settles as `pending` does. Rejects with an `Error` that names `operation` when that takes too long. */
export function settledInTime<T>(pending: PromiseLike<T>, timeoutMs: number, operation: string): Promise<T> {
  const tooLate = new Error(`${operation} did not settle within ${timeoutMs} ms`);
  return withTimeout(pending, { timeoutMs }, () => Promise.reject(tooLate));
}
