import { nameOf } from "../block/caution.ts";
import { quote, toKey, toLabel } from "../block/label.ts";
import {
  type MemoryBlock,
  isBelow,
  isOutranked,
  leastTrusted,
  toProvenance,
  type Trust,
} from "../block/memory-block.ts";
import { type MemoryActor, splice } from "../block/memory-event.ts";
import type { WriteResult } from "../block/memory-manager.ts";
import type { Query } from "../database/database.ts";
import { selectBlocksById, selectRemovable } from "../rows/block-rows.ts";
import { lockOwnerAndBlock, type LockedOwner } from "../rows/lock-owner.ts";
import { type Refusal, refuse } from "../text/refusal.ts";
import { applyChange, NO_SPLICE, type Rules, type Scope } from "./apply-change.ts";
import { checkQuota, checkWritten, type Growth } from "./check-quota.ts";
import { type Proposal, type WriteProposal, decide, type Decision, QUEUED_WRITE, toRemoval } from "./decide.ts";
import { queueMutation } from "./queue-mutation.ts";
import { refuseLabel } from "./refuse-label.ts";
import { lockSuperseded, withSuperseded } from "./supersede.ts";

/** Processes a requested change in one transaction: locks the owner, decides, then applies the change, queues it or refuses. */
export async function writeBlock(scope: Scope, asked: Proposal): Promise<WriteResult> {
  const proposal = readLabels(scope, asked);
  if ("outcome" in proposal) return proposal;
  const { sql, ...rules } = scope;
  if (sql.perform === undefined || !isPlain(proposal)) return sql.transaction((tx) => writeIn(tx, { rules, proposal }));
  return (await sql.perform({ rules, proposal } satisfies WriteWork)) as WriteResult;
}

/** A requested change and its rules: plain data. */
export interface WriteWork {
  readonly rules: Rules;
  /** The requested change. Its labels are valid. */
  readonly proposal: Proposal;
}

/** Whether a proposal can cross over to a thread. Others are decided here, and refused. */
function isPlain(proposal: Proposal): boolean {
  return Object.values(proposal).every((value) => value === undefined || /^(?:string|number)$/u.test(typeof value));
}

function readLabels(scope: Rules, proposal: Proposal): Proposal | Refusal {
  const label = toLabel(proposal.label, scope.policy.limits);
  if ("outcome" in label) return label;
  if (proposal.op !== "move" || proposal.newLabel === undefined) return { ...proposal, label: label.text };
  const newLabel = toLabel(proposal.newLabel, scope.policy.limits);
  return "outcome" in newLabel ? newLabel : { ...proposal, label: label.text, newLabel: newLabel.text };
}

/** Processes a requested change in a transaction. */
export async function writeIn(tx: Query, { rules: scope, proposal }: WriteWork): Promise<WriteResult> {
  const { actor, policy } = scope;
  const { locked, block } = await lockOwnerAndBlock(tx, scope.owner, toKey(proposal.label));
  const decided = decide(block, proposal, actor.kind, policy);
  const supersedes = proposal.op === "write" && decided.outcome !== "refused" ? proposal.supersedes : undefined;
  const old = await lockSuperseded(locked, scope, proposal.label, supersedes, block);
  if (old !== null && "outcome" in old) return old;
  const whole = old === null ? decided : decideSuperseding(decided, block, old, proposal, actor.kind);
  const mustAsk = scope.proposesOnly === true && whole.outcome === "apply";
  const asks = mustAsk || (actor.kind === "agent" && (await uncovers(locked, whole, block)));
  const decision = asks ? toQueueDecision(whole, block, proposal.source) : whole;
  switch (decision.outcome) {
    case "refused":
      return decision;
    case "conflict": {
      const proposed = proposal.op === "write" ? proposal.content : proposal.op === "edit" ? proposal.after : "";
      return { outcome: "conflict", current: block, proposed, reason: decision.reason };
    }
    case "keep":
      if (block === null) throw new Error("a block that does not exist was to be kept");
      return { outcome: "applied", block };
    case "queue":
    case "apply": {
      const newLabel = proposal.op === "move" ? proposal.newLabel : undefined;
      const mistaken = await refuseLabel(locked, block, proposal.label, newLabel);
      if (mistaken) return mistaken;
      if (decision.outcome === "queue") {
        const queued = { ...decision, reason: proposal.reason ?? null, old };
        return queueMutation(locked, scope, proposal.label, block, queued);
      }
      const { splice: made } = decision.change;
      const chars = made.after.length - made.before.length;
      const growth = { blocks: block === null ? 1 : 0, chars };
      const kept = [block?.id ?? "", old?.id ?? ""];
      let full = checkQuota(locked, policy.limits, actor.kind, proposal.label, growth);
      if (full?.code === "memory_full" && policy.retention.evict === true) {
        await evict(locked, scope, growth, decision.change.is?.trust ?? "low", kept);
        full = checkQuota(locked, policy.limits, actor.kind, proposal.label, growth);
      }
      if (full) return full;
      const written = made.after.length + made.before.length;
      const over =
        actor.kind === "agent" && (await checkWritten(locked, policy.limits, block, proposal.label, written));
      if (over) return over;
      const changed = await applyChange(locked, decision.change, scope, proposal.reason);
      await expire(locked, scope, kept);
      return { outcome: "applied", block: changed.block };
    }
  }
}

