import type { Query } from "../database/database.ts";
import type { Embedder } from "./embedder.ts";

/**
 * The embedding spaces of one owner. An embedding space holds the vectors of one embedder; vectors of different spaces are
 * never compared. Searches use `active`; `building` is being filled and replaces it when complete.
 */
export interface OwnerEmbeddingSpaces {
  /** The space that is searched, `null` for none yet. */
  readonly active: number | null;
  /** The space that is being filled, `null` for none. */
  readonly building: number | null;
}

/** The number of an embedder's space, the same for all owners and processes. Creates the space when needed. */
export async function openEmbeddingSpace(sql: Query, embedder: Embedder): Promise<number> {
  const found = await findEmbeddingSpace(sql, embedder);
  if (found !== undefined) return found;
  await sql.query("INSERT INTO dispatch_memory.space (embedder, dimensions) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    embedder.id,
    embedder.dimensions,
  ]);
  const made = await findEmbeddingSpace(sql, embedder);
  if (made === undefined) throw new Error("a space that was made is not there");
  return made;
}

/** The number of an embedder's space, `undefined` when there is none. */
export async function findEmbeddingSpace(sql: Query, { id, dimensions }: Embedder): Promise<number | undefined> {
  const rows = await sql.query<{ id: number }>(
    "SELECT id FROM dispatch_memory.space WHERE embedder = $1 AND dimensions = $2",
    [id, dimensions],
  );
  return rows[0]?.id;
}

/** Chooses the space for an owner's vectors. The first space of an owner is active at once; a later one is built first. */
export async function chooseEmbeddingSpace(sql: Query, owner: string, space: number): Promise<void> {
  const { active, building } = await selectEmbeddingSpaces(sql, owner);
  // Usually the space was chosen before; then no row is locked.
  if (active !== null && space === (building ?? active)) return;
  await sql.query(
    `INSERT INTO dispatch_memory.owner_space AS was (owner, active, building) VALUES ($1, $2, NULL)
     ON CONFLICT (owner) DO UPDATE SET building = CASE WHEN was.active = excluded.active THEN NULL ELSE excluded.active END`,
    [owner, space],
  );
}

/** The embedding spaces of an owner. */
export async function selectEmbeddingSpaces(sql: Query, owner: string): Promise<OwnerEmbeddingSpaces> {
  const rows = await sql.query<OwnerEmbeddingSpaces>(
    "SELECT active, building FROM dispatch_memory.owner_space WHERE owner = $1",
    [owner],
  );
  return rows[0] ?? { active: null, building: null };
}

/** Makes the building space active, if it is still this one. */
export async function activateEmbeddingSpace(sql: Query, owner: string, space: number): Promise<void> {
  await sql.query(
    "UPDATE dispatch_memory.owner_space SET active = building, building = NULL WHERE owner = $1 AND building = $2",
    [owner, space],
  );
}

/** Deletes up to `limit` vectors of an owner that belong to no space in use. Resolves to their number. */
export async function deleteUnusedEmbeddings(sql: Query, owner: string, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM dispatch_memory.embedding WHERE owner = $1 AND (space, passage) IN (
       SELECT embedding.space, embedding.passage FROM dispatch_memory.embedding
       JOIN dispatch_memory.owner_space AS used ON used.owner = $1
       WHERE embedding.owner = $1 AND embedding.space IS DISTINCT FROM used.active AND embedding.space IS DISTINCT FROM used.building
       LIMIT $2
     ) RETURNING 1 AS one`,
    [owner, limit],
  );
  return rows.length;
}
