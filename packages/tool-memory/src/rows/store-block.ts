import { toKey } from "../block/label.ts";
import type { MemoryBlock, Tier } from "../block/memory-block.ts";
import { toPassages, type Passage } from "../block/passage.ts";
import type { ChangeStatement, Dialect } from "../database/database.ts";
import { insertRow, updateRow } from "./columns.ts";

/**
 * Adds to a statement: the change of a block's row and of every row derived from it (passages, supersessions). No other
 * function changes these rows.
 *
 * @param was the block before, `null` when it is new.
 * @param now the block after, `null` when it is deleted.
 */
export function storeBlock(
  dialect: Dialect,
  statement: ChangeStatement,
  owner: string,
  was: MemoryBlock | null,
  now: MemoryBlock | null,
): void {
  if (now === null) {
    if (was === null) return;
    const [whose, id] = [statement.value(owner), statement.value(was.id)];
    statement.add("block_removed", `DELETE FROM dispatch_memory.block WHERE owner = ${whose} AND id = ${id}`);
    return;
  }
  const { id, label, content, tier, permission, source, trust, version, createdAt, updatedAt, validFrom = null } = now;
  const isFound = was?.content === content && was.label === label;
  const texts = isFound ? {} : { label, key: toKey(label), content };
  const row = { tier, permission, source, trust, ...texts, version, updatedAt, validFrom };
  if (was === null) insertRow(statement, "block", { owner, id, ...row, createdAt });
  else updateRow(statement, "block", { owner, id }, row);
  writeSupersessions(statement, owner, now, was?.supersedes ?? []);
  if (!isFound || was.tier !== tier) writePassages(dialect, statement, owner, now, was);
}

/**
 * Adds to a statement: the rows that name the blocks which a block supersedes. Searches leave those blocks out. A superseded
 * block may be absent: its row takes effect when the block is restored.
 *
 * @param was ids of the blocks that it superseded before.
 */
function writeSupersessions(
  statement: ChangeStatement,
  owner: string,
  { id, supersedes = [] }: MemoryBlock,
  was: readonly string[],
): void {
  const gone = was.filter((old) => !supersedes.includes(old)).map((old) => statement.value(old));
  const added = supersedes.filter((old) => !was.includes(old));
  if (gone.length > 0) {
    statement.add(
      "supersession_gone",
      `DELETE FROM dispatch_memory.supersession WHERE owner = ${statement.value(owner)} AND by_id = ${statement.value(id)}
       AND block_id IN (${gone.join(", ")})`,
    );
  }
  if (added.length > 0) {
    const [whose, by] = [statement.value(owner), statement.value(id)];
    const rows = added.map((old) => `(${whose}, ${by}, ${statement.value(old)})`);
    statement.add(
      "supersession_added",
      `INSERT INTO dispatch_memory.supersession (owner, by_id, block_id) VALUES ${rows.join(", ")} ON CONFLICT DO NOTHING`,
    );
  }
}

/** The fields of a block that its passages are made from. */
type PassageSource = Pick<MemoryBlock, "id" | "label" | "tier" | "content">;

/**
 * Adds to a statement: the rewriting of a block's passages from its text. Each passage is also found by the words of the
 * block's label; the parts of the label count as words.
 *
 * @param was the block before, `null` when it is new. Passages before the first changed one are kept, so an addition at the
 * end rewrites only the last passage and adds new ones.
 */
function writePassages(
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
