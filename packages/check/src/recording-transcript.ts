import { type ToolCall, type Transcript, type TranscriptEntry } from "@dispatch/tools-interface";
import { checkOptions, readCall, thrownMessage, toJsonText } from "@dispatch/tools-interface/internal";

/**
 * The fault of an `append`: it throws, it rejects, it never settles, or it takes so many milliseconds. If it throws,
 * rejects or hangs, it keeps nothing.
 */
export type TranscriptFault = "throw" | "reject" | "hang" | number;

/** Options of {@link createRecordingTranscript}. */
export interface RecordingTranscriptOptions {
  /** The fault at each `append`, counted from 1; or at every one. Default none. */
  readonly faults?: TranscriptFault | { readonly [append: number]: TranscriptFault };
}

/** A transcript that misbehaves on request, and that can check its own entries. */
export interface RecordingTranscript extends Transcript {
  /** Keeps the entry, or misbehaves as configured. */
  append(entry: TranscriptEntry): void | Promise<void>;
  /** The kept entries, in the order in which they were appended. */
  readonly entries: readonly TranscriptEntry[];
  /** The entries passed to `append`, kept or not, in order. */
  readonly attempts: readonly TranscriptEntry[];
  /**
   * Throws an `Error` with all faults of the kept entries: a call without an entry or with two, an entry of no call,
   * entries out of the order of the calls, a nested entry whose parent is not there or came later, invalid times, or
   * values without a JSON form.
   *
   * @param calls - All calls that a model made, in order. Calls without an id are known by name and place.
   */
  assertSound(calls: readonly ToolCall[]): void;
}

/**
 * A transcript for tests.
 *
 * @example
 * ```ts
 * const transcript = createRecordingTranscript({ faults: { 2: "reject" } });
 * await registry.dispatchAll(calls, { transcript });
 * expect(transcript.attempts).toHaveLength(calls.length);
 * ```
 */
export function createRecordingTranscript(options: RecordingTranscriptOptions = {}): RecordingTranscript {
  checkOptions("create a transcript", options, { faults: true });
  const { faults = {} } = options;
  const entries: TranscriptEntry[] = [];
  const attempts: TranscriptEntry[] = [];
  return {
    entries,
    attempts,
    append(entry) {
      attempts.push(entry);
      const fault = typeof faults === "object" ? faults[attempts.length] : faults;
      if (fault === undefined) return void entries.push(entry);
      if (fault === "throw") throw refusal(attempts.length);
      if (fault === "reject") return Promise.reject(refusal(attempts.length));
      if (fault === "hang") return new Promise<never>(() => {});
      return new Promise((resolve) => setTimeout(resolve, fault)).then(() => void entries.push(entry));
    },
    assertSound(calls) {
      const problems = [
        ...problemsOfOrder(entries, calls),
        ...problemsOfNesting(entries),
        ...entries.flatMap(problemsOf),
      ];
      if (problems.length > 0) throw new Error(`Cannot call the transcript sound: ${problems.join("; ")}`);
    },
  };
}

function refusal(append: number): Error {
  return new Error(`The transcript refuses append ${append}, as it was told to`);
}

function problemsOfOrder(entries: readonly TranscriptEntry[], calls: readonly ToolCall[]): readonly string[] {
  const top = entries.filter(({ parentCallId }) => parentCallId === undefined).toSorted(bySequence);
  const problems = top.length === calls.length ? [] : [`${calls.length} calls were made, ${top.length} are recorded`];
  const ids = entries.map(({ callId }) => callId);
  const repeated = new Set(ids.filter((id, place) => ids.indexOf(id) !== place));
  for (const id of repeated) problems.push(`${id} is recorded ${ids.filter((one) => one === id).length} times`);
  for (const [place, call] of calls.entries()) {
    const { id, name } = readCall(call);
    const entry = top[place];
    const wanted = id ?? `a call of ${name}`;
    if (entry === undefined) problems.push(`${wanted} is not recorded`);
    else if (entry.name !== name || (id !== undefined && entry.callId !== id)) {
      problems.push(`call ${place + 1} was ${wanted}, recorded is ${entry.callId} of ${entry.name}`);
    }
  }
  return problems;
}

function problemsOfNesting(entries: readonly TranscriptEntry[]): readonly string[] {
  return entries.flatMap(({ callId, parentCallId, sequence }) => {
    if (parentCallId === undefined) return [];
    const parent = entries.find((entry) => entry.callId === parentCallId);
    if (parent === undefined) return [`${callId} was called by ${parentCallId}, which is not recorded`];
    return parent.sequence < sequence ? [] : [`${callId} came before ${parentCallId}, which called it`];
  });
}

function problemsOf(entry: TranscriptEntry): readonly string[] {
  const { callId, startedAt, durationMs, sequence, result } = entry;
  const times = [startedAt, durationMs, sequence];
  const problems = times.every((time) => Number.isFinite(time) && time >= 0)
    ? []
    : [`${callId} has times that are none`];
  const text = result.success ? result.output : result.error;
  if (typeof text !== "string") problems.push(`${callId} has no text`);
  try {
    const record = "toJSON" in result ? result.toJSON() : result;
    // Metadata is the host's own and may be anything.
    toJsonText({ ...entry, result: { ...record, metadata: {} } });
  } catch (error) {
    problems.push(`${callId} cannot be stored: ${thrownMessage(error)}`);
  }
  return problems;
}

function bySequence(one: TranscriptEntry, other: TranscriptEntry): number {
  return one.sequence - other.sequence;
}
