import type { MemoryBlock } from "../block/memory-block.ts";
import type { SqlQuery } from "../database/sql.ts";
import { lockBlock, toBlock, WHOLE_BLOCK_COLUMNS, type BlockRow } from "./block-rows.ts";
import { COUNT_COLUMNS, lockOwner, type Counts, type LockedOwner } from "./lock-owner.ts";

/** A locked owner, and one of the owner's blocks. */
export interface OwnerAndBlock {
  /** The locked owner. */
  readonly locked: LockedOwner;
  /** The block, `null` when there is none. */
  readonly block: MemoryBlock | null;
}

/** Counts, whether the block read beside them is as new as they are, and the block's columns, all `null` without a block. */
type Row = Counts & { readonly isFresh: boolean } & (BlockRow | Readonly<Record<keyof BlockRow, null>>);

const select = `SELECT ${COUNT_COLUMNS}, (owner.seq, owner.blocks) = (
    SELECT seen.seq, seen.blocks FROM dispatch_memory.owner AS seen WHERE seen.owner = $1
  ) AS "isFresh", ${WHOLE_BLOCK_COLUMNS}
  FROM dispatch_memory.owner LEFT JOIN dispatch_memory.block ON block.owner = $1 AND block.key = $2
  WHERE owner.owner = $1 FOR UPDATE OF owner`;

/**
 * Locks an owner as {@link lockOwner} does and reads the block of a label, usually in one statement.
 *
 * While the statement waits for the lock, another transaction may change the block, but the statement sees the block as it
 * was when the statement began. Every change of a block also changes the owner's counts. So if the counts of the locked row
 * differ from those that the statement saw, another transaction committed in between, and the block is read again.
 */
export async function lockOwnerAndBlock(tx: SqlQuery, owner: string, key: string): Promise<OwnerAndBlock> {
  const [found] = await tx.query<Row>(select, [owner, key]);
  if (found?.isFresh !== true) {
    const locked = await lockOwner(tx, owner);
    return { locked, block: await lockBlock(tx, owner, key) };
  }
  const { seq, hash, blocks, chars, at, dayEvents, isFresh: _isFresh, ...block } = found;
  const locked = { tx, owner, seq, hash, blocks, chars, at, dayEvents };
  return { locked, block: block.id === null ? null : toBlock(block) };
}
