import { toKey } from "../block/label.ts";
import type { Imported, ImportOptions, ImportRefusal } from "../block/memory-admin.ts";
import { toState, type MemoryBlock, stricter, isBelow } from "../block/memory-block.ts";
import { applyChange, NO_SPLICE, replaceAll, type Scope } from "../change/apply-change.ts";
import { checkQuota } from "../change/check-quota.ts";
import { queueMutation } from "../change/queue-mutation.ts";
import { refuseLabel } from "../change/refuse-label.ts";
import { selectBlock } from "../rows/block-rows.ts";
import { changeRows } from "../rows/columns.ts";
import { restoreEvent } from "../rows/event-rows.ts";
import { saveCounts, withOwner, type LockedOwner } from "../rows/lock-owner.ts";
import { restoreMutation } from "../rows/mutation-rows.ts";
import { storeBlock } from "../rows/store-block.ts";
import { refuse } from "../text/refusal.ts";
import { ExportError, readExport, type Numbered, type ReadExport } from "./json-lines.ts";
import { createChainCheck, whyOtherBlocks } from "./verify-history.ts";

/** Imports an export in one transaction. */
export async function importMemory(
  scope: Scope,
  pieces: Iterable<string> | AsyncIterable<string>,
  options: ImportOptions,
): Promise<Imported | ImportRefusal> {
  try {
    const found = await readExport(pieces, scope.policy.limits);
    return await withOwner(scope.sql, scope.owner, (locked) =>
      options.restore === true ? restore(locked, found) : addBlocks(locked, scope, found.blocks, options),
    );
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const where = error.line === 0 ? "" : `line ${error.line}: `;
    return {
      ...refuse("invalid_import", `Import refused, nothing was changed: ${where}${error.message}`),
      line: error.line,
    };
  }
}

async function restore(locked: LockedOwner, { blocks, events, mutations }: ReadExport): Promise<Imported> {
  const { tx, owner } = locked;
  const there = await tx.query("SELECT 1 AS one FROM dispatch_memory.mutation WHERE owner = $1 LIMIT 1", [owner]);
  if (locked.seq > 0 || locked.blocks > 0 || there.length > 0) {
    throw new ExportError(0, "this memory has a history, allowed is an empty one; leave restore out to add the texts");
  }
  const check = createChainCheck();
  for (const { line, value } of events) {
    const reason = check.next(value);
    if (reason !== undefined) throw new ExportError(line, reason);
    await changeRows(tx, (statement) => restoreEvent(statement, owner, value));
  }
  const other = whyOtherBlocks(
    blocks.map(({ value }) => value),
    check.blocks,
  );
  if (other !== undefined) {
    throw new ExportError(blocks.find(({ value }) => value === other.block)?.line ?? 0, other.reason);
  }
  for (const { value } of blocks)
    await changeRows(tx, (statement) => storeBlock(tx.dialect, statement, owner, null, value));
  for (const { value } of mutations) await restoreMutation(tx, owner, value);
  Object.assign(locked, check.head());
  locked.blocks = blocks.length;
  locked.chars = blocks.reduce((sum, { value }) => sum + value.content.length, 0);
  await saveCounts(locked);
  const counts = { blocks: blocks.length, events: events.length, proposals: mutations.length };
  return { outcome: "imported", ...counts, unchanged: 0 };
}

async function addBlocks(
  locked: LockedOwner,
  scope: Scope,
  blocks: readonly Numbered<MemoryBlock>[],
  { reason }: ImportOptions,
): Promise<Imported> {
  const done = { blocks: 0, unchanged: 0, proposals: 0 };
  const added = new Map<string, { readonly block: MemoryBlock; readonly of: MemoryBlock }>();
  for (const { line, value } of blocks) {
    const made = await addBlock(locked, scope, value, line, reason ?? null);
    if (typeof made === "string") done[made] += 1;
    else {
      done.blocks += 1;
      added.set(value.id, { block: made, of: value });
    }
  }
  // An imported block supersedes only imported blocks, never one that existed before.
  for (const { block, of } of added.values()) {
    const ids = (of.supersedes ?? []).map((id) => added.get(id)?.block.id).filter((id) => id !== undefined);
    if (ids.length === 0) continue;
    const is = toState({ ...block, supersedes: ids });
    await applyChange(locked, { kind: "edited", block, is, splice: NO_SPLICE }, scope, reason);
  }
  return { outcome: "imported", ...done, events: 0 };
}

async function addBlock(
  locked: LockedOwner,
  scope: Scope,
  { label, tier, permission, content, validFrom }: MemoryBlock,
  line: number,
  reason: string | null,
): Promise<MemoryBlock | "unchanged" | "proposals"> {
  const { policy } = scope;
  const provenance = { source: "import", trust: "low" } as const;
  const there = await selectBlock(locked.tx, locked.owner, toKey(label));
  if (there?.content === content) return "unchanged";
  if (there !== null || (tier === "core" && isBelow(provenance.trust, policy.coreTrust))) {
    const decision = {
      op: "write",
      tier: there?.tier ?? tier,
      newLabel: null,
      content,
      validFrom: validFrom ?? null,
      ...provenance,
      reason,
    } as const;
    const queued = await queueMutation(locked, scope, there?.label ?? label, there, decision);
    if (queued.outcome === "refused") throw new ExportError(line, queued.reason);
    return "proposals";
  }
  const mistaken = await refuseLabel(locked, null, label);
  if (mistaken) throw new ExportError(line, mistaken.reason);
  const full = checkQuota(locked, policy.limits, "person", label, { blocks: 1, chars: content.length });
  if (full) throw new ExportError(line, full.reason);
  const allowed = stricter(permission, policy.permissions[tier]);
  const is = toState({ label, tier, permission: allowed, ...provenance, validFrom });
  const change = { kind: "created", block: null, is, splice: replaceAll("", content) } as const;
  return (await applyChange(locked, change, scope, reason)).block;
}
