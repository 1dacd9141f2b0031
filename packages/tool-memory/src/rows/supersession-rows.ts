import type { MemoryBlock } from "../block/memory-block.ts";
import type { ChangeStatement } from "./change-statement.ts";

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
  const gone = was.filter((old) => !supersedes.includes(old));
  const added = supersedes.filter((old) => !was.includes(old));
  const elements = (ids: readonly string[]): string =>
    `json_array_elements_text(${statement.value(JSON.stringify(ids), "text")}::json)`;
  if (gone.length > 0) {
    statement.add(
      "supersession_gone",
      `DELETE FROM dispatch_memory.supersession WHERE owner = ${statement.value(owner)} AND by_id = ${statement.value(id)}
       AND block_id IN (SELECT ${elements(gone)})`,
    );
  }
  if (added.length > 0) {
    statement.add(
      "supersession_added",
      `INSERT INTO dispatch_memory.supersession (owner, by_id, block_id)
       SELECT ${statement.value(owner)}, ${statement.value(id)}, ${elements(added)} ON CONFLICT DO NOTHING`,
    );
  }
}
