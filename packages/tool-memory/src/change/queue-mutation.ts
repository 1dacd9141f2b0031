import { randomUUID } from "node:crypto";
import { toKey } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { Queued } from "../block/write-result.ts";
import {
  countPending,
  expireMutations,
  hashProposal,
  insertMutation,
  selectSameMutation,
  supersedeMutation,
  toPending,
} from "../rows/mutation-rows.ts";
import type { Turn } from "../rows/turn.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { Question } from "./decide.ts";
import type { Scope } from "./scope.ts";

/** Queues a proposal, or answers with the same one if it waits already or was rejected. */
export async function queueMutation(
  turn: Turn,
  scope: Pick<Scope, "actor" | "session" | "policy">,
  label: string,
  block: MemoryBlock | null,
  question: Omit<Question, "outcome"> & {
    readonly reason: string | null;
    readonly supersedes?: MemoryBlock | undefined;
  },
): Promise<Queued | Refusal> {
  const { tx, owner } = turn;
  const { actor, session, policy } = scope;
  const { op, tier, newLabel, content: proposed, source, trust, reason, supersedes } = question;
  const hash = hashProposal({ op, tier, newLabel, proposed });
  const key = toKey(label);
  await expireMutations(tx, owner);
  const same = await selectSameMutation(tx, owner, key, block, hash);
  if (same?.status === "pending") return { outcome: "queued", mutation: toPending(same) };
  if (same !== null) {
    return refuse(
      "rejected_before",
      `Write to ${label} refused: a person rejected this change before and said ${JSON.stringify(same.feedback ?? "")}; do not repeat it, take the answer into account or ask the person`,
    );
  }
  await supersedeMutation(tx, owner, key, hash);
  const waiting = await countPending(tx, owner);
  const most = policy.limits.pendingMutations;
  if (waiting >= most) {
    return refuse(
      "queue_full",
      `Write to ${label} refused: ${waiting} proposals wait for a person already, allowed are ${most}; ask the person to decide on them first`,
    );
  }
  const days = policy.limits.proposalDays;
  // The person who approves must see it.
  const told = supersedes === undefined ? reason : `Supersedes ${supersedes.label}. ${reason ?? ""}`.trim();
  const kept = { op, label, block, tier, newLabel, proposed, source, trust, reason: told, actor, session, days };
  const proposal = { id: randomUUID(), ...kept, supersedes: supersedes?.id ?? null };
  return { outcome: "queued", mutation: await insertMutation(tx, owner, proposal) };
}
