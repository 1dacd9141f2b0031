import type { Refusal } from "../text/refusal.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import type { MutationRecord } from "./mutation.ts";

/** The whole content of one owner's memory at one moment. Plain data that can be written as JSON. */
export interface MemoryExport {
  /** Names the format. */
  readonly format: "dispatch-memory/1";
  /** The owner. */
  readonly owner: string;
  /** ISO 8601, UTC. */
  readonly exportedAt: string;
  /** Every block, by label. */
  readonly blocks: readonly MemoryBlock[];
  /** Every event, oldest first. */
  readonly events: readonly MemoryEvent[];
  /** Every proposal, oldest first. */
  readonly mutations: readonly MutationRecord[];
}

/** Options of an import. */
export interface ImportOptions {
  /**
   * Restore blocks, events and proposals unchanged, trust included, into an empty memory. Only for an export that you have
   * kept yourself: the author of the file decides the content of core. Default false.
   */
  readonly restore?: boolean | undefined;
  /** Recorded in the history. */
  readonly reason?: string | undefined;
}

/** The result of an import. */
export interface Imported {
  /** Discriminates the outcomes. */
  readonly outcome: "imported";
  /** Blocks added. */
  readonly blocks: number;
  /** Blocks that existed with the same text. */
  readonly unchanged: number;
  /** Proposals queued, or with `restore` restored. */
  readonly proposals: number;
  /** Events restored; 0 without `restore`. */
  readonly events: number;
}

/** Nothing was imported. Code `invalid_import`, or the code of the refusal that a line met. */
export interface ImportRefusal extends Refusal {
  /** The refused line, from 1; 0 when the refusal concerns no single line. */
  readonly line: number;
}
