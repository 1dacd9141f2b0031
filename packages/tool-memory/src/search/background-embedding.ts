import type { Semaphore } from "@dispatch/tools-interface/internal";
import type { Database, VectorStore, Query } from "../database/database.ts";
import { type Embedder, embedWithin, toUnitVector } from "./embedder.ts";
import { deleteUnusedEmbeddings, selectEmbeddingSpaces, activateEmbeddingSpace } from "./embedding-space.ts";

/** The owner, the embedder and the embedding space of a background embedding. */
interface EmbeddingJob {
  readonly sql: Database;
  readonly store: VectorStore;
  readonly owner: string;
  readonly space: number;
  readonly embedder: Embedder;
  readonly limit: Semaphore;
}

/** Makes missing vectors in the background. */
export interface BackgroundEmbedding {
  /** Must be called after each write. */
  changed(): void;
  /** Resolves when no vector is missing, or the embedder has failed. */
  settled(): Promise<void>;
  /** Whether nothing is under way or about to be. */
  isIdle(): boolean;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Writes within this time are embedded together. */
const DEBOUNCE_MS = 50;
/** Time after which a use of the memory starts a pass over all passages, which finds work that another process left undone. */
const FULL_PASS_INTERVAL_MS = 5 * 60_000;
/** Delay after the first failure, doubled with each further one up to the maximum. */
const RETRY_DELAY_MS = { first: 1_000, max: 60_000 } as const;
/** Maximum time of one call of an embedder. */
const EMBED_TIMEOUT_MS = 60_000;
/** Maximum number of vectors stored in one transaction, so that searches can run in between: an index takes milliseconds for each. */
const MAX_STORED_AT_ONCE = 32;
/** Number of new vectors after which their storage is maintained. */
const TIDY_AFTER = 2_000;

/** Starts embedding all passages without a vector, then each new one. Does not keep the process alive. */
export function startBackgroundEmbedding(job: EmbeddingJob): BackgroundEmbedding {
  const { sql, owner, space, embedder, store, limit } = job;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let seen = 0;
  let fresh = 0;
  let failures = 0;
  let lastFullPass = -FULL_PASS_INTERVAL_MS;

  // Also between batches: an index made early grows with the vectors; one made of all vectors would block the database.
  const tidy = async (): Promise<void> => {
    fresh = 0;
    await store.tidy(owner, { id: space, dimensions: embedder.dimensions });
  };
  const pass = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    const isFull = performance.now() - lastFullPass >= FULL_PASS_INTERVAL_MS;
    if (isFull) seen = 0;
    for (let isMore = true; isMore && !stopping.signal.aborted;) {
      const batch = await embedBatch(job, seen, stopping.signal);
      seen = batch.last ?? seen;
      fresh += batch.made;
      isMore = batch.isFull;
      // A delay lets a sequence of writes fill one batch, instead of a batch for each write.
      if (batch.made > 0 && !isMore) again = true;
      if (fresh >= TIDY_AFTER) await tidy();
    }
    if (isFull) lastFullPass = performance.now();
    const { building } = await selectEmbeddingSpaces(sql, owner);
    if (building === space && (await isWhole(sql, owner, space))) await activateEmbeddingSpace(sql, owner, space);
    if (isFull) while (!stopping.signal.aborted && (await deleteUnusedEmbeddings(sql, owner, 500)) > 0);
    if (isFull) await tidy();
  };
  const run = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (running !== undefined) {
      again = true;
      return running;
    }
    again = false;
    running = limit
      .run(pass)
      .then(
        () => (failures = 0),
        () => failures++,
      )
      .then(() => {
        running = undefined;
        if (stopping.signal.aborted) return;
        const { first, max } = RETRY_DELAY_MS;
        if (failures > 0) schedule(Math.min(first * 2 ** (failures - 1), max));
        else if (again) schedule(DEBOUNCE_MS);
      });
    return running;
  };
  const schedule = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), delay).unref();
  };
  schedule(0);

  return {
    isIdle: () => running === undefined && timer === undefined,
    changed() {
      if (failures > 0 || stopping.signal.aborted) return;
      if (running !== undefined) again = true;
      else if (timer === undefined) schedule(DEBOUNCE_MS);
    },
    async settled() {
      await running;
      await run();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** Embeds a batch of passages after `after`. `last`: the last one embedded, `undefined` for none; `isFull`: there may be more. */
async function embedBatch(
  { sql, owner, space, embedder, store }: EmbeddingJob,
  after: number,
  stopped: AbortSignal,
): Promise<{ readonly last: number | undefined; readonly made: number; readonly isFull: boolean }> {
  const { dimensions, batch = 64 } = embedder;
  const none = { last: undefined, made: 0, isFull: false };
  if (await isWhole(sql, owner, space, after)) return none;
  const bare = await sql.transaction((tx) => claimPassages(tx, owner, space, batch, after));
  if (bare.length === 0) return none;
  try {
    const texts = bare.map(({ text }) => text);
    const vectors = await embedWithin(embedder, texts, EMBED_TIMEOUT_MS, stopped);
    const made = bare.map(({ id }, at) => ({ id, vector: toUnitVector(vectors[at] ?? [], dimensions) }));
    for (let at = 0; at < made.length; at += MAX_STORED_AT_ONCE) {
      const some = made.slice(at, at + MAX_STORED_AT_ONCE);
      await sql.transaction((tx) => store.insert(tx, owner, { id: space, dimensions }, some));
    }
  } catch (error) {
    const ids = bare.map(({ id }) => id);
    await releaseClaims(sql, owner, space, ids).catch(() => undefined);
    throw error;
  }
  return { last: bare.at(-1)?.id, made: bare.length, isFull: bare.length === batch };
}

/** A claimed batch that was not finished after this time may be claimed again. */
const LEASE_SECONDS = 120;

/** The text to embed for a passage: the block's label and the text of the passage. */
function toEmbeddedText(label: string, passage: string): string {
  return `${label.replaceAll(/[_./:-]+/g, " ")}\n${passage}`;
}

/**
 * Claims up to `limit` passages without a vector, so that no other process embeds them at the same time.
 *
 * @param after only passages with a greater id: those written since the last claim.
 */
async function claimPassages(
  tx: Query,
  owner: string,
  space: number,
  limit: number,
  after: number,
): Promise<readonly { readonly id: number; readonly text: string }[]> {
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
  const rows = await tx.query<{ id: number | string; label: string; start: number; end: number; content: string }>(
    `SELECT passage.id, passage.start, passage."end", block.label, ${intact("block", "content")} AS content
     FROM dispatch_memory.passage JOIN dispatch_memory.block ON block.owner = $1 AND block.id = passage.block_id
     WHERE passage.owner = $1 AND passage.id IN ${list("$2", "bigint")} ORDER BY passage.id`,
    [owner, JSON.stringify(ids)],
  );
  return rows.map(({ id, label, content, start, end }) => ({
    id: Number(id),
    text: toEmbeddedText(label, content.slice(start, end)),
  }));
}

/** Gives claims back. */
async function releaseClaims(sql: Query, owner: string, space: number, ids: readonly number[]): Promise<void> {
  await sql.query(
    `DELETE FROM dispatch_memory.embedding_claim WHERE owner = $1 AND space = $2
       AND passage IN ${sql.dialect.list("$3", "bigint")}`,
    [owner, space, JSON.stringify(ids)],
  );
}

/** Whether every passage of an owner with a greater id than `after` has a vector of this space. */
async function isWhole(sql: Query, owner: string, space: number, after = 0): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 AS one FROM dispatch_memory.passage WHERE owner = $1 AND passage.id > $3 AND NOT EXISTS (
       SELECT 1 FROM dispatch_memory.embedding
       WHERE embedding.owner = $1 AND embedding.space = $2 AND embedding.passage = passage.id
     ) LIMIT 1`,
    [owner, space, after],
  );
  return rows.length === 0;
}
