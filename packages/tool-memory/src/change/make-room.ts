import type { MemoryBlock } from "../block/memory-block.ts";
import type { Trust } from "../block/provenance.ts";
import { lockBlockById, selectRemovable } from "../rows/block-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { applyChange } from "./apply-change.ts";
import type { Growth } from "./check-quota.ts";
import { toRemoval } from "./decide.ts";
import { toAttribution, type Rules } from "./scope.ts";

const MAX_EVICTED = 100;
const MAX_EXPIRED = 10;
const DAY_MS = 86_400_000;

/** Removes blocks until a change fits into the limits, or none if it would not fit even so. Never a block of `kept`. */
export async function evict(
  locked: LockedOwner,
  scope: Rules,
  { blocks, chars }: Growth,
  trust: Trust,
  kept: readonly string[],
): Promise<void> {
  const { limits } = scope.policy;
  const found = await selectRemovable(locked.tx, locked.owner, {
    trusts: trust === "low" ? ["low"] : ["low", "medium"],
    before: undefined,
    kept,
    limit: MAX_EVICTED,
  });
  const removed: MemoryBlock[] = [];
  let freed = 0;
  const fits = (): boolean =>
    (blocks === 0 || locked.blocks + blocks - removed.length <= limits.blocks) &&
    (chars <= 0 || locked.chars + chars - freed <= limits.totalChars);
  for (const id of found) {
    if (fits()) break;
    const block = await lockBlockById(locked.tx, locked.owner, id);
    if (block === null) continue;
    removed.push(block);
    freed += block.content.length;
  }
  if (fits()) await remove(locked, scope, removed, "Evicted: the memory was full");
}

/** Removes blocks that did not change for as long as the rules allow. Never a block of `kept`. */
export async function expire(locked: LockedOwner, scope: Rules, kept: readonly string[]): Promise<void> {
  const days = scope.policy.retention.expireDays;
  if (days === undefined || scope.actor.kind !== "agent") return;
  const found = await selectRemovable(locked.tx, locked.owner, {
    trusts: ["low", "medium"],
    before: new Date(Date.parse(locked.at) - days * DAY_MS).toISOString(),
    kept,
    limit: MAX_EXPIRED,
  });
  const blocks: MemoryBlock[] = [];
  for (const id of found) {
    const block = await lockBlockById(locked.tx, locked.owner, id);
    if (block !== null) blocks.push(block);
  }
  await remove(locked, scope, blocks, `Expired: not changed for ${days} days`);
}

async function remove(
  locked: LockedOwner,
  scope: Rules,
  blocks: readonly MemoryBlock[],
  reason: string,
): Promise<void> {
  for (const block of blocks) await applyChange(locked, toRemoval(block), toAttribution(scope, reason));
}
