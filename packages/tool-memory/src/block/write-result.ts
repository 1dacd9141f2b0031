import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { PendingMutation } from "./mutation.ts";

/** The block changed since it was read. Nothing was changed. */
export interface Conflict {
  /** Tells a conflict from the other outcomes. */
  readonly outcome: "conflict";
  /** The block as it is now, `null` when there is none. */
  readonly current: MemoryBlock | null;
  /** The text that was not written. */
  readonly proposed: string;
  /** What was expected, what was found and what to do. */
  readonly reason: string;
}

/** The memory holds the text. */
export interface Applied {
  /** Tells this from the other outcomes. */
  readonly outcome: "applied";
  /** The block as it is now, or as it last was if it was removed. Its version is unchanged when nothing had to be done. */
  readonly block: MemoryBlock;
  /** Other blocks that say nearly the same, most alike first, when they were to be looked for. */
  readonly similar?: readonly SimilarBlock[];
}

/** A block that says nearly the same as another. */
export interface SimilarBlock {
  /** Its label. */
  readonly label: string;
  /** How alike they are, 0 to 1; 1 for the same text. */
  readonly likeness: number;
  /** The beginning of its text. */
  readonly preview: string;
}

/** A person has to approve. Nothing was changed yet. */
export interface Queued {
  /** Tells this from the other outcomes. */
  readonly outcome: "queued";
  /** What waits. The same proposal made twice is one entry. */
  readonly mutation: PendingMutation;
}

/** What a write ends in. */
export type WriteResult = Applied | Queued | Refusal | Conflict;
