import type { CandidateSearch } from "../database/candidate.ts";
import type { Changes, Work } from "../database/database.ts";
import type { Value } from "./connection.ts";

/** Where the database is. */
export interface Location {
  /** The file; `undefined` keeps everything in memory. */
  readonly file: string | undefined;
  /** Nothing can be changed: the file system is read-only. */
  readonly isReadOnly: boolean;
}

/** A step of a transaction. */
export type Step =
  /** Begins a transaction or, in one, the next unit of work: the work so far stays. */
  | { readonly op: "begin" }
  | { readonly op: "run"; readonly text: string; readonly params: readonly Value[] }
  | { readonly op: "change"; readonly changes: Changes }
  | { readonly op: "work"; readonly work: Work }
  /** Reverses the latest unit of work. The answer is whether the transaction is still open. */
  | { readonly op: "undo" }
  | { readonly op: "commit" };

/** A request to the thread. */
export type Request =
  /** Opens the database and brings it to the newest schema. */
  | { readonly op: "open" }
  /** Reads, outside of any transaction. */
  | { readonly op: "query"; readonly text: string; readonly params: readonly Value[] }
  | { readonly op: "search" | "search_words"; readonly owner: string; readonly search: CandidateSearch }
  /** Steps of a transaction, until one fails. The answer is a list of theirs. */
  | { readonly op: "steps"; readonly steps: readonly Step[] }
  | { readonly op: "reclaim" }
  | { readonly op: "check" }
  | { readonly op: "check_search" }
  | { readonly op: "backup"; readonly file: string }
  | { readonly op: "close" };

/** The answer to a request. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: number | string | undefined } };

/** Whether a statement only reads. */
export function isRead(text: string): boolean {
  return /^\s*SELECT\b/i.test(text);
}
