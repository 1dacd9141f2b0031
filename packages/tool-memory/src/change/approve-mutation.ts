import { nameOf } from "../block/caution.ts";
import { quote, toKey } from "../block/label.ts";
import type { ApproveOptions } from "../block/memory-admin.ts";
import { toState, type MemoryBlock, leastTrusted } from "../block/memory-block.ts";
import type { Applied, Conflict } from "../block/memory-manager.ts";
import type { MutationRecord } from "../block/mutation.ts";
import { selectBlock, selectBlockById } from "../rows/block-rows.ts";
import { hashText } from "../rows/event-rows.ts";
import { withOwner } from "../rows/lock-owner.ts";
import { selectMutation, type StoredMutation, expireMutations, resolveMutation } from "../rows/mutation-rows.ts";
import { toPromptJson } from "../text/escape-invisible.ts";
import { checkText, refuse, type Refusal } from "../text/refusal.ts";
import { applyChange, replaceAll, type Change, type Scope, type Policy } from "./apply-change.ts";
import { checkQuota } from "./check-quota.ts";
import { toMove, toRemoval } from "./decide.ts";
import { refuseLabel } from "./refuse-label.ts";
import { withSuperseded } from "./supersede.ts";

/** Applies a proposal if the block has the version that the proposal was made for, or the version named in `options`. */
export async function approveMutation(
  scope: Scope,
  id: string,
  options: ApproveOptions,
): Promise<Applied | Refusal | Conflict> {
  const { owner, actor, policy } = scope;
  const bad = checkOptions(options, policy);
  if (bad) return bad;
  return withOwner(scope.sql, owner, async (locked) => {
    const { tx } = locked;
    await expireMutations(tx, owner);
    const mutation = await selectMutation(tx, owner, id);
    if (mutation === null) return noProposal(id);
    const closed = whyClosed(mutation, options);
    if (closed) return closed;
    const block = await selectBlock(tx, owner, toKey(mutation.label));
    const proposed = options.content ?? mutation.proposed;
    const stale = whyStale(mutation, block, options.version);
    if (stale !== undefined) return { outcome: "conflict", current: block, proposed, reason: stale };
    const old = mutation.supersedes === null ? null : await selectBlockById(tx, owner, mutation.supersedes);
    const other = whySupersededStale(mutation, old, options.supersededVersion);
    if (other !== undefined) return { outcome: "conflict", current: block, proposed, superseded: old, reason: other };
    const asked = toChange(mutation, block, proposed, policy);
    if (asked === undefined) return noProposal(id);
    const change = old === null || asked.is === null ? asked : { ...asked, is: withSuperseded(asked.is, old.id) };
    const { label, newLabel } = mutation;
    const chars = change.splice.after.length - change.splice.before.length;
    const growth = { blocks: block === null ? 1 : 0, chars };
    const refused =
      (await refuseLabel(locked, block, label, newLabel ?? undefined)) ??
      checkQuota(locked, policy.limits, "person", label, growth);
    if (refused) return refused;
    await resolveMutation(locked, id, "approved", actor.id, options.reason ?? null);
    const changed = await applyChange(locked, change, scope, options.reason ?? mutation.reason, { mutationId: id });
    return { outcome: "applied", block: changed.block };
  });
}

function checkOptions(options: ApproveOptions, { limits }: Policy): Refusal | undefined {
  const bad =
    checkText("Content", options.content ?? "", limits.contentChars) ??
    checkText("Reason", options.reason ?? "", limits.reasonChars);
  if (bad || options.content?.trim() !== "") return bad;
  return refuse(
    "empty",
    "Approval refused: the content is empty, allowed is text; to turn the proposal down use reject",
  );
}

function noProposal(id: string): Refusal {
  return refuse(
    "not_found",
    `Approval refused: there is no proposal ${toPromptJson(id)}; pending lists those that wait`,
  );
}

function whyClosed({ id, ...mutation }: MutationRecord, options: ApproveOptions): Refusal | undefined {
  if (mutation.status === "approved") {
    return refuse(
      "already_resolved",
      `Approval refused: proposal ${id} was approved already; undo takes its change back`,
    );
  }
  if (mutation.status === "expired") {
    return refuse(
      "expired",
      `Approval refused: proposal ${id} expired at ${mutation.expiresAt}; write what it proposed yourself, if it still holds`,
    );
  }
  if (options.content !== undefined && mutation.op !== "write") {
    return refuse(
      "invalid_value",
      `Approval refused: proposal ${id} is to ${mutation.op} the block and has no text, allowed is approval without content`,
    );
  }
  return undefined;
}

/** The change that a proposal asks for. A person who approves a text vouches for it: its trust becomes high, its source stays. */
function toChange(
  mutation: MutationRecord,
  block: MemoryBlock | null,
  proposed: string,
  policy: Policy,
): Change | undefined {
  const { op, label, tier, newLabel } = mutation;
  const validFrom = mutation.validFrom ?? undefined;
  if (block === null) {
    if (op !== "write") return undefined;
    const permission = policy.permissions[tier];
    const is = toState({ label, tier, permission, source: mutation.source, trust: "high", validFrom });
    return { kind: "created", block, is, splice: replaceAll("", proposed) };
  }
  if (op === "remove") return toRemoval(block);
  if (op === "move") {
    const change = toMove(block, newLabel ?? label, tier, policy);
    return { ...change, is: change.is && { ...change.is, trust: "high" } };
  }
  const is = toState({ ...block, source: leastTrusted(block, mutation).source, trust: "high", validFrom });
  return { kind: "edited", block, is, splice: replaceAll(block.content, proposed) };
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
  return `Approval of ${mutation.id} not done: it was for ${name(expected)} of ${quote(mutation.label)}, there is ${name(version)} now; look at both texts, then approve with the version you have looked at and, if they need merging, the content, or reject`;
}

function whySupersededStale(
  { id, supersedes, supersedesVersion }: StoredMutation,
  old: MemoryBlock | null,
  seen: number | undefined,
): string | undefined {
  if (supersedes === null || (old?.version ?? 0) === (seen ?? supersedesVersion)) return undefined;
  const found = old === null ? "that block does not exist now" : `${nameOf(old)} has version ${old.version} now`;
  const expected = seen ?? supersedesVersion;
  return `Approval of ${id} not done: it would supersede a block of ${expected === null ? "an unknown version" : `version ${expected}`}, and ${found}; look at that block, then approve with its version as supersededVersion (0: supersede nothing), or reject`;
}
