import type { SqlQuery } from "../database/sql.ts";
import { iso } from "./iso.ts";

/** One owner's turn to write: the transaction, and where the owner's history and counts stand in it. */
export interface Turn {
  /** The transaction. */
  readonly tx: SqlQuery;
  /** Whose turn. */
  readonly owner: string;
  /** The time of everything that is done in it, by the database's clock: ISO 8601, UTC. */
  readonly at: string;
  /** `seq` of the last event, 0 when there is none. */
  seq: number;
  /** `hash` of the last event, empty when there is none. */
  hash: string;
  /** How many blocks there are. */
  blocks: number;
  /** How many characters they hold together, in UTF-16 code units. */
  characters: number;
  /** How many events of the agent there are of this day. */
  dayEvents: number;
}

/** Where an owner's history and counts stand. */
export type Counts = Omit<Turn, "tx" | "owner">;

/** The columns of {@link Counts}, of the table named `owner`. */
export const COUNT_COLUMNS = `owner.seq::float8 AS seq, owner.hash, owner.blocks, owner.characters::float8 AS characters,
  ${iso("clock_timestamp()")} AS at,
  CASE WHEN owner.day = (clock_timestamp() AT TIME ZONE 'UTC')::date THEN owner.day_events ELSE 0 END AS "dayEvents"`;

/**
 * Makes all later reads and writes of this transaction the only ones of their owner until it ends. Without it two
 * transactions could both create a label or both take the last place, and events could commit out of order.
 */
export async function takeTurn(tx: SqlQuery, owner: string): Promise<Turn> {
  const select = `SELECT ${COUNT_COLUMNS} FROM dispatch_memory.owner WHERE owner = $1 FOR UPDATE`;
  const [found] = await tx.query<Counts>(select, [owner]);
  if (found !== undefined) return { tx, owner, ...found };
  await tx.query("INSERT INTO dispatch_memory.owner (owner) VALUES ($1) ON CONFLICT (owner) DO NOTHING", [owner]);
  const [made] = await tx.query<Counts>(select, [owner]);
  if (made === undefined) throw new Error("an owner that was added is not there");
  return { tx, owner, ...made };
}

/** Keeps where the history and the counts stand, after rows were taken away or brought in as they are. */
export async function saveTurn({ tx, owner, seq, hash, blocks, characters }: Turn): Promise<void> {
  await tx.query(
    `UPDATE dispatch_memory.owner SET seq = $2::bigint, hash = $3, blocks = $4::integer, characters = $5::bigint WHERE owner = $1`,
    [owner, seq, hash, blocks, characters],
  );
}
