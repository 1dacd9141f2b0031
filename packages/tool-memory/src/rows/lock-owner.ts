import type { MemoryBlock } from "../block/memory-block.ts";
import type { ChangeStatement, Database, Dialect, Query } from "../database/database.ts";
import { blockColumns, selectBlock, toBlock, type BlockRow } from "./block-rows.ts";
import { changeRows, updateRow } from "./columns.ts";

/**
 * An owner whose row is locked by a transaction, with the owner's counts. Functions that change the memory keep the counts
 * here up to date; the next event or {@link saveCounts} stores them.
 */
export interface LockedOwner {
  readonly tx: Query;
  readonly owner: string;
  /** The time given to every change in the transaction, by the database's clock: ISO 8601, UTC. */
  readonly at: string;
  /** `seq` of the last event, 0 when there is none. */
  seq: number;
  /** `hash` of the last event, empty when there is none. */
  hash: string;
  blocks: number;
  /** Length of all blocks together, in UTF-16 code units. */
  chars: number;
  dayEvents: number;
  /** Number of characters that the agent's changes and proposals of this day replaced and wrote. */
  dayChars: number;
}

/** The counts of an owner, and the end of the owner's history. */
type Counts = Omit<LockedOwner, "tx" | "owner">;

/** A row of {@link countColumns}. */
interface CountRow extends Counts {
  /** The UTC day that `dayEvents` is about. */
  readonly day: string;
}

/** The columns of {@link CountRow}, of the table named `owner`. */
function countColumns({ iso, time }: Dialect): string {
  return `CAST(owner.seq AS double precision) AS seq, owner.hash, owner.blocks, CAST(owner.characters AS double precision) AS chars,
    ${iso(time())} AS at, CAST(owner.day AS text) AS day, owner.day_events AS "dayEvents",
    CAST(owner.day_chars AS double precision) AS "dayChars"`;
}

/** The counts of a row. */
function toLocked(tx: Query, owner: string, { day, ...counts }: CountRow): LockedOwner {
  const { seq, hash, blocks, chars, at, dayEvents, dayChars } = counts;
  const ofToday = at.startsWith(day) ? { dayEvents, dayChars } : { dayEvents: 0, dayChars: 0 };
  return { tx, owner, seq, hash, blocks, chars, at, ...ofToday };
}

/** Adds to a statement: the update of the counts and the end of the history. */
export function updateCounts(statement: ChangeStatement, locked: LockedOwner): void {
  const { owner, at, seq, hash, blocks, chars: characters, dayEvents, dayChars } = locked;
  const day = at.slice(0, "2026-01-01".length);
  updateRow(statement, "owner", { owner }, { seq, hash, blocks, characters, day, dayEvents, dayChars });
}

/** Writes the counts after changes that add no event: a proposal, `forget`, and `import` with `restore`. */
export async function saveCounts(locked: LockedOwner): Promise<void> {
  await changeRows(locked.tx, (statement) => updateCounts(statement, locked));
}

/** A locked owner, and one of the owner's blocks. */
export interface OwnerAndBlock {
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
 * Locks an owner's row until the transaction ends (`SELECT … FOR UPDATE`), so that changes to one owner's memory run one
 * after the other, and reads the block of a label, usually in one statement. Without the lock two transactions could both create a
 * label or both use up the last quota, and events could commit out of order.
 *
 * While the statement waits for the lock, another transaction may change the block, but the statement sees the block as it
 * was when the statement began. Every change of a block also changes the owner's counts. So if the counts of the locked row
 * differ from those that the statement saw, another transaction committed in between, and the block is read again.
 */
export async function lockOwnerAndBlock(tx: Query, owner: string, key: string): Promise<OwnerAndBlock> {
  const read = async () => (await tx.query<Row>(select(tx.dialect), [owner, key]))[0];
  let found = await read();
  if (found === undefined) {
    const text = "INSERT INTO dispatch_memory.owner (owner) VALUES ($1) ON CONFLICT (owner) DO NOTHING";
    await tx.change({ parts: [{ name: "owner_added", text }], params: [owner] });
    found = await read();
  }
  if (found === undefined) throw new Error("an owner that was added is not there");
  const locked = toLocked(tx, owner, found);
  if (!found.isFresh) return { locked, block: await selectBlock(tx, owner, key) };
  return { locked, block: found.id === null ? null : toBlock(found) };
}

/** Locks an owner as {@link lockOwnerAndBlock} does. */
export async function lockOwner(tx: Query, owner: string): Promise<LockedOwner> {
  return (await lockOwnerAndBlock(tx, owner, "")).locked;
}

/** Runs `work` in one transaction that has locked an owner. */
export function withOwner<Result>(
  sql: Pick<Database, "transaction">,
  owner: string,
  work: (locked: LockedOwner) => Promise<Result>,
): Promise<Result> {
  return sql.transaction(async (tx) => work(await lockOwner(tx, owner)));
}
