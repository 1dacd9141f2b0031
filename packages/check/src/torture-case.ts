import type { TortureSubject } from "./torture-subject.ts";
import { Trial } from "./trial.ts";

/** Options of a case's `run`. */
export interface TortureRunOptions {
  /** How long one call may take before it counts as never ending, in milliseconds. Default 3,000. */
  readonly timeoutMs?: number;
}

/** One misbehaviour of a tool, a caller or a host, and the required outcome. */
export interface TortureCase {
  /** The topic of the case: `thrown`, `returned`, `params`, … Cases of one topic stand together. */
  readonly topic: string;
  /** The misbehaviour. No two cases have one name. */
  readonly name: string;
  /**
   * Runs the case. Rejects with an `Error` that names the expectation and the value found, or with `NotOfferedError` if
   * the subject lacks the feature.
   */
  readonly run: (subject: TortureSubject, options?: TortureRunOptions) => Promise<void>;
}

/** A case that runs `body`. It fails on an error of `body`, and on any unhandled error or rejection. */
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
