import type { SqlQuery } from "../database/sql.ts";
import { iso } from "./iso.ts";

/**
 * An owner whose row is locked by a transaction, with the owner's counts. Functions that change the memory keep the counts
 * here up to date; the next event or {@link saveCounts} stores them.
 */
export interface LockedOwner {
  /** The transaction. */
  readonly tx: SqlQuery;
  /** The locked owner. */
  readonly owner: string;
  /** The time given to every change in the transaction, by the database's clock: ISO 8601, UTC. */
  readonly at: string;
  /** `seq` of the last event, 0 when there is none. */
  seq: number;
  /** `hash` of the last event, empty when there is none. */
  hash: string;
  /** Number of blocks. */
  blocks: number;
  /** Length of all blocks together, in UTF-16 code units. */
  chars: number;
  /** Number of the agent's events of this day. */
  dayEvents: number;
}

/** The counts of an owner, and the end of the owner's history. */
export type Counts = Omit<LockedOwner, "tx" | "owner">;

/** The columns of {@link Counts}, of the table named `owner`. */
export const COUNT_COLUMNS = `owner.seq::float8 AS seq, owner.hash, owner.blocks, owner.characters::float8 AS chars,
  ${iso("clock_timestamp()")} AS at,
  CASE WHEN owner.day = (clock_timestamp() AT TIME ZONE 'UTC')::date THEN owner.day_events ELSE 0 END AS "dayEvents"`;

/**
 * Locks an owner's row until the transaction ends (`SELECT … FOR UPDATE`), so that changes to one owner's memory run one
 * after the other. Without the lock two transactions could both create a label or both use up the last quota, and events
 * could commit out of order.
 */
export async function lockOwner(tx: SqlQuery, owner: string): Promise<LockedOwner> {
  const select = `SELECT ${COUNT_COLUMNS} FROM dispatch_memory.owner WHERE owner = $1 FOR UPDATE`;
  const [found] = await tx.query<Counts>(select, [owner]);
  if (found !== undefined) return { tx, owner, ...found };
  await tx.query("INSERT INTO dispatch_memory.owner (owner) VALUES ($1) ON CONFLICT (owner) DO NOTHING", [owner]);
  const [made] = await tx.query<Counts>(select, [owner]);
  if (made === undefined) throw new Error("an owner that was added is not there");
  return { tx, owner, ...made };
}

/** Writes the counts and the end of the history. For changes that add no event: `forget` and `import` with `restore`. */
export async function saveCounts({ tx, owner, seq, hash, blocks, chars }: LockedOwner): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.owner SET seq = $2::bigint, hash = $3, blocks = $4::integer, characters = $5::bigint WHERE owner = $1`,
    [owner, seq, hash, blocks, chars],
  );
}
