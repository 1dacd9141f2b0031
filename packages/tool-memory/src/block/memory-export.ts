import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { MutationRecord } from "./mutation.ts";

/** Everything one owner's memory holds, at one moment. Plain data, fit for JSON. */
export interface MemoryExport {
  /** Names the shape of this object. */
  readonly format: "dispatch-memory/1";
  /** Whose memory. */
  readonly owner: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** Every block, by label. */
  readonly blocks: readonly MemoryBlock[];
  /** Every event, first to last. */
  readonly events: readonly MemoryEvent[];
  /** Every proposal, first to last. */
  readonly mutations: readonly MutationRecord[];
}

/** How an export is brought in. */
export interface ImportOptions {
  /**
   * Bring blocks, events and proposals back as they were, trust and all, into a memory that has none. Only for an export
   * you have kept yourself: whoever wrote the file decides what is in core then. Default false.
   */
  readonly restore?: boolean | undefined;
  /** Said in the history. */
  readonly reason?: string | undefined;
}

/** What an import did. */
export interface Imported {
  /** Tells this from the other outcomes. */
  readonly outcome: "imported";
  /** Blocks added. */
  readonly blocks: number;
  /** Blocks that were there with the same text. */
  readonly unchanged: number;
  /** Proposals queued, or with `restore` brought back. */
  readonly proposals: number;
  /** Events brought back; 0 without `restore`. */
  readonly events: number;
}

/** Nothing was imported. Code `invalid_import`, or that of what a line ran into. */
export interface ImportRefusal extends Refusal {
  /** The line in the way, from 1; 0 when it is none of them. */
  readonly line: number;
}
