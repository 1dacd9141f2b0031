import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { PendingMutation } from "./mutation.ts";
import type { Provenance } from "./provenance.ts";

/** The block has changed since it was read. Nothing was written. */
export interface Conflict {
  /** Discriminates the outcomes. */
  readonly outcome: "conflict";
  /** The present block, `null` when there is none. */
  readonly current: MemoryBlock | null;
  /** The text that was not written. */
  readonly proposed: string;
  /** Set when a proposal conflicts by the block that it would supersede: that block now, `null` when there is none. */
  readonly superseded?: MemoryBlock | null;
  /** States the expected version, the found one and the next step. */
  readonly reason: string;
}

/** The change is stored. */
export interface Applied {
  /** Discriminates the outcomes. */
  readonly outcome: "applied";
  /** The present block; for a removal, the block as it was. Its version is unchanged when there was nothing to change. */
  readonly block: MemoryBlock;
  /** Blocks that say nearly the same, or are about the same subject, most alike first, if the request asked for them. */
  readonly similar?: readonly SimilarBlock[];
}

/** A block whose text is nearly equal to another's, or that is about the same subject. */
export interface SimilarBlock extends Provenance {
  /** Its label. */
  readonly label: string;
  /** Similarity, 0 to 1; 1 for equal texts. */
  readonly likeness: number;
  /** The beginning of its text. */
  readonly preview: string;
}

/** The change requires a person's approval. Nothing was changed yet. */
export interface Queued {
  /** Discriminates the outcomes. */
  readonly outcome: "queued";
  /** The queued proposal. Equal proposals share one entry. */
  readonly mutation: PendingMutation;
}

/** The outcome of a write. */
export type WriteResult = Applied | Queued | Refusal | Conflict;
