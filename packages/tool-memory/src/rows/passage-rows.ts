import { toKey } from "../block/label.ts";
import type { MemoryBlock, Tier } from "../block/memory-block.ts";
import { toPassages, type Passage } from "../block/passage.ts";
import type { ChangeStatement, Dialect } from "../database/database.ts";

/** The fields of a block that its passages are made from. */
type PassageSource = Pick<MemoryBlock, "id" | "label" | "tier" | "content">;

/**
 * Adds to a statement: the rewriting of a block's passages from its text. Each passage is also found by the words of the
 * block's label; the parts of the label count as words.
 *
 * @param was the block before, `null` when it is new. Passages before the first changed one are kept, so an addition at the
 * end rewrites only the last passage and adds new ones.
 */
export function writePassages(
  dialect: Dialect,
  statement: ChangeStatement,
  owner: string,
  block: PassageSource,
  was: PassageSource | null,
): void {
  const now = toPassages(block.content);
  const from = was === null ? 0 : firstChange(block, now, was);
  const pieces = now.slice(from).map(({ start, end }, at) => ({
    ordinal: from + at,
    start,
    end,
    body: block.content.slice(start, end),
  }));
  const keepsPlace = was?.label === block.label && was.tier === block.tier;
  const series = sequenceOf(block.tier, toKey(block.label));
  const change = { owner, blockId: block.id, label: block.label, series, isRewritten: was !== null, keepsPlace, from };
  dialect.writePassages(statement, { ...change, pieces });
}

/** The ordinal of the first changed passage. At most that of the last passage, which is always rewritten: it carries the block's place. */
function firstChange(block: PassageSource, now: readonly Passage[], was: PassageSource): number {
  if (was.label !== block.label || was.tier !== block.tier) return 0;
  const before = toPassages(was.content);
  const same = (at: number): boolean => {
    const [a, b] = [now[at], before[at]];
    return (
      a !== undefined &&
      b !== undefined &&
      a.end === b.end &&
      block.content.slice(a.start, a.end) === was.content.slice(b.start, b.end)
    );
  };
  let from = 0;
  while (from < now.length - 1 && from < before.length - 1 && same(from)) from++;
  return from;
}

/**
 * The sequence that a block belongs to, `null` for none. Blocks of a sequence were written one after the other and may
 * explain each other, so the ranking lifts a block next to a good hit. Archival notes whose labels share a path form a
 * sequence (`log/…`); in other tiers, blocks whose labels differ only in their last number (`log/turn-7`, `log/turn-8`).
 */
export function sequenceOf(tier: Tier, key: string): string | null {
  const path = key.slice(0, key.lastIndexOf("/") + 1);
  if (tier === "archival") return `archival ${path}`;
  const numbered = /^(.*?)\p{N}+$/su.exec(key);
  return numbered === null ? null : `${tier} ${numbered[1]}#`;
}
