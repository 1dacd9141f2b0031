import type { MemoryActor } from "./memory-actor.ts";
import type { BlockState } from "./memory-block.ts";

/** What happened to the block: `moved` to another tier or label. Of a `forgotten` event only its place in the chain is left. */
export const EVENT_KINDS = ["created", "edited", "moved", "permission_changed", "removed", "forgotten"] as const;

/** What happened to the block. */
export type MemoryEventKind = (typeof EVENT_KINDS)[number];

/** A change of a text: at `offset`, `before` was replaced by `after`. */
export interface Splice {
  /** Where the text changed, in UTF-16 code units. */
  readonly offset: number;
  /** The text that was there. */
  readonly before: string;
  /** The text that is there since. */
  readonly after: string;
}

/**
 * One change of one block. Events are only ever added; replayed in order they give every block as it is.
 *
 * The text changed as one splice. Adding to a block stores the addition alone: `before` is empty and `offset` the length
 * the text had.
 */
export interface MemoryEvent extends Splice {
  /** Position in the owner's history: 1, 2, 3, … without gaps. */
  readonly seq: number;
  /** The block, empty when forgotten. */
  readonly blockId: string;
  /** The block's label after it, or the last it had; empty when forgotten. */
  readonly label: string;
  /** What happened. */
  readonly kind: MemoryEventKind;
  /** The version the block has after it, 0 when forgotten. */
  readonly version: number;
  /** The block before it, `null` when there was none or it was forgotten. */
  readonly was: BlockState | null;
  /** The block after it, `null` when it was removed or forgotten. */
  readonly is: BlockState | null;
  /** Who did it: for an approved proposal, the person who approved. */
  readonly actor: MemoryActor;
  /** The run it was done in, `null` when the memory was opened without naming one. */
  readonly session: string | null;
  /** Why, if it was said. */
  readonly reason: string | null;
  /** The proposal it carried out, `null` when it was written directly. */
  readonly mutationId: string | null;
  /** The `seq` of the event it undid, `null` when it undid none. */
  readonly undoes: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Random, so that the hash of a short text that was forgotten cannot be guessed; gone with what is forgotten. */
  readonly salt: string;
  /** SHA-256, in hex, of all of the above. Stays when the event is forgotten. */
  readonly bodyHash: string;
  /** The `hash` of the event before it, empty for the first. */
  readonly previousHash: string;
  /** SHA-256, in hex, of `previousHash` and `bodyHash`. */
  readonly hash: string;
}
