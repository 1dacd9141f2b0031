import type { MemoryBlock } from "../block/memory-block.ts";
import type { ChangeStatement } from "../database/database.ts";

/**
 * Adds to a statement: the rows that name the blocks which a block supersedes. Searches leave those blocks out. A superseded
 * block may be absent: its row takes effect when the block is restored.
 *
 * @param was ids of the blocks that it superseded before.
 */
export function writeSupersessions(
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
