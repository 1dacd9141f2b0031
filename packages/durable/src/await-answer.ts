import { onAbort } from "@dispatch/tools-interface/internal";
import type { Answered, DurableWait } from "./durable-engine.ts";
import { stoppedWaiting } from "./durable-error.ts";

/** Longest sleep between two looks at a question, in milliseconds: a notice of its answer may be lost. */
const LOOK_MS = 1_000;

/** The questions that an engine keeps. */
export interface Questions {
  /** The question as it is now, if it was asked. */
  find(key: string): Promise<QuestionState | undefined>;
  /** Asks, unless somebody else did in between. Returns the question that is recorded. */
  ask(key: string, wait: DurableWait): Promise<QuestionState>;
  /** From now on nobody can answer any more, so that all who wait find the same. Does nothing to one that is answered. */
  lapse(key: string): Promise<void>;
}

/** The part of a question that changes, and its time limit. */
export interface QuestionState {
  /** When it lapses, Unix time in milliseconds. Default: never. */
  readonly expiresAt?: number | undefined;
  readonly answered?: Answered | undefined;
}

/** `DurableEngine.wait` over recorded questions. `wakes` is notified when one of them changes. */
export async function awaitAnswer(
  questions: Questions,
  wakes: Pick<WakeSet, "next">,
  key: string,
  wait: DurableWait,
): Promise<Answered | undefined> {
  const { signal, patienceMs = Infinity } = wait;
  const until = performance.now() + patienceMs;
  for (;;) {
    const { answered, expiresAt = Infinity } = (await questions.find(key)) ?? (await questions.ask(key, wait));
    if (answered !== undefined) return answered;
    if (expiresAt <= Date.now()) {
      await questions.lapse(key);
      continue;
    }
    const left = until - performance.now();
    if (left <= 0) return undefined;
    await wakes.next(Math.max(1, Math.min(left, expiresAt - Date.now(), LOOK_MS)), signal);
    if (signal?.aborted) throw stoppedWaiting();
  }
}

/** Longest delay that a timer can hold, in milliseconds. */
const MAX_TIMER_MS = 2_147_483_647;

/** Those who wait for a change. */
export class WakeSet {
  readonly #waiting = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  readonly notify = (): void => {
    for (const wake of this.#waiting) wake();
  };

  /** Resolves at the next change, at the latest after `maxMs`, or when the signal aborts. */
  next(maxMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        detach?.();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(maxMs, MAX_TIMER_MS));
      const detach = signal && onAbort(signal, wake);
      this.#waiting.add(wake);
    });
  }
}
