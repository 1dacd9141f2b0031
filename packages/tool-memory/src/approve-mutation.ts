import { applyChange, type Change } from "./apply-change.ts";
import { lockBlock, lockOwner } from "./block-rows.ts";
import { checkText } from "./check-text.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { ApproveOptions } from "./memory-steward.ts";
import { hashText, lockMutation, resolveMutation, type StoredMutation } from "./mutation-rows.ts";
import { refuse, type Refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { approveSupersession } from "./supersede.ts";
import type { Applied, Conflict } from "./write-result.ts";

/** Carries out a proposal if the block is still the one it was made for, or the one the person says to have seen. */
export async function approveMutation(
  scope: Scope,
  id: string,
  options: ApproveOptions,
): Promise<Applied | Refusal | Conflict> {
  const { owner, actor, policy } = scope;
  const bad =
    checkText("Content", options.content ?? "", policy.limits.contentCharacters) ??
    checkText("Reason", options.reason ?? "", policy.limits.reasonCharacters);
  if (bad) return bad;
  if (options.content?.trim() === "")
    return refuse(
      "empty",
      "Approval refused: the content is empty, allowed is text; to turn the proposal down use reject",
    );
  return scope.sql.transaction(async (tx) => {
    await lockOwner(tx, owner);
    const mutation = await lockMutation(tx, owner, id);
    if (mutation === null)
      return refuse(
        "not_found",
        `Approval refused: there is no proposal ${JSON.stringify(id)}; pending lists those that wait`,
      );
    if (mutation.status === "approved")
      return refuse(
        "already_resolved",
        `Approval refused: proposal ${id} was approved already; undo takes its change back`,
      );
    const label = { text: mutation.label, key: mutation.key };
    const block = await lockBlock(tx, owner, label.key);
    const proposed = options.content ?? mutation.proposed;
    const stale = whyStale(mutation, block, options.version);
    if (stale !== undefined) return { outcome: "conflict", current: block, proposed, reason: stale };
    await resolveMutation(tx, owner, id, "approved", actor.id, options.reason ?? null);
    if (block?.content === proposed) {
      await approveSupersession(tx, owner, id, block.id, 0);
      return { outcome: "applied", block };
    }
    const change: Change =
      block === null
        ? { kind: "created", tier: mutation.tier, permission: policy.permissions[mutation.tier], content: proposed }
        : { kind: "edited", block, offset: 0, before: block.content, after: proposed };
    const reason = options.reason ?? mutation.reason;
    const changed = await applyChange(tx, owner, label, change, { actor, reason, mutationId: id });
    await approveSupersession(tx, owner, id, changed.block.id, changed.event.seq);
    return { outcome: "applied", block: changed.block };
  });
}

function whyStale(mutation: StoredMutation, block: MemoryBlock | null, seen: number | undefined): string | undefined {
  const version = block?.version ?? 0;
  const same =
    seen === undefined
      ? (block?.id ?? null) === mutation.blockId &&
        version === mutation.baseVersion &&
        hashText(block?.content ?? "") === mutation.baseHash
      : version === seen;
  if (same) return undefined;
  const expected = seen ?? mutation.baseVersion;
  const name = (found: number): string => (found === 0 ? "no block" : `version ${found}`);
  return `Approval of ${mutation.id} not done: it was for ${name(expected)} of ${mutation.label}, there is ${name(version)} now; look at both texts, then approve with the version you have looked at and, if they need merging, the content, or reject`;
}