/** Whether a change lowers a block's trust below that of a block that it hides, which searches would then find again. */
async function uncovers({ tx, owner }: LockedOwner, decision: Decision, block: MemoryBlock | null): Promise<boolean> {
  const is = decision.outcome === "apply" ? decision.change.is : null;
  if (is === null || block?.supersedes === undefined || !isBelow(is.trust, block.trust)) return false;
  const hidden = await selectBlocksById(tx, owner, block.supersedes);
  return hidden.some(({ trust }) => isBelow(is.trust, trust) && !isBelow(block.trust, trust));
}

/**
 * Extends the decision on a write by the block that it supersedes. To hide a block counts as removing it, and a text never
 * hides a more trusted one unless a person approves.
 */
function decideSuperseding(
  decided: Decision,
  block: MemoryBlock | null,
  old: MemoryBlock,
  { label, source }: Pick<WriteProposal, "label" | "source">,
  actor: MemoryActor["kind"],
): Decision {
  const is = decided.outcome === "apply" ? decided.change.is : decided.outcome === "keep" ? block : null;
  if (is === null || is.supersedes?.includes(old.id) === true) return decided;
  const isLower = isBelow(leastTrusted(is, toProvenance(source)).trust, old.trust);
  if (actor === "person" && isLower) {
    return refuse(
      "invalid_value",
      `Write to ${quote(label)} refused: a text from ${source} would hide ${nameOf(old)}, which has trust ${old.trust}, allowed is a text that is trusted as much; leave source out to vouch for the text, or leave supersedes out`,
    );
  }
  const touches =
    decided.outcome === "keep" && block !== null && (block.permission !== "readwrite" || isOutranked(source, block));
  if (actor === "agent" && (old.permission !== "readwrite" || isLower || touches)) {
    return toQueueDecision(decided, block, source);
  }
  if (decided.outcome === "apply") {
    return { ...decided, change: { ...decided.change, is: withSuperseded(is, old.id) } };
  }
  return {
    outcome: "apply",
    change: { kind: "edited", block, is: withSuperseded(is, old.id), splice: NO_SPLICE },
  };
}

/** The decision to queue a write that would otherwise be applied or kept. */
function toQueueDecision(decided: Decision, block: MemoryBlock | null, by: WriteProposal["source"]): Decision {
  const is = decided.outcome === "apply" ? decided.change.is : decided.outcome === "keep" ? block : null;
  if (is === null) return decided;
  const before = block?.content ?? "";
  const content = decided.outcome === "apply" ? splice(before, decided.change.splice) : before;
  if (content === undefined) throw new Error("a splice does not fit the block it was made for");
  const provenance = leastTrusted(is, toProvenance(by));
  return { ...QUEUED_WRITE, tier: is.tier, content, validFrom: is.validFrom ?? null, ...provenance };
}

const MAX_EVICTED = 100;
const MAX_EXPIRED = 10;
const DAY_MS = 86_400_000;

/** Removes blocks until a change fits into the limits, or none if it would not fit even so. Never a block of `kept`. */
async function evict(
  locked: LockedOwner,
  scope: Rules,
  { blocks, chars }: Growth,
  trust: Trust,
  kept: readonly string[],
): Promise<void> {
  const { limits } = scope.policy;
  const trusts = trust === "low" ? (["low"] as const) : (["low", "medium"] as const);
  const filter = { trusts, before: undefined, kept, limit: MAX_EVICTED };
  const removed: MemoryBlock[] = [];
  let freed = 0;
  const fits = (): boolean =>
    (blocks === 0 || locked.blocks + blocks - removed.length <= limits.blocks) &&
    (chars <= 0 || locked.chars + chars - freed <= limits.totalChars);
  for (const block of await selectRemovable(locked.tx, locked.owner, filter)) {
    if (fits()) break;
    removed.push(block);
    freed += block.content.length;
  }
  if (fits()) await remove(locked, scope, removed, "Evicted: the memory was full");
}

/** Removes blocks that did not change for as long as the rules allow. Never a block of `kept`. */
async function expire(locked: LockedOwner, scope: Rules, kept: readonly string[]): Promise<void> {
  const days = scope.policy.retention.expireDays;
  if (days === undefined || scope.actor.kind !== "agent") return;
  const before = new Date(Date.parse(locked.at) - days * DAY_MS).toISOString();
  const filter = { trusts: ["low", "medium"], before, kept, limit: MAX_EXPIRED } as const;
  const blocks = await selectRemovable(locked.tx, locked.owner, filter);
  await remove(locked, scope, blocks, `Expired: not changed for ${days} days`);
}

async function remove(
  locked: LockedOwner,
  scope: Rules,
  blocks: readonly MemoryBlock[],
  reason: string,
): Promise<void> {
  for (const block of blocks) await applyChange(locked, toRemoval(block), scope, reason);
}
