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
  /** The call it is about, if it is about one. */
  readonly callId?: string;
  /** The proposed change of memory it is about, if it is about one. */
  readonly mutationId?: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** One of the answers that the agent offers to its question. */
export interface Choice {
  readonly label: string;
  /** What choosing it means. */
  readonly description?: string;
}

/** What the agent itself wants to know from a person. */
export interface Inquiry {
  readonly text: string;
  /** Answers to choose from; none: any text is an answer. A person may always answer something else. */
  readonly choices: readonly Choice[];
  /** Whether several choices may be taken together. */
  readonly several: boolean;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a person answered: labels of choices, or words of their own. None: they did not want to answer. */
export type Answer = readonly string[];

/** Whoever decides in this run. */
export interface Person {
  /** Shown beside each decision. */
  readonly name: string;
  /** Where they are asked, as in `at the terminal`, when that may be several places. */
  readonly where?: string;
  decide(question: Question): Promise<Decision>;
  /** Answers a question of the agent's. Absent where nobody can: the agent is then not told that it may ask. */
  readonly answer?: (inquiry: Inquiry) => Promise<Answer>;
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
