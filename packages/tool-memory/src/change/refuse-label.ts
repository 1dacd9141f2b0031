import { nameOf } from "../block/caution.ts";
import { toLatinLook, checkNewLabel, quote, toKey } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import { selectBlock } from "../rows/block-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { refuse, type Refusal } from "../text/refusal.ts";

/**
 * Refuses the label that a change gives to a block when it could pass for another one, looks like the label of a block that is
 * there, or is another block's.
 *
 * @param newLabel the label that a move gives it, if it is one.
 */
export async function refuseLabel(
  { tx, owner }: LockedOwner,
  block: MemoryBlock | null,
  label: string,
  newLabel?: string,
): Promise<Refusal | undefined> {
  const now = newLabel ?? label;
  if (now === block?.label || (block !== null && newLabel === undefined)) return undefined;
  const bad = checkNewLabel(now);
  if (bad !== undefined) return bad;
  const look = toLatinLook(now);
  const alike = toKey(look) === toKey(now) ? null : await selectBlock(tx, owner, toKey(look));
  if (alike !== null) {
    return refuse(
      "invalid_label",
      `Label refused: ${quote(now)} looks like the label of the block ${nameOf(alike)}, allowed are labels that look like no other; choose another`,
    );
  }
  const there = newLabel === undefined ? null : await selectBlock(tx, owner, toKey(now));
  if (there === null || there.id === block?.id) return undefined;
  return refuse(
    "label_taken",
    `Move of ${quote(label)} refused: there is a block ${nameOf(there)} already, allowed is a label that no block has; choose another`,
  );
}
