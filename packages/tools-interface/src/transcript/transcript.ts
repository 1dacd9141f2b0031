import { toJsonText } from "../json/json.ts";
import type { ToolResult, ToolResultRecord } from "../result/tool-result.ts";
import { withTimeout } from "../wait/with-timeout.ts";

/** A transcript's record of one call. Plain data once serialised. */
export interface TranscriptEntry {
  /** Identifies the call. */
  readonly callId: string;
  /** The model's turn, where the call named it. */
  readonly turn?: string;
  /** The call during which this one was made, for nested calls. */
  readonly parentCallId?: string;
  /** The name that was asked for, registered or not. */
  readonly name: string;
  /**
   * The model's arguments, as they came; a text that says so if JSON cannot hold them. Of those longer than 65,536
   * characters of JSON the beginning, as a text that says so and names where the rest was kept.
   */
  readonly arguments: unknown;
  /** SHA-256 of arguments that are too long to be held. */
  readonly argumentsDigest?: string;
  /** The call's result. */
  readonly result: ToolResult | ToolResultRecord;
  /** When the call arrived, Unix time in milliseconds. */
  readonly startedAt: number;
  /** From arrival to result, in milliseconds. */
  readonly durationMs: number;
  /** Grows with the arrival of calls in one process, so that entries can be put in call order. */
  readonly sequence: number;
}

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

/**
 * A transcript in memory.
 *
 * @param restored Entries of an earlier session; they stay in front of everything that follows.
 *
 * @example
 * ```ts
 * const transcript = createTranscript();
 * await registry.dispatch(call, { transcript });
 * await writeFile("transcript.json", JSON.stringify(transcript));
 * ```
 */
export function createTranscript(restored: readonly TranscriptEntry[] = []): MemoryTranscript {
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
  return {
    get entries() {
      return entries;
    },
    append(entry) {
      const last = entries.at(-1);
      const isLast = entries.length === restored.length || (last?.sequence ?? 0) <= entry.sequence;
      if (isLast) entries.push(Object.freeze(entry));
      else entries.splice(positionOf(entry, entries, restored.length), 0, Object.freeze(entry));
      unnoted.push(entry);
    },
    find(callId, turn) {
      for (const entry of unnoted.splice(0)) note(entry);
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
