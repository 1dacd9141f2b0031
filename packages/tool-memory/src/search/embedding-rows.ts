import type { SqlQuery } from "../database/sql.ts";
import type { VectorStore } from "./vector-store.ts";

/** A passage that has no vector yet. */
export interface BarePassage {
  /** The id of the passage. */
  readonly id: number;
  /** The text to embed: the block's label and the text of the passage. */
  readonly text: string;
}

interface BareRow {
  readonly id: number | string;
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

/** A claimed batch that was not finished after this time may be claimed again. */
const LEASE_SECONDS = 120;

/** The text to embed for a passage. */
export function toEmbeddedText(label: string, passage: string): string {
  return `${label.replaceAll(/[_./:-]+/g, " ")}\n${passage}`;
}

/**
 * Claims up to `limit` passages without a vector, so that no other process embeds them at the same time.
 *
 * @param after only passages with a greater id: those written since the last claim.
 */
export async function claimPassages(
  tx: SqlQuery,
  owner: string,
  space: number,
  limit: number,
  after: number,
): Promise<readonly BarePassage[]> {
  const rows = await tx.query<BareRow>(
    `WITH bare AS MATERIALIZED (
       SELECT passage.id, passage.block_id, passage.start, passage."end" FROM dispatch_memory.passage
       WHERE passage.owner = $1 AND passage.id > $4::bigint
         AND NOT EXISTS (SELECT 1 FROM dispatch_memory.embedding
           WHERE embedding.owner = $1 AND embedding.space = $2::integer AND embedding.passage = passage.id)
         AND NOT EXISTS (SELECT 1 FROM dispatch_memory.embedding_claim AS claim
           WHERE claim.owner = $1 AND claim.space = $2::integer AND claim.passage = passage.id AND claim.until > now())
       ORDER BY passage.id LIMIT $3::integer FOR UPDATE OF passage SKIP LOCKED
     ), claimed AS (
       INSERT INTO dispatch_memory.embedding_claim AS claim (owner, space, passage, until)
       SELECT $1, $2::integer, id, now() + interval '${LEASE_SECONDS} seconds' FROM bare
       ON CONFLICT (owner, space, passage) DO UPDATE SET until = excluded.until WHERE claim.until <= now()
       RETURNING claim.passage AS id
     )
     SELECT bare.id, bare.start, bare."end", block.label, block.content
     FROM bare JOIN claimed USING (id) JOIN dispatch_memory.block ON block.owner = $1 AND block.id = bare.block_id ORDER BY bare.id`,
    [owner, space, limit, after],
  );
  const made = await selectMade(tx, owner, space, rows);
  if (made.size > 0) await releaseClaims(tx, owner, space, [...made]);
  return rows
    .filter(({ id }) => !made.has(Number(id)))
    .map(({ id, label, content, start, end }) => ({
      id: Number(id),
      text: toEmbeddedText(label, content.slice(start, end)),
    }));
}

/** Passages that another process embedded and released while they were claimed: only a later statement sees that. */
async function selectMade(
  tx: SqlQuery,
  owner: string,
  space: number,
  rows: readonly BareRow[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const made = await tx.query<{ id: number | string }>(
    `SELECT passage AS id FROM dispatch_memory.embedding WHERE owner = $1 AND space = $2::integer
       AND passage IN (SELECT id::bigint FROM json_array_elements_text($3::text::json) AS id)`,
    [owner, space, JSON.stringify(rows.map(({ id }) => Number(id)))],
  );
  return new Set(made.map(({ id }) => Number(id)));
}

/** Keeps vectors of passages that are still there, and gives the claims on them back. */
export async function insertEmbeddings(
  tx: SqlQuery,
  store: VectorStore,
  owner: string,
  space: number,
  dimensions: number,
  vectors: readonly { readonly id: number; readonly vector: string }[],
): Promise<void> {
  const list = JSON.stringify(vectors);
  await tx.query(
    `WITH made AS (SELECT * FROM json_to_recordset($3::text::json) AS made(id bigint, vector text)),
     freed AS (DELETE FROM dispatch_memory.embedding_claim
       WHERE owner = $1 AND space = $2::integer AND passage IN (SELECT id FROM made)),
     kept AS (SELECT passage.id FROM dispatch_memory.passage WHERE owner = $1 AND id IN (SELECT id FROM made) FOR KEY SHARE)
     INSERT INTO dispatch_memory.embedding (owner, space, passage, vector)
     SELECT $1, $2::integer, made.id, made.vector::${store.schema}.vector(${dimensions}) FROM made JOIN kept USING (id)
     ON CONFLICT (owner, space, passage) DO NOTHING`,
    [owner, space, list],
  );
}

/** Gives claims back. */
export async function releaseClaims(
  sql: SqlQuery,
  owner: string,
  space: number,
  ids: readonly number[],
): Promise<void> {
  await sql.query(
    `DELETE FROM dispatch_memory.embedding_claim WHERE owner = $1 AND space = $2::integer
       AND passage IN (SELECT id::bigint FROM json_array_elements_text($3::text::json) AS id)`,
    [owner, space, JSON.stringify(ids)],
  );
}

/** Whether every passage of an owner has a vector of this space. */
export async function isWhole(sql: SqlQuery, owner: string, space: number): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 AS one FROM dispatch_memory.passage WHERE owner = $1 AND NOT EXISTS (
       SELECT 1 FROM dispatch_memory.embedding
       WHERE embedding.owner = $1 AND embedding.space = $2::integer AND embedding.passage = passage.id
     ) LIMIT 1`,
    [owner, space],
  );
  return rows.length === 0;
}
