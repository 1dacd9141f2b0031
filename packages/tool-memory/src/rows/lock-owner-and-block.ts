import type { MemoryBlock } from "../block/memory-block.ts";
import type { Dialect, Query } from "../database/database.ts";
import { blockColumns, lockBlock, toBlock, type BlockRow } from "./block-rows.ts";
import { addOwner, countColumns, lockOwner, toLocked, type CountRow, type LockedOwner } from "./lock-owner.ts";

/** A locked owner, and one of the owner's blocks. */
export interface OwnerAndBlock {
  /** The locked owner. */
  readonly locked: LockedOwner;
  /** The block, `null` when there is none. */
  readonly block: MemoryBlock | null;
}

/** Counts, whether the block read beside them is as new as they are, and the block's columns, all `null` without a block. */
type Row = CountRow & { readonly isFresh: boolean | number } & (BlockRow | Readonly<Record<keyof BlockRow, null>>);

const FRESH = `(owner.seq, owner.blocks) = (
    SELECT seen.seq, seen.blocks FROM dispatch_memory.owner AS seen WHERE seen.owner = $1
  )`;

const select = (dialect: Dialect): string => `SELECT ${countColumns(dialect)},
  ${dialect.seesLatest ? "true" : FRESH} AS "isFresh", ${blockColumns(dialect)}
  FROM dispatch_memory.owner LEFT JOIN dispatch_memory.block ON block.owner = $1 AND block.key = $2
  WHERE owner.owner = $1${dialect.lock("owner")}`;

/**
 * Locks an owner as {@link lockOwner} does and reads the block of a label, usually in one statement.
 *
 * While the statement waits for the lock, another transaction may change the block, but the statement sees the block as it
 * was when the statement began. Every change of a block also changes the owner's counts. So if the counts of the locked row
 * differ from those that the statement saw, another transaction committed in between, and the block is read again.
 */
export async function lockOwnerAndBlock(tx: Query, owner: string, key: string): Promise<OwnerAndBlock> {
  let [found] = await tx.query<Row>(select(tx.dialect), [owner, key]);
  if (found === undefined) {
    await tx.change(addOwner(owner));
    [found] = await tx.query<Row>(select(tx.dialect), [owner, key]);
  }
  if (found === undefined || !found.isFresh) {
    const locked = await lockOwner(tx, owner);
    return { locked, block: await lockBlock(tx, owner, key) };
  }
  const {
    seq: _s,
    hash: _h,
    blocks: _b,
    chars: _c,
    at: _a,
    day: _d,
    dayEvents: _e,
    dayChars: _n,
    isFresh: _f,
    ...block
  } = found;
  return { locked: toLocked(tx, owner, found), block: block.id === null ? null : toBlock(block) };
}
