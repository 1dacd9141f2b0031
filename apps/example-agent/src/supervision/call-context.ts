import type { Source, TrustTracker } from "@dispatch/tool-memory";
import type { Approver, AskUser } from "./approver.ts";

/** Where the texts of tools come from. A tool that is not named here counts as `tool`. */
export const TOOL_SOURCES = { web_search: "web", ask_user_question: "person" } as const;

/** The context that every front end passes to the tools with a call. */
export interface CallContext {
  /** Absolute path of the directory to work in. */
  readonly worktreePath: string;
  /** Asks the user a question; `undefined` where nobody can be asked. */
  readonly askUser: AskUser | undefined;
  /** The least trusted source that the model has read: the trust of its memory writes now. */
  readonly memorySource: Source;
}

/** Creates the context of calls in a directory. */
export function createCallContext(
  worktreePath: string,
  approver: Approver | undefined,
  trust: TrustTracker,
): CallContext {
  return {
    worktreePath,
    askUser: approver?.answer?.bind(approver),
    // A getter: the source changes while a program runs.
    get memorySource() {
      return trust.source;
    },
  };
}
