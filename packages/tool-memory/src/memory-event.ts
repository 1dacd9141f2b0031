import type { MemoryActor } from "./memory-actor.ts";
import type { Permission } from "./permission.ts";
import type { Tier } from "./tier.ts";

/** What happened to the block. */
export type MemoryEventKind = "created" | "edited" | "permission_changed" | "removed";

/**
 * One change of one block. Events are only ever added; replayed in order they give every block as it is.
 *
 * The text changed as one splice: at `offset`, `before` was replaced by `after`. Adding to a block stores the addition
 * alone: `before` is empty and `offset` the length the text had.
 */
export interface MemoryEvent {
  /** Position in the owner's history: 1, 2, 3, … without gaps, but for what was forgotten. */
  readonly seq: number;
  /** The block. */
  readonly blockId: string;
  /** The block's label. */
  readonly label: string;
  /** The block's tier. */
  readonly tier: Tier;
  /** What happened. */
  readonly kind: MemoryEventKind;
  /** The version the block has after it. */
  readonly version: number;
  /** The permission before it, `null` when it created the block. */
  readonly permissionBefore: Permission | null;
  /** The permission after it. */
  readonly permission: Permission;
  /** Where the text changed, in UTF-16 code units. */
  readonly offset: number;
  /** The text that was there. */
  readonly before: string;
  /** The text that is there since. */
  readonly after: string;
  /** Who did it: for an approved proposal, the person who approved. */
  readonly actor: MemoryActor;
  /** Why, if it was said. */
  readonly reason: string | null;
  /** The proposal it carried out, `null` when it was written directly. */
  readonly mutationId: string | null;
  /** The `seq` of the event it undid, `null` when it undid none. */
  readonly undoes: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}
