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

/** A block that a search found. */
export interface MemoryHit extends MemoryBlock {
  /** Relevance, comparable within one answer only. Higher is better; 0 when nothing but the literal text or the label matched. */
  readonly score: number;
}

/** A block in a list: everything but its text. */
export interface MemorySummary extends Omit<MemoryBlock, "content" | "createdAt"> {
  /** Length of the text, in characters as PostgreSQL counts them (code points). */
  readonly characters: number;
  /** The first 80 characters of the text. */
  readonly preview: string;
}

/** What a block is besides its text, without the rest of the block. */
export function toState({ label, tier, permission, source, trust }: BlockState): BlockState {
  return { label, tier, permission, source, trust };
}
