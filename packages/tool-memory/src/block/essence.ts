import type { MutationOp } from "./mutation.ts";
import type { Tier } from "./tier.ts";

/** A proposed change, as far as its essence goes. */
interface Change {
  /** The operation. */
  readonly op: MutationOp;
  /** The tier the block would have. */
  readonly tier: Tier;
  /** The label the block would have, `null` for its present one. */
  readonly newLabel: string | null;
  /** The present text. */
  readonly before: string;
  /** The text the block would have. */
  readonly proposed: string;
}

/**
 * The essence of a change: equal for changes that differ only in white space, case, compatibility forms and invisible
 * characters, or in the text around the change. A rejected change does not come back in another guise.
 */
export function toEssence({ op, tier, newLabel, before, proposed }: Change): string {
  const [old, now] = [fold(before), fold(proposed)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [gone, added] = [old, now].map((text) => text.slice(start, text.length - end));
  return JSON.stringify([op, tier, newLabel && fold(newLabel), added === "" ? gone : "", added]);
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]/gu, "")
    .toLowerCase()
    .normalize("NFKC");
}
