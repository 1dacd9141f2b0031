import { randomUUID } from "node:crypto";
import { quote, toKey } from "../block/label.ts";
import { type MemoryBlock, isBelow, type Trust } from "../block/memory-block.ts";
import type { Queued } from "../block/memory-manager.ts";
import { toEssence } from "../block/mutation.ts";
import type { Query } from "../database/database.ts";
import { isChangedByPerson } from "../rows/event-rows.ts";
import { type LockedOwner, saveCounts } from "../rows/lock-owner.ts";
import {
  hashProposal,
  insertMutation,
  selectRejected,
  selectSameMutation,
  toPending,
  expireMutations,
  supersedeMutation,
} from "../rows/mutation-rows.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { type Refusal, refuse } from "../text/refusal.ts";
import type { Rules } from "./apply-change.ts";
import { checkWritten } from "./check-quota.ts";
import type { QueueDecision } from "./decide.ts";

/** Queues a proposal. If an equal one is pending, returns that one; if an equal one was rejected, refuses with the reason. */
export async function queueMutation(
  locked: LockedOwner,
  scope: Pick<Rules, "actor" | "session" | "policy">,
  label: string,
  block: MemoryBlock | null,
  decision: Omit<QueueDecision, "outcome"> & {
    readonly reason: string | null;
    readonly old?: MemoryBlock | null | undefined;
  },
): Promise<Queued | Refusal> {
  const { tx, owner } = locked;
  const { actor, session, policy } = scope;
  const { old, op, tier, newLabel, content: proposed, validFrom, source, trust, reason } = decision;
  const before = block?.content ?? "";
  const proposal = {
    id: randomUUID(),
    op,
    label,
    tier,
    newLabel,
    before,
    proposed,
    validFrom,
    source,
    trust,
    reason,
    actor,
    session,
    blockId: block?.id ?? null,
    baseVersion: block?.version ?? 0,
    supersedes: old?.id ?? null,
    supersedesVersion: old?.version ?? null,
  };
  const hash = hashProposal(proposal);
  const key = toKey(label);
  await expireMutations(tx, owner);
  const same = await selectSameMutation(tx, owner, proposal, hash);
  if (same !== undefined) return { outcome: "queued", mutation: toPending(same) };
  const rejected = await selectRejected(tx, owner, key, toEssence(proposal), proposal.supersedes);
  if (
    rejected !== undefined &&
    !(await isChangedByPerson(tx, owner, key, rejected.resolvedSeq ?? rejected.resolvedAt ?? rejected.at))
  ) {
    return refuse(
      "rejected_before",
      `Write to ${quote(label)} refused: a person rejected this change before and said ${toPromptJson(rejected.feedback ?? "")}; do not repeat it, take the answer into account or ask the person`,
    );
  }
  await supersedeMutation(tx, owner, key, hash);
  const full = whyFull(await countPending(tx, owner), scope, label, trust);
  if (full) return full;
  if (actor.kind === "agent") {
    const chars = before.length + proposed.length;
    const quota = await checkWritten(locked, policy.limits, null, label, chars);
    if (quota) return quota;
    locked.dayChars += chars;
    await saveCounts(locked);
  }
  return { outcome: "queued", mutation: await insertMutation(tx, owner, proposal, policy.limits.proposalDays) };
}

/**
 * The refusal of a proposal for which the queue has no room. Sources below `agent` have half of the queue, and its last quarter
 * is for sessions that have few proposals in it, so that no page and no session keeps the others out.
 */
function whyFull(
  counts: readonly PendingCount[],
  { actor, session, policy }: Pick<Rules, "actor" | "session" | "policy">,
  label: string,
  trust: Trust,
): Refusal | undefined {
  const max = policy.limits.pendingMutations;
  const count = (isCounted: (counted: PendingCount) => boolean): number =>
    counts.filter(isCounted).reduce((sum, counted) => sum + counted.count, 0);
  const refusal = (found: number, who: string, allowed: string): Refusal =>
    refuse(
      "queue_full",
      `Write to ${quote(label)} refused: ${found} proposals${who} wait for a person already, allowed are ${allowed}; ask the person to decide on them first`,
    );
  const all = count(() => true);
  if (all >= max) return refusal(all, "", `${max}`);
  if (actor.kind === "person") return undefined;
  const isLow = (of: Trust): boolean => isBelow(of, "medium");
  const low = count((counted) => isLow(counted.trust));
  const lowMax = Math.max(Math.floor(max / 2), 1);
  if (isLow(trust) && low >= lowMax) return refusal(low, " from import, tool and web", `${lowMax} of ${max}`);
  const kept = Math.floor(max / 4);
  const own = count((counted) => counted.session === session && !isLow(counted.trust));
  if (all < max - kept || (!isLow(trust) && own < Math.ceil(kept / 2))) return undefined;
  return isLow(trust)
    ? refusal(all, "", `${max - kept} for these sources`)
    : refusal(own, " of this session", `${Math.ceil(kept / 2)} while ${all} of ${max} wait`);
}

/** The number of pending proposals of a trust and a session. */
interface PendingCount {
  readonly trust: Trust;
  /** The session, `null` for none. */
  readonly session: string | null;
  readonly count: number;
}

/** The numbers of pending proposals. */
function countPending(tx: Query, owner: string): Promise<readonly PendingCount[]> {
  return tx.query<PendingCount>(
    `SELECT trust, session, CAST(count(*) AS integer) AS count FROM dispatch_memory.mutation
     WHERE owner = $1 AND status = 'pending' GROUP BY trust, session`,
    [owner],
  );
}
