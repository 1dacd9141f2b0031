import { applyChange } from "./apply-change.ts";
import { countBlocks, lockBlock, lockOwner } from "./block-rows.ts";
import { decide, type Decision, type Proposal } from "./decide.ts";
import { toLabel, type Label } from "./label.ts";
import type { MemoryBlock } from "./memory-block.ts";
import { queueMutation } from "./queue-mutation.ts";
import { refuse } from "./refusal.ts";
import { splice } from "./replay.ts";
import type { Scope } from "./scope.ts";
import type { SqlQuery } from "./sql.ts";
import { insertSupersession, toSuperseding } from "./supersede.ts";
import type { WriteResult } from "./write-result.ts";

/** A write from start to end in one transaction: lock, decide, then block and event, or proposal, or nothing. */
export async function writeBlock(scope: Scope, proposal: Proposal): Promise<WriteResult> {
  const label = toLabel(proposal.label, scope.policy.limits);
  if ("outcome" in label) return label;
  return scope.sql.transaction(async (tx) => {
    await lockOwner(tx, scope.owner);
    return writeLocked(
      tx,
      scope,
      label,
      { ...proposal, label: label.text },
      await lockBlock(tx, scope.owner, label.key),
    );
  });
}

async function writeLocked(
  tx: SqlQuery,
  scope: Scope,
  label: Label,
  proposal: Proposal,
  block: MemoryBlock | null,
): Promise<WriteResult> {
  const { owner, actor, policy } = scope;
  const reason = proposal.reason ?? null;
  const decided = decide(block, proposal, actor.kind, policy);
  const superseding = decided.outcome === "refused" ? null : await toSuperseding(tx, scope, label, proposal.supersedes);
  if (superseding !== null && "outcome" in superseding) return superseding;
  const decision = superseding?.queue === true ? toQueued(decided, block) : decided;
  const supersede = async (by: MemoryBlock, seq: number): Promise<void> => {
    if (superseding !== null) await insertSupersession(tx, owner, superseding.old.id, by.id, seq);
  };
  switch (decision.outcome) {
    case "refused":
      return decision;
    case "conflict":
      return { outcome: "conflict", current: block, proposed: proposal.content, reason: decision.reason };
    case "queue":
      return queueMutation(tx, scope, label, block, { ...decision, reason, supersedes: superseding?.old });
    case "create": {
      const count = await countBlocks(tx, owner);
      if (count >= policy.limits.blocks) {
        return refuse(
          "memory_full",
          `Write to ${label.text} refused: the memory has ${count} blocks, allowed are ${policy.limits.blocks}; write to a block that exists`,
        );
      }
      const { tier, permission, content } = decision;
      const { block: created, event } = await applyChange(
        tx,
        owner,
        label,
        { kind: "created", tier, permission, content },
        { actor, reason },
      );
      await supersede(created, event.seq);
      return { outcome: "applied", block: created };
    }
    case "keep":
    case "edit": {
      if (block === null) throw new Error("a block that does not exist was to be changed");
      if (decision.outcome === "keep") {
        await supersede(block, 0);
        return { outcome: "applied", block };
      }
      const { offset, before, after } = decision;
      const { block: edited, event } = await applyChange(
        tx,
        owner,
        label,
        { kind: "edited", block, offset, before, after },
        { actor, reason },
      );
      await supersede(edited, event.seq);
      return { outcome: "applied", block: edited };
    }
  }
}

/** The same write, left to a person. */
function toQueued(decision: Decision, block: MemoryBlock | null): Decision {
  switch (decision.outcome) {
    case "create":
      return { outcome: "queue", tier: decision.tier, content: decision.content };
    case "edit": {
      const content = block === null ? undefined : splice(block.content, decision);
      if (block === null || content === undefined) throw new Error("a splice does not fit the block it was made for");
      return { outcome: "queue", tier: block.tier, content };
    }
    case "keep":
      if (block === null) throw new Error("a block that does not exist was to be kept");
      return { outcome: "queue", tier: block.tier, content: block.content };
    case "queue":
    case "conflict":
    case "refused":
      return decision;
  }
}
