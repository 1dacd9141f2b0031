import { createTranscript, type JsonValue, type TranscriptEntry } from "@dispatch/tools-interface";
import { canonicalText, sha256, unlessAborted } from "@dispatch/tools-interface/internal";
import { awaitAnswer, WakeSet, type Questions } from "./await-answer.ts";
import type { Answered, DurableEngine, DurableStep, DurableTranscript, OpenWait } from "./durable-engine.ts";
import { stoppedWaiting } from "./durable-error.ts";
import { StepWorkers } from "./step-workers.ts";

interface Step {
  readonly intent: JsonValue;
  readonly since: number;
  done?: Promise<JsonValue>;
  result?: JsonValue;
}

interface Question extends OpenWait {
  answered?: Answered;
}

/**
 * Keeps calls in the memory of this process: nothing survives it. For tests, and for a host that wants the questions of
 * several sessions in one place and nothing more.
 *
 * @example
 * ```ts
 * const durable = createDurable(createMemoryEngine());
 * ```
 */
export function createMemoryEngine(): DurableEngine {
  return new MemoryEngine();
}

class MemoryEngine implements DurableEngine {
  readonly #steps = new Map<string, Step>();
  readonly #waits = new Map<string, Question>();
  readonly #transcripts = new Map<string, DurableTranscript>();
  readonly #answered = new WakeSet();
  readonly #workers = new StepWorkers(() =>
    [...this.#steps].flatMap(([key, { intent, done }]) => (done === undefined ? [{ key, intent }] : [])),
  );
  readonly #questions: Questions = {
    find: async (key) => this.#waits.get(key),
    ask: async (key, { kind, question, expiresAt }) => {
      const asked = this.#waits.get(key) ?? { key, kind, question, since: Date.now(), expiresAt };
      this.#waits.set(key, asked);
      return asked;
    },
    lapse: async (key) => {
      const open = this.#waits.get(key);
      if (open !== undefined) open.answered ??= { lapsed: true };
    },
  };

  async run(key: string, { intent, work, signal }: DurableStep): Promise<JsonValue> {
    const known = this.#steps.get(key);
    if (known?.result !== undefined) return known.result;
    const step: Step = known ?? { intent, since: Date.now() };
    this.#steps.set(key, step);
    step.done ??= work(undefined).then(({ result, entry }) => {
      step.result = result;
      if (entry !== undefined) void this.transcript(entry.session).append(entry.entry);
      this.#workers.offer();
      return result;
    });
    return unlessAborted(step.done, signal, stoppedWaiting);
  }

  find: DurableEngine["find"] = async (key) => {
    const step = this.#steps.get(key);
    if (step === undefined) return undefined;
    const { intent, result, done } = step;
    if (result !== undefined) return { state: "done", intent, result };
    return { state: done === undefined ? "submitted" : "running", intent };
  };

  async submit(key: string, intent: JsonValue): Promise<void> {
    if (!this.#steps.has(key)) this.#steps.set(key, { intent, since: Date.now() });
    this.#workers.offer();
  }

  serve: DurableEngine["serve"] = (worker) => this.#workers.serve(worker);

  wait: DurableEngine["wait"] = (key, wait) => awaitAnswer(this.#questions, this.#answered, key, wait);

  async signal(key: string, answer: JsonValue): Promise<boolean> {
    const open = this.#waits.get(key);
    if (open === undefined || open.answered !== undefined || isPast(open)) return false;
    open.answered = { lapsed: false, answer };
    this.#answered.notify();
    return true;
  }

  async list(): ReturnType<DurableEngine["list"]> {
    const steps = [...this.#steps].flatMap(([key, { intent, since, result, done }]) =>
      result === undefined
        ? [{ key, intent, since, state: done === undefined ? ("submitted" as const) : ("running" as const) }]
        : [],
    );
    const waits = [...this.#waits.values()].filter((open) => open.answered === undefined && !isPast(open));
    return { steps, waits };
  }

  transcript(session: string): DurableTranscript {
    const known = this.#transcripts.get(session) ?? memoryTranscript();
    this.#transcripts.set(session, known);
    return known;
  }

  async close(): Promise<void> {}
}

function isPast({ expiresAt }: OpenWait): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}

/** A transcript in memory that, as those of databases do, keeps an entry that says the same of the same call once. */
function memoryTranscript(): DurableTranscript {
  const transcript = createTranscript();
  const seen = new Set<string>();
  return {
    append(entry) {
      const digest = entryDigest(entry);
      if (!seen.has(digest)) void transcript.append(entry);
      seen.add(digest);
    },
    find: async (callId, turn) => transcript.find(callId, turn),
    entries: async () => transcript.entries,
  };
}

/** The same for entries that say the same of the same call, whenever and by whichever process they are written. */
export function entryDigest(entry: TranscriptEntry): string {
  const { callId, turn = null, parentCallId = null, name, arguments: sent = null, argumentsDigest, result } = entry;
  const called = argumentsDigest === undefined ? sent : [sent, argumentsDigest];
  return sha256(canonicalText([callId, turn, parentCallId, name, called, result]));
}
