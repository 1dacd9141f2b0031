import type { MemoryActor } from "./memory-actor.ts";
import type { BlockState } from "./memory-block.ts";

/** Every {@link MemoryEventKind}. */
export const EVENT_KINDS = ["created", "edited", "moved", "permission_changed", "removed", "forgotten"] as const;

/** The kind of a change. `moved`: to another tier or label. `forgotten`: only the event's place in the hash chain is left. */
export type MemoryEventKind = (typeof EVENT_KINDS)[number];

/** A change of a text: at `offset`, `before` was replaced by `after`. */
export interface Splice {
  /** Offset of the change, in UTF-16 code units. */
  readonly offset: number;
  /** The replaced text. */
  readonly before: string;
  /** The new text. */
  readonly after: string;
}

/**
 * One change of one block. Events are only added, never changed. Replayed in order they give the present blocks.
 *
 * The text changes by one splice. An addition to a block stores only the addition: `before` is empty and `offset` is the
 * previous length.
 */
export interface MemoryEvent extends Splice {
  /** Position in the owner's history: 1, 2, 3, … without gaps. */
  readonly seq: number;
  /** The block, empty when forgotten. */
  readonly blockId: string;
  /** The block's label after it, or the last it had; empty when forgotten. */
  readonly label: string;
  /** The kind of the change. */
  readonly kind: MemoryEventKind;
  /** The version the block has after it, 0 when forgotten. */
  readonly version: number;
  /** The block before it, `null` when there was none or it was forgotten. */
  readonly was: BlockState | null;
  /** The block after it, `null` when it was removed or forgotten. */
  readonly is: BlockState | null;
  /** The author of the change. For an approved proposal: the person who approved. */
  readonly actor: MemoryActor;
  /** The session, `null` when the memory was opened without one. */
  readonly session: string | null;
  /** The reason, if one was given. */
  readonly reason: string | null;
  /** The id of the approved proposal, `null` for a direct write. */
  readonly mutationId: string | null;
  /** The `seq` of the event that this one undid, `null` for none. */
  readonly undoes: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Random, so that a forgotten short text cannot be guessed from its hash. Erased when the event is forgotten. */
  readonly salt: string;
  /** SHA-256, in hex, of all fields above. Kept when the event is forgotten. */
  readonly bodyHash: string;
  /** The `hash` of the event before it, empty for the first. */
  readonly previousHash: string;
  /** SHA-256, in hex, of `previousHash` and `bodyHash`. */
  readonly hash: string;
}
