import { nameOf } from "../block/add-caution.ts";
import { toLatinLook, checkNewLabel, quote, toKey } from "../block/label.ts";
import { lockBlock } from "../rows/block-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { refuse, type Refusal } from "../text/refusal.ts";

/** Refuses a new label that could pass for another one, or that looks like the label of a block that is there. */
export async function refuseMistaken(locked: LockedOwner, label: string): Promise<Refusal | undefined> {
  const bad = checkNewLabel(label);
  const look = toLatinLook(label);
  if (bad !== undefined || look === label) return bad;
  const there = await lockBlock(locked.tx, locked.owner, toKey(look));
  if (there === null || toKey(look) === toKey(label)) return undefined;
  return refuse(
    "invalid_label",
    `Label refused: ${quote(label)} looks like the label of the block ${nameOf(there)}, allowed are labels that look like no other; choose another`,
  );
}
