import type { AttackSubject } from "./attack-subject.ts";
import { AttackTrial } from "./attack-trial.ts";

/** Options of a case's `run`. */
export interface AttackRunOptions {
  /** How long one program may take, in milliseconds, before it counts as one that cannot be stopped. Default 25,000. */
  readonly timeoutMs?: number;
}

/** One attack: a program that tries to get out, and what must come of it. */
export interface AttackCase {
  /** What the attack is after: `reading`, `network`, `limits`, … Cases of one topic stand together. */
  readonly topic: string;
  /** How it goes about it. No two cases have one name. */
  readonly name: string;
  /**
   * Runs the attack. Rejects with an `Error` that says what the program got when it works, and with `NotOfferedError` when
   * the subject has nothing of the kind.
   */
  readonly run: (subject: AttackSubject, options?: AttackRunOptions) => Promise<void>;
}

/** A case of what `body` does. The program must have got at nothing that is planted, however the case ends. */
export function attackCase(topic: string, name: string, body: (trial: AttackTrial) => Promise<unknown>): AttackCase {
  return Object.freeze({
    topic,
    name,
    async run(subject: AttackSubject, options: AttackRunOptions = {}): Promise<void> {
      const trial = new AttackTrial(name, subject, options.timeoutMs);
      try {
        await body(trial);
        trial.end();
      } finally {
        await trial.close();
      }
    },
  });
}
