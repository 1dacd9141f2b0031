import { randomUUID } from "node:crypto";
import type { Label } from "./label.ts";
import type { MemoryBlock } from "./memory-block.ts";
import {
  countPending,
  hashProposal,
  insertMutation,
  selectSameMutation,
  supersedeMutation,
  toPending,
} from "./mutation-rows.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import type { SqlQuery } from "./sql.ts";
import { proposeSupersession } from "./supersede.ts";
import type { Tier } from "./tier.ts";
import type { Queued } from "./write-result.ts";

/** Queues a proposal, or answers with the same one if it waits already or was rejected. The owner must be locked. */
export async function queueMutation(
  tx: SqlQuery,
  scope: Scope,
  label: Label,
  block: MemoryBlock | null,
  proposal: {
    readonly tier: Tier;
    readonly content: string;
    readonly reason: string | null;
    readonly supersedes?: MemoryBlock | undefined;
  },
): Promise<Queued | Refusal> {
  const { owner, actor, policy } = scope;
  const hash = hashProposal(proposal.tier, proposal.content);
  const same = await selectSameMutation(tx, owner, label.key, block, hash);
  if (same?.status === "pending") return { outcome: "queued", mutation: toPending(same) };
  if (same !== null) {
    return refuse(
      "rejected_before",
      `Write to ${label.text} refused: a person rejected this change before and said ${JSON.stringify(same.feedback ?? "")}; do not repeat it, take the answer into account or ask the person`,
    );
  }
  await supersedeMutation(tx, owner, label.key, hash);
  const waiting = await countPending(tx, owner);
  const most = policy.limits.pendingMutations;
  if (waiting >= most) {
    return refuse(
      "queue_full",
      `Write to ${label.text} refused: ${waiting} proposals wait for a person already, allowed are ${most}; ask the person to decide on them first`,
    );
  }
  const { tier, content: proposed, supersedes } = proposal;
  // The person who approves must see it.
  const reason =
    supersedes === undefined ? proposal.reason : `Supersedes ${supersedes.label}. ${proposal.reason ?? ""}`.trim();
  const mutation = await insertMutation(tx, owner, label, { id: randomUUID(), block, tier, proposed, reason, actor });
  if (supersedes !== undefined) await proposeSupersession(tx, owner, mutation.id, supersedes.id);
  return { outcome: "queued", mutation };
}
