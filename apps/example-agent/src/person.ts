import { createInterface } from "node:readline/promises";
import type { MemorySteward } from "@dispatch/tool-memory";

/** Whoever decides in this run. */
export interface Person {
  /** Shown beside each decision. */
  readonly name: string;
  /** Answers yes or no. Anything but a yes is a no. */
  decide(question: string, detail: string, signal: AbortSignal): Promise<boolean>;
}

/** Says yes to everything, so that a demonstration needs no keyboard. Never use it outside of one. */
export const scriptedPerson: Person = { name: "scripted person", decide: () => Promise.resolve(true) };

/** Asks in the terminal. */
export function terminalPerson(output: NodeJS.WriteStream): Person {
  return {
    name: "you",
    async decide(question, detail, signal) {
      const terminal = createInterface({ input: process.stdin, output });
      try {
        const answer = await terminal.question(`\n${detail}\n${question} [y/N] `, { signal });
        return /^y(es)?$/i.test(answer.trim());
      } finally {
        terminal.close();
      }
    },
  };
}

/** What a person said to one proposed change of memory. */
export interface Review {
  readonly label: string;
  readonly diff: string;
  readonly approved: boolean;
}

/** Puts every change of memory that waits for a person before the person. */
export async function reviewMemory(
  steward: MemorySteward,
  person: Person,
  signal: AbortSignal,
): Promise<readonly Review[]> {
  const reviews: Review[] = [];
  for (const { id, label, diff } of await steward.pending()) {
    const yes = await person.decide(`Let the agent write ${label} to its core memory?`, diff, signal);
    if (yes) {
      const { outcome } = await steward.approve(id);
      reviews.push({ label, diff, approved: outcome === "applied" });
    } else {
      await steward.reject(id, "The person said no");
      reviews.push({ label, diff, approved: false });
    }
  }
  return reviews;
}
