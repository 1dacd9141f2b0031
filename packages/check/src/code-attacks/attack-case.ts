import type { AttackSubject } from "./attack-subject.ts";
import { AttackTrial, LackError } from "./attack-trial.ts";

/** Options of a case's `run`. */
export interface AttackRunOptions {
  /** Time for one program, in milliseconds. A program that takes longer counts as one that cannot be stopped. Default 60,000. */
  readonly timeoutMs?: number;
}

/** An attack, or several alike: programs that try to escape, and the required outcome. */
export interface AttackCase {
  /** The target of the attack: `reading`, `network`, `limits`, … Cases of one topic stand together. */
  readonly topic: string;
  /** How many attacks its programs make. Usually 1. */
  readonly attempts: number;
  /** How the attack works. Unique within its topic. */
  readonly name: string;
  /**
   * Runs the attack. Rejects with an `Error` that names the attacker's gain if the attack works, and with
   * `NotOfferedError` if the subject does not support the options of the case.
   */
  readonly run: (subject: AttackSubject, options?: AttackRunOptions) => Promise<void>;
}

/** Makes a case of `body`. However the case ends, the programs must not have reached anything that is planted. */
export function attackCase(
  topic: string,
  name: string,
  body: (trial: AttackTrial) => Promise<unknown>,
  attempts = 1,
): AttackCase {
  return Object.freeze({
    topic,
    name,
    attempts,
    async run(subject: AttackSubject, options: AttackRunOptions = {}): Promise<void> {
      const trial = new AttackTrial(name, subject, options.timeoutMs);
      try {
        await body(trial).catch((error: unknown) => {
          if (!(error instanceof LackError)) throw error;
        });
        trial.end();
      } finally {
        await trial.close();
      }
    },
  });
}
