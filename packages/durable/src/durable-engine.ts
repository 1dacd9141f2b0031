import type { JsonValue, Transcript, TranscriptEntry } from "@dispatch/tools-interface";

/**
 * Where calls and waits outlive the process: a file, a database or a server of its own. An adapter implements these few
 * methods; everything else about durable calls is the same for all engines. Values are plain JSON.
 */
export interface DurableEngine {
  /**
   * Runs a step once. The intent is durable before `work` starts, and of all processes that run the same key at the
   * same time exactly one does the work; the others wait for its result. A key that has a result returns it and runs
   * nothing.
   *
   * A step whose process died in between is given to `work` again: it may have been done. The caller decides how to
   * treat it. A live process is not taken for a dead one, except as the adapter's page says.
   *
   * @returns The recorded result: the very `result` of `work`, unless another process was first.
   * @throws {DurableError} When the engine cannot be reached, or `step.signal` aborted.
   */
  run(key: string, step: DurableStep): Promise<JsonValue>;
  /** The result of a step, or whether it has begun; `undefined` for a key that nobody has run or submitted. */
  find(key: string): Promise<FoundStep | undefined>;
  /** Leaves a step to workers: durable when it resolves. A key that is known already changes nothing. */
  submit(key: string, intent: JsonValue): Promise<void>;
  /**
   * Makes this process a worker: it is given steps that were submitted, and those whose process died. `handle` calls `run`
   * with the same key. Of several workers one is given a step, and another one when that dies.
   *
   * @returns Stops taking steps, and resolves when the ones that were taken have ended.
   */
  serve(worker: DurableWorker): () => Promise<void>;
  /**
   * Waits for the answer to a question. The question is durable and listed from the first call on, and the answer is the
   * same for everybody who waits for the key, in any process, before or after a restart.
   *
   * @returns The answer, or `undefined` when there is none by `wait.patienceMs`. The question stays open then.
   */
  wait(key: string, wait: DurableWait): Promise<Answered | undefined>;
  /** Answers a question, from any process. The first answer counts: `false` when it has one, has lapsed, or is unknown. */
  signal(key: string, answer: JsonValue): Promise<boolean>;
  /** Steps and questions that are open. */
  list(): Promise<OpenWork>;
  /** A transcript on the same database. `undefined` when the engine has none. */
  transcript?(session: string): DurableTranscript;
  /** Lets go of everything. Steps that are running here then count as those of a dead process. */
  close(): Promise<void>;
}

/** One step. */
export interface DurableStep {
  /** Describes the work, for other processes. */
  readonly intent: JsonValue;
  /**
   * Does it. Never rejects. `again` is the intent of the process that had begun and died; `undefined` when this is the
   * first to begin.
   */
  readonly work: (again: JsonValue | undefined) => Promise<StepEnd>;
  /** The result of a step that the engine gave up before it began, because a server did not answer. Default `null`. */
  readonly notBegun?: JsonValue;
  /** Stops waiting for another process that does the work. */
  readonly signal?: AbortSignal | undefined;
}

/** The end of a step. */
export interface StepEnd {
  /** Its result. */
  readonly result: JsonValue;
  /** An entry for the transcript of a session, which is there as soon as the result is. */
  readonly entry?: { readonly session: string; readonly entry: TranscriptEntry } | undefined;
}

/** An engine's record of a step. */
export interface FoundStep {
  /** `submitted`: nobody has begun. `running`: a live process does the work. `broken`: the process that did has died. */
  readonly state: "submitted" | "running" | "broken" | "done";
  /** As it was given. */
  readonly intent: JsonValue;
  /** Of a step that is done. */
  readonly result?: JsonValue;
}

/** A process that does the steps of others. */
export interface DurableWorker {
  /** Most steps at a time. Default 8. */
  readonly maxConcurrency?: number;
  /** Whether this worker can do a step. One that no worker can do stays open. */
  accepts(intent: JsonValue): boolean;
  /** Does a step by calling `run` with its key. Never rejects. */
  handle(key: string, intent: JsonValue): Promise<void>;
}

/** A question that waits for an answer. A timer is a question that nobody answers. */
export interface DurableWait {
  /** `approval`, `question`, `timer`, or a word of the host's own. */
  readonly kind: string;
  /** The question, for the person who answers. */
  readonly question: JsonValue;
  /** When the question lapses, Unix time in milliseconds; recorded by the first call. Default: never. */
  readonly expiresAt?: number | undefined;
  /** How long this process waits, in milliseconds. 0 only asks. Default: until the question lapses. */
  readonly patienceMs?: number | undefined;
  /** Stops waiting. The question stays open. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a question. */
export type Answered =
  | { readonly lapsed: false; readonly answer: JsonValue }
  | { readonly lapsed: true; readonly answer?: undefined };

/** The open steps and questions. */
export interface OpenWork {
  /** Steps without a result. */
  readonly steps: readonly (Omit<FoundStep, "result"> & { readonly key: string; readonly since: number })[];
  /** Questions without an answer that have not lapsed, oldest first. */
  readonly waits: readonly OpenWait[];
}

/** A question that waits. */
export interface OpenWait {
  /** Answers it: the key that `signal` takes. */
  readonly key: string;
  /** As it was asked. */
  readonly kind: string;
  /** As it was asked. */
  readonly question: JsonValue;
  /** When it was first asked, Unix time in milliseconds. */
  readonly since: number;
  /** When it lapses, if it does. */
  readonly expiresAt?: number | undefined;
}

/** A transcript that an engine records. */
export interface DurableTranscript extends Transcript {
  /** Finds an entry, as a transcript in memory does. */
  find(callId: string, turn?: string): Promise<TranscriptEntry | undefined>;
  /** All entries, in the order in which they were recorded. */
  entries(): Promise<readonly TranscriptEntry[]>;
}
