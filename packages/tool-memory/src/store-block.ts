import { deleteBlock, insertBlock, updateBlock, updateState } from "./block-rows.ts";
import type { MemoryBlock } from "./memory-block.ts";
import { writePassages } from "./passage-rows.ts";
import type { SqlQuery } from "./sql.ts";

/**
 * Makes a block's rows say what it is now: the one place where they change, and where whatever is derived from a block's
 * label and text is kept up with it.
 *
 * @param was the block before, `null` when there was none.
 * @param now the block after, `null` when it goes.
 */
export async function storeBlock(
  tx: SqlQuery,
  owner: string,
  was: MemoryBlock | null,
  now: MemoryBlock | null,
): Promise<void> {
  if (now === null) {
    if (was !== null) await deleteBlock(tx, owner, was.id);
    return;
  }
  if (was === null) await insertBlock(tx, owner, now);
  else if (was.content === now.content && was.label === now.label) await updateState(tx, owner, now);
  else await updateBlock(tx, owner, now);
  const isFound = was?.content === now.content && was.label === now.label && was.tier === now.tier;
  if (!isFound) await writePassages(tx, owner, now, was);
}
