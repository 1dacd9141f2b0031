import { toKey } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { ChangeStatement, Dialect } from "../database/database.ts";
import { insertRow, updateRow } from "./columns.ts";
import { writePassages } from "./passage-rows.ts";

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
