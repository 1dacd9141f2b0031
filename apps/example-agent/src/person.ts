/** What a person says to a question. Anything but a yes is a no. */
export interface Decision {
  readonly approved: boolean;
  /** Why not. The model reads it. */
  readonly reason?: string;
  /** Neither yes nor no: to be asked again later, where that is possible. */
  readonly later?: boolean;
}

/** What a person is asked. */
export interface Question {
  readonly text: string;
  /** What a yes is a yes to, as lines of a diff. */
  readonly detail: readonly string[];
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Whoever decides in this run. */
export interface Person {
  /** Shown beside each decision. */
  readonly name: string;
  decide(question: Question): Promise<Decision>;
}

/**
 * Says yes to everything, so that a demonstration needs no keyboard. Never use it outside of one.
 *
 * @param show Shows what is agreed to.
 */
export function scriptedPerson(show: (question: Question) => void): Person {
  return {
    name: "scripted person",
    async decide(question) {
      show(question);
      return { approved: true };
    },
  };
}

/** Nobody is there to ask: nothing is approved, and what can wait waits. */
export const absentPerson: Person = {
  name: "nobody",
  decide: () => Promise.resolve({ approved: false, later: true, reason: "nobody is there to be asked" }),
};
