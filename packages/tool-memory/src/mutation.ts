import type { MemoryActor } from "./memory-actor.ts";
import type { Tier } from "./tier.ts";

/** A change that waits for a person. It never changes after it was queued, so what a person saw is what is approved. */
export interface PendingMutation {
  /** Identifies the proposal to `approve` and `reject`. */
  readonly id: string;
  /** The block it would change or create. */
  readonly label: string;
  /** The tier of that block. */
  readonly tier: Tier;
  /** The block it was made for, `null` when it would create one. */
  readonly blockId: string | null;
  /** The version of the block it was made for, 0 when it would create one. */
  readonly baseVersion: number;
  /** The text it was made for, empty when it would create the block. */
  readonly before: string;
  /** The text it proposes. */
  readonly proposed: string;
  /** `before` to `proposed` as a unified diff of one hunk. */
  readonly diff: string;
  /** Whether the block has changed since, so that approving it would be answered with a conflict. */
  readonly stale: boolean;
  /** Why, in the words of who proposed it. */
  readonly reason: string | null;
  /** Who proposed it. */
  readonly actor: MemoryActor;
  /** When it was queued: ISO 8601, UTC. */
  readonly at: string;
}

/** What became of a proposal. `superseded`: the same text was proposed again for a newer version of the block. */
export type MutationStatus = "pending" | "approved" | "rejected" | "superseded";

/** A proposal with what became of it. */
export interface MutationRecord extends PendingMutation {
  /** What became of it. */
  readonly status: MutationStatus;
  /** What the person said, `null` when nothing was said. */
  readonly feedback: string | null;
}
