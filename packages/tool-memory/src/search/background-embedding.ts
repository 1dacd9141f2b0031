import type { Database, VectorStore } from "../database/database.ts";
import type { Semaphore } from "../database/semaphore.ts";
import { repairPassages } from "../rows/passage-rows.ts";
import type { Embedder } from "./embedder.ts";
import { claimPassages, isWhole, releaseClaims } from "./embedding-rows.ts";
import { deleteUnusedEmbeddings, selectEmbeddingSpaces, activateEmbeddingSpace } from "./embedding-space.ts";
import { toUnitVector } from "./unit-vector.ts";
import { withTimeout } from "./with-timeout.ts";

/** The owner, the embedder and the embedding space of a background embedding. */
export interface EmbeddingJob {
  /** The database. */
  readonly sql: Database;
  /** Stores the vectors. */
  readonly store: VectorStore;
  /** The owner. */
  readonly owner: string;
  /** The embedder's embedding space. */
  readonly space: number;
  /** Makes the vectors. */
  readonly embedder: Embedder;
  /** Limits how many owners are embedded at a time. */
  readonly limit: Semaphore;
}

/** Makes missing vectors in the background. */
export interface BackgroundEmbedding {
  /** Must be called after each write. */
  changed(): void;
  /** Embeds passages up to this one, but waits at most {@link CATCH_UP_TIMEOUT_MS}. Never rejects. */
  catchUp(last: number): Promise<void>;
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
/** Maximum number of batches that a search waits for. */
const MAX_CATCH_UP_BATCHES = 4;
/** Maximum time that a search waits for them: with an index a batch can take seconds. */
const CATCH_UP_TIMEOUT_MS = 300;
/** Maximum number of vectors stored in one transaction, so that searches can run in between: an index takes milliseconds for each. */
const MAX_STORED_AT_ONCE = 32;
/** Number of new vectors after which their storage is maintained. */
const TIDY_AFTER = 2_000;

/** Starts embedding all passages without a vector, then each new one. Does not keep the process alive. */
export function startBackgroundEmbedding(job: EmbeddingJob): BackgroundEmbedding {
  const { sql, owner, space, embedder, store, limit } = job;
  const stopping = new AbortController();
  let lastBatch: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let seen = 0;
  let fresh = 0;
  let failures = 0;
  let lastFullPass = -FULL_PASS_INTERVAL_MS;
  let again = false;
  let isSoon = false;

  /** A mutex: batches run one after the other. */
  const exclusively = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = lastBatch.then(work);
    lastBatch = result.catch(() => undefined);
    return result;
  };
  /** Resolves to whether there are more passages to embed now. */
  const batch = async (): Promise<boolean> => {
    const { last, made, isFull } = await embedBatch(job, seen, stopping.signal);
    if (last !== undefined) seen = last;
    fresh += made;
    // A delay lets a sequence of writes fill one batch, instead of a batch for each write.
    if (made > 0 && !isFull) again = true;
    return isFull && !stopping.signal.aborted;
  };
  // Also between batches: an index made early grows with the vectors; one made of all vectors would block the database.
  const tidy = async (): Promise<void> => {
    fresh = 0;
    await store.tidy(owner, { id: space, dimensions: embedder.dimensions });
  };
  const pass = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    const isFull = performance.now() - lastFullPass >= FULL_PASS_INTERVAL_MS;
    if (isFull) {
      seen = 0;
      await repairPassages(sql, owner);
    }
    while (await exclusively(batch)) if (fresh >= TIDY_AFTER) await tidy();
    if (isFull) lastFullPass = performance.now();
    const { building } = await selectEmbeddingSpaces(sql, owner);
    if (building === space && (await isWhole(sql, owner, space))) await activateEmbeddingSpace(sql, owner, space);
    if (isFull) while (!stopping.signal.aborted && (await deleteUnusedEmbeddings(sql, owner, 500)) > 0);
    if (isFull || fresh >= TIDY_AFTER) await tidy();
  };
  let running: Promise<void> | undefined;
  const run = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isSoon = false;
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
    isSoon = delay <= DEBOUNCE_MS;
    timer = setTimeout(() => void run(), delay).unref();
  };
  const isIdle = (): boolean => running === undefined && timer === undefined;
  schedule(0);

  return {
    isIdle,
    changed() {
      if (failures > 0 || stopping.signal.aborted) return;
      if (running !== undefined) again = true;
      else if (!isSoon) schedule(DEBOUNCE_MS);
    },
    catchUp: async (last) => {
      if (isIdle() && performance.now() - lastFullPass >= FULL_PASS_INTERVAL_MS) schedule(DEBOUNCE_MS);
      if (last <= seen) return;
      const caughtUp = exclusively(async () => {
        for (let n = 0; n < MAX_CATCH_UP_BATCHES && last > seen; n++) if (!(await batch())) seen = Math.max(seen, last);
      });
      await withTimeout(CATCH_UP_TIMEOUT_MS, () => caughtUp, { ref: false }).catch(() => undefined);
    },
    async settled() {
      await running;
      await run();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      await lastBatch;
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
    const embed = (signal: AbortSignal) => embedder.embed(texts, { signal: AbortSignal.any([stopped, signal]) });
    const vectors = await withTimeout(EMBED_TIMEOUT_MS, embed, { ref: false });
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
