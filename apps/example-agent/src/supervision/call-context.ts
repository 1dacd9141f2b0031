import type { Source } from "@dispatch/tool-memory";
import type { AskUser } from "../host-tools/ask-user-question.ts";
import type { Person } from "./approver.ts";
import type { Influence } from "./trust-tracking.ts";

/** What the tools are given with a call, whatever front end it comes from. */
export interface CallContext {
  /** Absolute path of the folder to work in. */
  readonly worktreePath: string;
  /** Asks the person; `undefined` where nobody can be asked. */
  readonly askUser: AskUser | undefined;
  /** How far what is remembered now may be believed. */
  readonly memorySource: Source;
}

/** The context of calls in a folder, for a person. */
export function createCallContext(worktreePath: string, person: Person | undefined, influence: Influence): CallContext {
  return {
    worktreePath,
    askUser: person?.answer?.bind(person),
    // Looked at whenever something is remembered: it changes while a program runs.
    get memorySource() {
      return influence.source;
    },
  };
}
