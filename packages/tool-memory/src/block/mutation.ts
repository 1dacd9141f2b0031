import type { Provenance, Source, Tier } from "./memory-block.ts";
import type { MemoryActor } from "./memory-event.ts";

/** The operation of a proposal: write a text (creating the block if needed), move the block to another tier or label, or remove it. */
export type MutationOp = "write" | "move" | "remove";

/** A proposed change that waits for a person. It never changes once queued, so a person approves exactly the change they saw. */
export interface PendingMutation extends Provenance {
  /** Identifies the proposal to `approve` and `reject`. */
  readonly id: string;
  /** The operation. */
  readonly op: MutationOp;
  /** The block it would change or create. */
  readonly label: string;
  /** The tier that block would have. */
  readonly tier: Tier;
  /** The label that block would have, `null` for its present one. */
  readonly newLabel: string | null;
  /** The block that the proposal was made for, `null` when it would create one. */
  readonly blockId: string | null;
  /** The version of the block that the proposal was made for, 0 when it would create one. */
  readonly baseVersion: number;
  /** The text that the proposal was made for, empty when it would create the block. */
  readonly before: string;
  /** The text the block would have, empty when it would be removed. */
  readonly proposed: string;
  /**
   * `before` to `proposed` as a unified diff: one hunk for each changed region, with three lines of context; with every line
   * where an approval makes the whole text trusted. Followed by the text that would be superseded.
   */
  readonly diff: string;
  /** Whether the block, or the one that it would supersede, has changed since. Approval then results in a conflict. */
  readonly stale: boolean;
  /** The id of another block that the proposed one would supersede, `null` for none. */
  readonly supersedes: string | null;
  /** The present label of that block, `null` when there is none. */
  readonly supersedesLabel: string | null;
  /** The version of that block when the proposal was made, `null` when that is not known. */
  readonly supersedesVersion: number | null;
  /** The source of that block's present text, which the diff shows, `null` when there is none. */
  readonly supersedesSource: Source | null;
  /** Since when the text is said to be true: ISO 8601, UTC; `null` when that was not said. */
  readonly validFrom: string | null;
  /** The proposer's reason. */
  readonly reason: string | null;
  /** The proposer. */
  readonly actor: MemoryActor;
  /** The session, `null` when the memory was opened without one. */
  readonly session: string | null;
  /** Time of queueing: ISO 8601, UTC. */
  readonly at: string;
  /** Time of expiry unless a person decides before: ISO 8601, UTC. */
  readonly expiresAt: string;
}

/** Every {@link MutationStatus}. */
export const MUTATION_STATUSES = ["pending", "approved", "rejected", "superseded", "expired"] as const;

/**
 * The state of a proposal. `superseded`: the same change was proposed again for a newer version of the block. `expired`: no
 * person decided in time.
 */
export type MutationStatus = (typeof MUTATION_STATUSES)[number];

/** A proposal and the decision on it. */
export interface MutationRecord extends PendingMutation {
  /** The state. */
  readonly status: MutationStatus;
  /** The person's comment, `null` for none. */
  readonly feedback: string | null;
  /** The name of the person who decided, `null` while undecided. */
  readonly resolvedBy: string | null;
  /** Time of the decision: ISO 8601, UTC. */
  readonly resolvedAt: string | null;
}

type Change = Pick<PendingMutation, "op" | "tier" | "newLabel" | "before" | "proposed">;

/**
 * The essence of a change: equal for changes that differ only in white space, case, compatibility forms and invisible
 * characters, or in the text around the change. A rejected change does not come back in another guise.
 */
export function toEssence({ op, tier, newLabel, before, proposed }: Change): string {
  const [old, now] = [fold(before), fold(proposed)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [gone, added] = [old, now].map((text) => text.slice(start, text.length - end));
  return JSON.stringify([op, tier, newLabel && fold(newLabel), added === "" ? gone : "", added]);
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]/gu, "")
    .toLowerCase()
    .normalize("NFKC");
}
