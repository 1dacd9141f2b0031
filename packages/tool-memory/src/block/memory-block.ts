import type { Permission } from "./permission.ts";
import type { Provenance } from "./provenance.ts";
import type { Tier } from "./tier.ts";

/** The properties of a block besides its text. */
export interface BlockState extends Provenance {
  /** Unique in one owner's memory, ignoring case. Kept as it was first written. */
  readonly label: string;
  /** The tier it is kept in. */
  readonly tier: Tier;
  /** How the agent may change it. */
  readonly permission: Permission;
  /**
   * Ids of the blocks that it supersedes, sorted; left out when there are none. While this block exists, searches find those
   * blocks by their labels only, except for a block that is more trusted than this one.
   */
  readonly supersedes?: readonly string[];
  /** Since when the text is true: ISO 8601, UTC. Left out when that was not said: then since the last change. */
  readonly validFrom?: string;
}

/** A labelled text in memory. */
export interface MemoryBlock extends BlockState {
  /** Unique for ever. A block that is removed and written again gets a new id. */
  readonly id: string;
  /** The text: data, never instructions, regardless of its author. */
  readonly content: string;
  /** 1 when created, one more with every change. */
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** The parts of a hit's score. */
export interface HitExplanation {
  /** The score by words: BM25 of the block and of its best passage, and of words that the best blocks share. */
  readonly lexical: number;
  /** The highest cosine of the query and a passage, `null` when vectors were not searched or the passage has none yet. */
  readonly dense: number | null;
  /** Weights of the two scores, which are first scaled to 0 to 1 within the query. Their sum is 1. */
  readonly weights: { readonly lexical: number; readonly dense: number };
  /** Score added by neighbours in the same sequence. */
  readonly bonus: number;
  /** The reason why vectors did not count. */
  readonly missing?: string;
}

/** A block that a search found, without `supersedes`. */
export interface MemoryHit extends Omit<MemoryBlock, "supersedes"> {
  /** Relevance, 0 to 1, comparable within one answer only. Higher is better; 0 when nothing but the label matched. */
  readonly score: number;
  /** The owner of a memory in `readScopes` that it is from; left out for the owner's own. */
  readonly scope?: string;
  /** The parts of the score. */
  readonly explain?: HitExplanation;
  /** The matching passages, `content.slice(start, end)`, best first. */
  readonly passages?: readonly (readonly [start: number, end: number])[];
  /** Blocks of the same tier and trust that state the same and were left out for others; this one is the newest. Left out when there are none. */
  readonly similar?: {
    /** Their number. */
    readonly count: number;
    /** The labels of the ten that match best. */
    readonly labels: readonly string[];
  };
  /** Characters of the text that `content` leaves out to keep to `maxTokens`; `content` then holds the best passages, joined by ` […] `. */
  readonly omitted?: number;
}

/** A block in a list: everything but its text. */
export interface MemorySummary extends Omit<MemoryBlock, "content" | "createdAt" | "supersedes"> {
  /** Length of the text in Unicode code points, as PostgreSQL counts them. Named as `memory_list` prints it. */
  readonly characters: number;
  /** The first 80 characters of the text. */
  readonly preview: string;
  /** The owner of a memory in `readScopes` that it is from; left out for the owner's own. */
  readonly scope?: string;
}

/** The {@link BlockState} of a block, without the block's other properties. */
export function toState({
  label,
  tier,
  permission,
  source,
  trust,
  supersedes = [],
  validFrom,
}: Omit<BlockState, "validFrom"> & { readonly validFrom?: string | undefined }): BlockState {
  // `supersedes` and `validFrom` are left out when empty: histories of versions without the fields keep their hashes.
  return {
    label,
    tier,
    permission,
    source,
    trust,
    ...(supersedes.length > 0 && { supersedes: supersedes.toSorted() }),
    ...(validFrom !== undefined && { validFrom }),
  };
}
