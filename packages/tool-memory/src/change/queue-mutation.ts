import { randomUUID } from "node:crypto";
import { toKey } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { Queued } from "../block/write-result.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import {
  countPending,
  expireMutations,
  hashProposal,
  insertMutation,
  selectSameMutation,
  supersedeMutation,
  toPending,
} from "../rows/mutation-rows.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { QueueDecision } from "./decide.ts";
import type { Scope } from "./scope.ts";

/** Queues a proposal. If an equal one is pending, returns that one; if an equal one was rejected, refuses with the reason. */
export async function queueMutation(
  locked: LockedOwner,
  scope: Pick<Scope, "actor" | "session" | "policy">,
  label: string,
  block: MemoryBlock | null,
  decision: Omit<QueueDecision, "outcome"> & {
    readonly reason: string | null;
    readonly supersedes?: MemoryBlock | undefined;
  },
): Promise<Queued | Refusal> {
  const { tx, owner } = locked;
  const { actor, session, policy } = scope;
  const { op, tier, newLabel, content: proposed, source, trust, reason, supersedes } = decision;
  const hash = hashProposal({ op, tier, newLabel, proposed });
  const key = toKey(label);
  await expireMutations(tx, owner);
  const same = await selectSameMutation(tx, owner, key, block, hash);
  if (same?.status === "pending") return { outcome: "queued", mutation: toPending(same) };
  if (same !== null) {
    return refuse(
      "rejected_before",
      `Write to ${label} refused: a person rejected this change before and said ${JSON.stringify(same.feedback ?? "")}; do not repeat it, take the answer into attribution or ask the person`,
    );
  }
  await supersedeMutation(tx, owner, key, hash);
  const waiting = await countPending(tx, owner);
  const max = policy.limits.pendingMutations;
  if (waiting >= max) {
    return refuse(
      "queue_full",
      `Write to ${label} refused: ${waiting} proposals wait for a person already, allowed are ${max}; ask the person to decide on them first`,
    );
  }
  const days = policy.limits.proposalDays;
  // The person who approves must see which block is superseded.
  const shownReason = supersedes === undefined ? reason : `Supersedes ${supersedes.label}. ${reason ?? ""}`.trim();
  const kept = { op, label, block, tier, newLabel, proposed, source, trust, reason: shownReason, actor, session, days };
  const proposal = { id: randomUUID(), ...kept, supersedes: supersedes?.id ?? null };
  return { outcome: "queued", mutation: await insertMutation(tx, owner, proposal) };
}
