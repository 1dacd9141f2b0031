import type { SqlQuery } from "../database/sql.ts";
import type { Embedder } from "./embedder.ts";
import { INDEX } from "./vector-index.ts";

/** The spaces of one owner: `active` is searched, `building` is being filled and takes its place when it is whole. */
export interface OwnerSpaces {
  /** The space that is searched, `null` when there is none yet. */
  readonly active: number | null;
  /** The space that is being filled, `null` when none is. */
  readonly building: number | null;
}

/** The number of an embedder's space, the same for all owners and processes. */
export async function openSpace(sql: SqlQuery, { id, dimensions }: Embedder): Promise<number> {
  const find = "SELECT id FROM dispatch_memory.space WHERE embedder = $1 AND dimensions = $2::integer";
  const found = await sql.query<{ id: number }>(find, [id, dimensions]);
  if (found[0] !== undefined) return found[0].id;
  await sql.query(
    "INSERT INTO dispatch_memory.space (embedder, dimensions) VALUES ($1, $2::integer) ON CONFLICT DO NOTHING",
    [id, dimensions],
  );
  const made = await sql.query<{ id: number }>(find, [id, dimensions]);
  if (made[0] === undefined) throw new Error("a space that was made is not there");
  return made[0].id;
}

/** Says that an owner's vectors are to be of this space. The first space of an owner is searched at once. */
export async function chooseSpace(sql: SqlQuery, owner: string, space: number): Promise<void> {
  const { active, building } = await selectSpaces(sql, owner);
  // As a rule it was chosen before, and nobody has to wait for a change that is none.
  if (active !== null && space === (building ?? active)) return;
  await sql.query(
    `INSERT INTO dispatch_memory.owner_space AS was (owner, active, building) VALUES ($1, $2::integer, NULL)
     ON CONFLICT (owner) DO UPDATE SET building = CASE WHEN was.active = excluded.active THEN NULL ELSE excluded.active END`,
    [owner, space],
  );
}

/** The spaces of an owner. */
export async function selectSpaces(sql: SqlQuery, owner: string): Promise<OwnerSpaces> {
  const rows = await sql.query<OwnerSpaces>(
    "SELECT active, building FROM dispatch_memory.owner_space WHERE owner = $1",
    [owner],
  );
  return rows[0] ?? { active: null, building: null };
}

/** What a search by vectors has to know first. */
export interface SearchedSpace {
  /** The space that is searched, `null` when there is none yet. */
  readonly active: number | null;
  /** Whether it has a usable index for nearest neighbours. */
  readonly indexed: boolean;
  /** The latest passage, 0 when there is none. */
  readonly last: number;
}

/** What a search by vectors has to know first, in one statement. */
export async function selectSearched(sql: SqlQuery, owner: string): Promise<SearchedSpace> {
  const rows = await sql.query<Omit<SearchedSpace, "last"> & { last: number | string | null }>(
    `SELECT active, (SELECT max(id) FROM dispatch_memory.passage WHERE owner = $1) AS last, EXISTS (
       SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('dispatch_memory.${INDEX}' || active) AND indisvalid
     ) AS indexed FROM dispatch_memory.owner_space WHERE owner = $1`,
    [owner],
  );
  const { active = null, indexed = false, last = 0 } = rows[0] ?? {};
  return { active, indexed, last: Number(last) };
}

/** Has the space searched that was being filled, if it is this one still. Resolves to whether it was. */
export async function switchSpace(sql: SqlQuery, owner: string, space: number): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE dispatch_memory.owner_space SET active = building, building = NULL
     WHERE owner = $1 AND building = $2::integer RETURNING 1 AS one`,
    [owner, space],
  );
  return rows.length > 0;
}

/** Deletes up to `most` vectors of an owner that belong to no space in use. Resolves to how many. */
export async function dropRetired(sql: SqlQuery, owner: string, most: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM dispatch_memory.embedding WHERE owner = $1 AND (space, passage) IN (
       SELECT embedding.space, embedding.passage FROM dispatch_memory.embedding
       JOIN dispatch_memory.owner_space AS used ON used.owner = $1
       WHERE embedding.owner = $1 AND embedding.space IS DISTINCT FROM used.active AND embedding.space IS DISTINCT FROM used.building
       LIMIT $2::integer
     ) RETURNING 1 AS one`,
    [owner, most],
  );
  return rows.length;
}
