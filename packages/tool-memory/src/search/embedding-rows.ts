import type { Query } from "../database/database.ts";

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
function toEmbeddedText(label: string, passage: string): string {
  return `${label.replaceAll(/[_./:-]+/g, " ")}\n${passage}`;
}

/**
 * Claims up to `limit` passages without a vector, so that no other process embeds them at the same time.
 *
 * @param after only passages with a greater id: those written since the last claim.
 */
export async function claimPassages(
  tx: Query,
  owner: string,
  space: number,
  limit: number,
  after: number,
): Promise<readonly BarePassage[]> {
  const { intact, list, lock, time } = tx.dialect;
  // A claim for longer than a lease is of a clock that went back since.
  const isHeld = (claim: string): string =>
    `${claim}.until > ${time()} AND ${claim}.until <= ${time(`${LEASE_SECONDS}`)}`;
  const claimed = await tx.query<{ id: number | string }>(
    `INSERT INTO dispatch_memory.embedding_claim AS claim (owner, space, passage, until)
     SELECT passage.owner, CAST($2 AS integer), passage.id, ${time(`${LEASE_SECONDS}`)} FROM dispatch_memory.passage
     WHERE passage.owner = $1 AND passage.id > $4
       AND NOT EXISTS (SELECT 1 FROM dispatch_memory.embedding
         WHERE embedding.owner = $1 AND embedding.space = $2 AND embedding.passage = passage.id)
       AND NOT EXISTS (SELECT 1 FROM dispatch_memory.embedding_claim AS held
         WHERE held.owner = $1 AND held.space = $2 AND held.passage = passage.id AND ${isHeld("held")})
     ORDER BY passage.id LIMIT $3${lock("passage", "skip")}
     ON CONFLICT (owner, space, passage) DO UPDATE SET until = excluded.until WHERE NOT (${isHeld("claim")})
     RETURNING passage AS id`,
    [owner, space, limit, after],
  );
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ id }) => Number(id));
  const made = await selectMade(tx, owner, space, ids);
  if (made.size > 0) await releaseClaims(tx, owner, space, [...made]);
  const rows = await tx.query<BareRow>(
    `SELECT passage.id, passage.start, passage."end", block.label, ${intact("block", "content")} AS content
     FROM dispatch_memory.passage JOIN dispatch_memory.block ON block.owner = $1 AND block.id = passage.block_id
     WHERE passage.owner = $1 AND passage.id IN ${list("$2", "bigint")} ORDER BY passage.id`,
    [owner, JSON.stringify(ids.filter((id) => !made.has(id)))],
  );
  return rows.map(({ id, label, content, start, end }) => ({
    id: Number(id),
    text: toEmbeddedText(label, content.slice(start, end)),
  }));
}

/** Passages that another process embedded and released while they were claimed: only a later statement sees that. */
async function selectMade(
  tx: Query,
  owner: string,
  space: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const made = await tx.query<{ id: number | string }>(
    `SELECT passage AS id FROM dispatch_memory.embedding WHERE owner = $1 AND space = $2
       AND passage IN ${tx.dialect.list("$3", "bigint")}`,
    [owner, space, JSON.stringify(ids)],
  );
  return new Set(made.map(({ id }) => Number(id)));
}

/** Gives claims back. */
export async function releaseClaims(sql: Query, owner: string, space: number, ids: readonly number[]): Promise<void> {
  await sql.query(
    `DELETE FROM dispatch_memory.embedding_claim WHERE owner = $1 AND space = $2
       AND passage IN ${sql.dialect.list("$3", "bigint")}`,
    [owner, space, JSON.stringify(ids)],
  );
}

/** Whether every passage of an owner with a greater id than `after` has a vector of this space. */
export async function isWhole(sql: Query, owner: string, space: number, after = 0): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 AS one FROM dispatch_memory.passage WHERE owner = $1 AND passage.id > $3 AND NOT EXISTS (
       SELECT 1 FROM dispatch_memory.embedding
       WHERE embedding.owner = $1 AND embedding.space = $2 AND embedding.passage = passage.id
     ) LIMIT 1`,
    [owner, space, after],
  );
  return rows.length === 0;
}
