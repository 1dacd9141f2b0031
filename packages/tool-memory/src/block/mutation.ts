import type { MemoryActor } from "./memory-actor.ts";
import type { Provenance } from "./provenance.ts";
import type { Tier } from "./tier.ts";

/** What a proposal would do with its block: write a text (and create the block if there is none), move it to another tier or label, or remove it. */
export type MutationOp = "write" | "move" | "remove";

/** A change that waits for a person. It never changes after it was queued, so what a person saw is what is approved. */
export interface PendingMutation extends Provenance {
  /** Identifies the proposal to `approve` and `reject`. */
  readonly id: string;
  /** What it would do. */
  readonly op: MutationOp;
  /** The block it would change or create. */
  readonly label: string;
  /** The tier that block would have. */
  readonly tier: Tier;
  /** The label that block would have, `null` for the one it has. */
  readonly newLabel: string | null;
  /** The block it was made for, `null` when it would create one. */
  readonly blockId: string | null;
  /** The version of the block it was made for, 0 when it would create one. */
  readonly baseVersion: number;
  /** The text it was made for, empty when it would create the block. */
  readonly before: string;
  /** The text the block would have, empty when it would be removed. */
  readonly proposed: string;
  /** `before` to `proposed` as a unified diff of one hunk. */
  readonly diff: string;
  /** Whether the block has changed since, so that approving it would be answered with a conflict. */
  readonly stale: boolean;
  /** The id of the block that it would have its own supersede too, `null` for none. */
  readonly supersedes: string | null;
  /** Why, in the words of who proposed it. */
  readonly reason: string | null;
  /** Who proposed it. */
  readonly actor: MemoryActor;
  /** The run it was proposed in, `null` when the memory was opened without naming one. */
  readonly session: string | null;
  /** When it was queued: ISO 8601, UTC. */
  readonly at: string;
  /** When it expires, unless a person has decided: ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** Every {@link MutationStatus}. */
export const MUTATION_STATUSES = ["pending", "approved", "rejected", "superseded", "expired"] as const;

/**
 * What became of a proposal. `superseded`: the same was proposed again for a newer version of the block. `expired`: nobody
 * decided in time.
 */
export type MutationStatus = (typeof MUTATION_STATUSES)[number];

/** A proposal with what became of it. */
export interface MutationRecord extends PendingMutation {
  /** What became of it. */
  readonly status: MutationStatus;
  /** What the person said, `null` when nothing was said. */
  readonly feedback: string | null;
  /** The name of who decided, `null` when nobody did. */
  readonly resolvedBy: string | null;
  /** When that was: ISO 8601, UTC. */
  readonly resolvedAt: string | null;
}
