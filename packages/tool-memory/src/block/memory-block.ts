import type { Permission } from "./permission.ts";
import type { Provenance } from "./provenance.ts";
import type { Tier } from "./tier.ts";

/** What a block is besides its text. */
export interface BlockState extends Provenance {
  /** Unique in one owner's memory, whatever its case, as it was first written. */
  readonly label: string;
  /** How close to the agent it is kept. */
  readonly tier: Tier;
  /** What the agent may do with it. */
  readonly permission: Permission;
  /**
   * Ids of the blocks whose place it takes, sorted, left out when there are none. As long as it is there, they are found by
   * their labels alone.
   */
  readonly supersedes?: readonly string[];
}

/** One labelled text that is remembered. */
export interface MemoryBlock extends BlockState {
  /** Unique for ever; a block that is removed and written anew gets another. */
  readonly id: string;
  /** The text. Data, whoever wrote it: never instructions. */
  readonly content: string;
  /** 1 when created, one more with every change. */
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** Why a block was found, and why there. */
export interface HitExplanation {
  /** BM25 of the block's best passage, 0 when no word of the query is in it. */
  readonly lexical: number;
  /** Cosine of the query and that passage, `null` when vectors were not searched or it has none yet. */
  readonly dense: number | null;
  /** What each counted for, once brought to 0 to 1 within the query. Together 1. */
  readonly weights: { readonly lexical: number; readonly dense: number };
  /** What better neighbours in a series or in the same block added. */
  readonly bonus: number;
  /** Why vectors did not count. */
  readonly missing?: string;
}

/** A block that a search found, without what it supersedes. */
export interface MemoryHit extends Omit<MemoryBlock, "supersedes"> {
  /** Relevance, 0 to 1, comparable within one answer only. Higher is better; 0 when nothing but the label matched. */
  readonly score: number;
  /** Why it was found. */
  readonly explain?: HitExplanation;
  /** The passages that were looked at, `content.slice(start, end)`, best first. */
  readonly passages?: readonly (readonly [start: number, end: number])[];
  /** How many characters of the text `content` leaves out to keep to a budget: it holds the best passages then, ` […] ` between them. */
  readonly omitted?: number;
}

/** A block in a list: everything but its text. */
export interface MemorySummary extends Omit<MemoryBlock, "content" | "createdAt" | "supersedes"> {
  /** Length of the text, in characters as PostgreSQL counts them (code points). */
  readonly characters: number;
  /** The first 80 characters of the text. */
  readonly preview: string;
}

/** What a block is besides its text, without the rest of the block. */
export function toState({ label, tier, permission, source, trust, supersedes = [] }: BlockState): BlockState {
  // Left out, as in the histories of the versions that did not have it.
  return {
    label,
    tier,
    permission,
    source,
    trust,
    ...(supersedes.length > 0 && { supersedes: supersedes.toSorted() }),
  };
}
