import type { MemoryBlock } from "../block/memory-block.ts";
import type { SqlQuery } from "../database/sql.ts";
import { lockBlock, toBlock, WHOLE_BLOCK_COLUMNS, type BlockRow } from "./block-rows.ts";
import { COUNT_COLUMNS, takeTurn, type Counts, type Turn } from "./turn.ts";

/** A turn, and the block that it was taken for. */
export interface TurnAt {
  /** The turn. */
  readonly turn: Turn;
  /** The block, `null` when there is none. */
  readonly block: MemoryBlock | null;
}

/** Counts, whether what was read beside them is as new as they are, and a block, all of it `null` when there is none. */
type Row = Counts & { readonly isFresh: boolean } & (BlockRow | Readonly<Record<keyof BlockRow, null>>);

const select = `SELECT ${COUNT_COLUMNS}, (owner.seq, owner.blocks) = (
    SELECT seen.seq, seen.blocks FROM dispatch_memory.owner AS seen WHERE seen.owner = $1
  ) AS "isFresh", ${WHOLE_BLOCK_COLUMNS}
  FROM dispatch_memory.owner LEFT JOIN dispatch_memory.block ON block.owner = $1 AND block.key = $2
  WHERE owner.owner = $1 FOR UPDATE OF owner`;

/**
 * Takes a turn as {@link takeTurn} does, and reads the block of a label, as a rule in one statement.
 *
 * A statement sees blocks as they were when it began, which may be before the turn of another ended that it waited for.
 * Then the counts that it was given are not those it saw, for no block changes without them, and the block is read anew.
 */
export async function takeTurnAt(tx: SqlQuery, owner: string, key: string): Promise<TurnAt> {
  const [found] = await tx.query<Row>(select, [owner, key]);
  if (found?.isFresh !== true) {
    const turn = await takeTurn(tx, owner);
    return { turn, block: await lockBlock(tx, owner, key) };
  }
  const { seq, hash, blocks, characters, at, dayEvents, isFresh: _isFresh, ...block } = found;
  const turn = { tx, owner, seq, hash, blocks, characters, at, dayEvents };
  return { turn, block: block.id === null ? null : toBlock(block) };
}
