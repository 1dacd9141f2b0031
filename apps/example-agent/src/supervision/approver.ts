import type { EditableCall, EditedArguments } from "./editable-call.ts";
import type { StandingOffer } from "./standing-answers.ts";

/** The answer to an approval prompt. */
export interface Decision {
  readonly approved: boolean;
  /** Why not. The model reads it. */
  readonly reason?: string;
  /** Neither yes nor no: ask again later, where that is possible. */
  readonly later?: boolean;
  /** An answer for calls to come, one of those that were offered. */
  readonly always?: StandingOffer;
  /** With a yes: the arguments that the person wants instead of those that were shown. */
  readonly edited?: EditedArguments;
}

/** A yes-or-no question about something the agent wants to do. */
export interface ApprovalPrompt {
  readonly text: string;
  /** Everything that is being approved, as lines of a diff. */
  readonly detail: readonly string[];
  /** Id of the call it is about, if any. */
  readonly callId?: string;
  /** Answers for calls to come that may be given with a yes. */
  readonly always?: readonly StandingOffer[];
  /** The call, where its arguments may be changed with a yes. */
  readonly edit?: EditableCall | undefined;
  /** Id of the proposed memory change it is about, if any. */
  readonly mutationId?: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** One of the answers that the agent offers to its question. */
export interface Choice {
  readonly label: string;
  /** The consequence of choosing it. */
  readonly description?: string;
}

/** A question of the agent to its user. An answer approves nothing. */
export interface UserQuestion {
  readonly text: string;
  /** Answers to choose from; none: any text is an answer. The user may always answer something else. */
  readonly choices: readonly Choice[];
  /** Whether several choices may be taken together. */
  readonly several: boolean;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The user's answer: labels of choices, or their own words. Empty: they did not want to answer. */
export type Answer = readonly string[];

/** Asks the user a question of the agent. */
export type AskUser = (question: UserQuestion) => Promise<Answer>;

/** Decides for a person on the agent's calls, and passes the agent's questions on to them. */
export interface Approver {
  /** Shown beside each decision. */
  readonly name: string;
  /** Where the person is asked, as in `at the terminal`, when there may be several places. */
  readonly where?: string;
  decide(prompt: ApprovalPrompt): Promise<Decision>;
  /** Answers a question of the agent. Absent where nobody can: the question tool is then not advertised. */
  readonly answer?: AskUser;
}

/**
 * Approves everything, so that a demonstration needs no keyboard. For demonstrations only.
 *
 * @param show - Shows each approved prompt.
 */
export function scriptedApprover(show: (prompt: ApprovalPrompt) => void): Approver {
  return {
    name: "scripted person",
    async decide(prompt) {
      show(prompt);
      return { approved: true };
    },
  };
}

/** Stands in where nobody can be asked: approves nothing, and postpones the calls that can wait. */
export const absentApprover: Approver = {
  name: "nobody",
  decide: () => Promise.resolve({ approved: false, later: true, reason: "nobody is there to ask" }),
};
