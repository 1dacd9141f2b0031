import type { JsonValue } from "../json/json-snapshot.ts";
import { onAbort } from "../wait/on-abort.ts";
import type {
  Answered,
  DurableEngine,
  DurableStep,
  DurableTranscript,
  DurableWait,
  DurableWorker,
  OpenWait,
} from "./durable-engine.ts";
import { memoryTranscript } from "./memory-transcript.ts";
import { stoppedWaiting, unlessAborted } from "./unless-aborted.ts";

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
  readonly name = "memory";
  readonly #steps = new Map<string, Step>();
  readonly #waits = new Map<string, Question>();
  readonly #transcripts = new Map<string, DurableTranscript>();
  readonly #changed = new Set<() => void>();

  async run(key: string, { intent, work, signal }: DurableStep): Promise<JsonValue> {
    const known = this.#steps.get(key);
    if (known?.result !== undefined) return known.result;
    const step: Step = known ?? { intent, since: Date.now() };
    this.#steps.set(key, step);
    step.done ??= work(undefined).then(({ result, entry }) => {
      step.result = result;
      if (entry !== undefined) void this.transcript(entry.session).append(entry.entry);
      this.#notify();
      return result;
    });
    return unlessAborted(step.done, signal);
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
    this.#notify();
  }

  serve(worker: DurableWorker): () => Promise<void> {
    const { maxConcurrency = 8 } = worker;
    const active = new Map<string, Promise<void>>();
    let isStopped = false;
    const look = (): void => {
      for (const [key, { intent, done }] of this.#steps) {
        if (isStopped || active.size >= maxConcurrency) return;
        if (done !== undefined || active.has(key) || !worker.accepts(intent)) continue;
        active.set(
          key,
          worker.handle(key, intent).finally(() => (active.delete(key), look())),
        );
      }
    };
    this.#changed.add(look);
    look();
    return async () => {
      isStopped = true;
      this.#changed.delete(look);
      await Promise.all(active.values());
    };
  }

  async wait(key: string, wait: DurableWait): Promise<Answered | undefined> {
    const { kind, question, expiresAt, patienceMs = Infinity, signal } = wait;
    const asked = { key, kind, question, since: Date.now(), expiresAt };
    const open: Question = this.#waits.get(key) ?? asked;
    this.#waits.set(key, open);
    const until = Date.now() + patienceMs;
    this.#notify();
    for (;;) {
      if (open.answered === undefined && isPast(open)) open.answered = { lapsed: true };
      if (open.answered !== undefined) return open.answered;
      const now = Date.now();
      if (now >= until) return undefined;
      await this.#change(Math.min(until, open.expiresAt ?? Infinity) - now, signal);
      if (signal?.aborted) throw stoppedWaiting();
    }
  }

  async signal(key: string, answer: JsonValue): Promise<boolean> {
    const open = this.#waits.get(key);
    if (open === undefined || open.answered !== undefined || isPast(open)) return false;
    open.answered = { lapsed: false, answer };
    this.#notify();
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

  #notify(): void {
    for (const wake of this.#changed) wake();
  }

  /** Resolves at the next change, at the latest after `maxMs`, or when the signal aborts. */
  #change(maxMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        detach?.();
        this.#changed.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(maxMs, MAX_TIMER_MS));
      const detach = signal && onAbort(signal, wake);
      this.#changed.add(wake);
    });
  }
}

/** Longest delay that a timer can hold. */
const MAX_TIMER_MS = 2_147_483_647;

function isPast({ expiresAt }: OpenWait): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}
