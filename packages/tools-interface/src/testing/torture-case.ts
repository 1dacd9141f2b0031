import type { TortureSubject } from "./torture-subject.ts";
import { Trial } from "./trial.ts";

/** Options of a case's `run`. */
export interface TortureRunOptions {
  /** How long one call may take before it counts as never ending, in milliseconds. Default 3,000. */
  readonly timeoutMs?: number;
}

/** One way in which a tool, a caller or a host misbehaves, and what must come of it. */
export interface TortureCase {
  /** What the case has to do with: `thrown`, `returned`, `params`, … Cases of one topic stand together. */
  readonly topic: string;
  /** What happens in it. No two cases have one name. */
  readonly name: string;
  /**
   * Runs the case. Rejects with an `Error` that says what was expected and what was found, or with `NotOfferedError` when
   * the subject has nothing of the kind.
   */
  readonly run: (subject: TortureSubject, options?: TortureRunOptions) => Promise<void>;
}

/** A case of what `body` does and checks. Nothing that nobody handles may come of it, or the case fails. */
export function tortureCase(topic: string, name: string, body: (trial: Trial) => Promise<unknown>): TortureCase {
  return Object.freeze({
    topic,
    name,
    async run(subject: TortureSubject, options: TortureRunOptions = {}): Promise<void> {
      const trial = await Trial.begin(name, subject, options.timeoutMs);
      try {
        await body(trial);
        await trial.end();
      } finally {
        trial.close();
      }
    },
  });
}
