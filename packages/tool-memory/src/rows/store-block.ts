import type { MemoryBlock } from "../block/memory-block.ts";
import type { ChangeStatement, Dialect } from "../database/database.ts";
import { deleteBlock, insertBlock, updateBlock, updateState } from "./block-rows.ts";
import { writePassages } from "./passage-rows.ts";
import { writeSupersessions } from "./supersession-rows.ts";

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
    if (was !== null) deleteBlock(statement, owner, was.id);
    return;
  }
  if (was === null) insertBlock(statement, owner, now);
  else if (was.content === now.content && was.label === now.label) updateState(statement, owner, now);
  else updateBlock(statement, owner, now);
  writeSupersessions(statement, owner, now, was?.supersedes ?? []);
  const isFound = was?.content === now.content && was.label === now.label && was.tier === now.tier;
  if (!isFound) writePassages(dialect, statement, owner, now, was);
}
