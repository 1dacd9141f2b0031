import { toKey } from "../block/label.ts";
import type { MemoryBlock, Tier } from "../block/memory-block.ts";
import { toPassages, type Passage } from "../block/passage.ts";
import type { ChangeStatement, Database, Dialect, Query } from "../database/database.ts";
import { changeRows } from "./columns.ts";
import { lockOwner } from "./lock-owner.ts";

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

/** Blocks without passages, as after rows were inserted by other programs. */
const BARE = `SELECT id, label, tier, content FROM dispatch_memory.block
   WHERE owner = $1 AND NOT EXISTS (SELECT 1 FROM dispatch_memory.passage WHERE passage.owner = $1 AND passage.block_id = block.id)
   ORDER BY created_at, id LIMIT 100`;

/** Makes passages for blocks that have none. Resolves to the number of such blocks. */
export async function repairPassages(sql: Database, owner: string): Promise<number> {
  for (let repaired = 0; ;) {
    if ((await sql.query(BARE, [owner])).length === 0) return repaired;
    repaired += await sql.transaction((tx) => makePassages(tx, owner));
  }
}

/** Makes passages for up to 100 blocks that have none, in a transaction. Resolves to their number. */
export async function makePassages(tx: Query, owner: string): Promise<number> {
  await lockOwner(tx, owner);
  const bare = await tx.query<PassageSource>(BARE, [owner]);
  for (const block of bare)
    await changeRows(tx, (statement) => writePassages(tx.dialect, statement, owner, block, null));
  return bare.length;
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
