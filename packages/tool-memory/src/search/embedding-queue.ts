import { Semaphore } from "@dispatch/tools-interface/internal";
import type { SearchedVector } from "../database/candidate.ts";
import type { Database, VectorStore } from "../database/database.ts";
import { repairPassages } from "../rows/passage-rows.ts";
import { type BackgroundEmbedding, startBackgroundEmbedding } from "./background-embedding.ts";
import { type Embedder, toUnitVector, withTimeout } from "./embedder.ts";
import {
  chooseEmbeddingSpace,
  findEmbeddingSpace,
  openEmbeddingSpace,
  selectSearchedSpace,
} from "./embedding-space.ts";

/** The vector of a query, or the reason why the search uses words only. */
export type QueryVector = SearchedVector | MissingVector;

/** The reason why a search uses words only. */
interface MissingVector {
  /** The reason, for `explain.missing` and `degraded`. */
  readonly missing: string;
  /** True when the search is worse than the options promise. */
  readonly degraded: boolean;
}

/** The vectors of one query, by the embedder that makes them. */
export type EmbeddedQuery = Map<Embedder, Promise<ArrayLike<number> | undefined>>;

/** Makes the vectors of an owner's memory and of the queries. */
interface EmbeddingQueue {
  /**
   * The vector of a query. Never rejects because of the embedder.
   *
   * @param embedded what a search of several owners has asked its embedders for: each is asked once.
   */
  toVector(query: string, embedded?: EmbeddedQuery): Promise<QueryVector>;
  /** Must be called after each write: the new vectors are made soon. */
  changed(): void;
  /** Resolves when every passage has its vector, or the embedder has failed. */
  settled(): Promise<void>;
  /** Whether nothing is under way or about to be: then the queue can be dropped, and started again when it is needed. */
  isIdle(): boolean;
  /** Ends the background embedding. */
  stop(): Promise<void>;
}

/** Maximum wait for a query's vector: a search by words only beats one that keeps the agent waiting. */
const QUERY_TIMEOUT_MS = 3_000;

/** After a failure, queries are not sent to the embedder for this time. */
const RETRY_AFTER_MS = 10_000;

/** A search by words only. */
function wordsOnlyQueue(sql: Database, owner: string, missing: string): EmbeddingQueue {
  // A failed repair is repeated at the next opening.
  let isRepaired = false;
  const repairing = repairPassages(sql, owner)
    .catch(() => 0)
    .finally(() => (isRepaired = true));
  return {
    toVector: async () => ({ missing, degraded: false }),
    changed: () => undefined,
    settled: async () => void (await repairing),
    isIdle: () => isRepaired,
    stop: async () => void (await repairing),
  };
}

/** The parts that the queues of all owners share. */
interface SharedVectors {
  /** Stores the vectors; `undefined` when the database can only be read. */
  readonly store: VectorStore | undefined;
  /** The embedding space of the embedder, `undefined` when there is none yet and none can be made. */
  readonly space: number | undefined;
  /** The embedder of new vectors. */
  readonly embedder: Embedder;
  /** The embedders that queries may need, by their embedding spaces. */
  readonly embedders: ReadonlyMap<number, Embedder>;
  /** Limits how many owners are embedded at a time. */
  readonly limit: Semaphore;
  /** When an embedder that failed is asked again, by the clock of `performance`. */
  readonly retryAt: Map<Embedder, number>;
}

/**
 * Starts the search of one owner. A new embedder gets an embedding space of its own, which is filled in the background and
 * then takes over. Until then the previous embedder serves the searches; without it they use words only.
 */
async function startEmbeddingQueue(sql: Database, owner: string, shared: SharedVectors): Promise<EmbeddingQueue> {
  const { store, space, embedder, limit } = shared;
  if (store === undefined || space === undefined) return startReadOnlyQueue(sql, owner, shared);
  await chooseEmbeddingSpace(sql, owner, space);
  const background = startBackgroundEmbedding({ sql, store, owner, space, embedder, limit });
  return {
    toVector: createQueryEmbedder({ sql, owner, shared, background }),
    changed: () => background.changed(),
    settled: () => background.settled(),
    isIdle: () => background.isIdle(),
    stop: () => background.stop(),
  };
}

/** Uses the vectors that are there. */
function startReadOnlyQueue(sql: Database, owner: string, shared: SharedVectors): EmbeddingQueue {
  const nothing = async (): Promise<void> => undefined;
  return {
    toVector: createQueryEmbedder({ sql, owner, shared, background: { catchUp: nothing } }),
    changed: () => undefined,
    settled: nothing,
    isIdle: () => true,
    stop: nothing,
  };
}

interface QueryEmbedderParts {
  readonly sql: Database;
  readonly owner: string;
  readonly shared: Pick<SharedVectors, "embedders" | "retryAt">;
  readonly background: Pick<BackgroundEmbedding, "catchUp">;
}

function createQueryEmbedder({ sql, owner, shared, background }: QueryEmbedderParts): EmbeddingQueue["toVector"] {
  const { embedders, retryAt } = shared;
  return async (query, embedded = new Map()) => {
    const { active, last } = await selectSearchedSpace(sql, owner);
    const embedder = active === null ? undefined : embedders.get(active);
    if (active === null || embedder === undefined)
      return { missing: "the vectors of the present embedder are still being made", degraded: true };
    const down = { missing: "the embedder did not answer", degraded: true };
    if ((retryAt.get(embedder) ?? 0) > performance.now()) return down;
    if (embedder.instant === true) await background.catchUp(last);
    const { dimensions, weight = 0.5, floor = 0 } = embedder;
    try {
      const asked = embedded.get(embedder) ?? embedQuery(embedder, query);
      embedded.set(embedder, asked);
      const vector = await asked;
      if (vector === undefined) return down;
      if (Array.from(vector).every((value) => value === 0))
        return { missing: "the query has nothing that could be embedded", degraded: false };
      return { space: active, unit: toUnitVector(vector, dimensions), weight, floor };
    } catch {
      retryAt.set(embedder, performance.now() + RETRY_AFTER_MS);
      return down;
    }
  };
}

async function embedQuery(embedder: Embedder, query: string): Promise<ArrayLike<number> | undefined> {
  const [vector] = await withTimeout(QUERY_TIMEOUT_MS, (signal) => embedder.embed([query], { signal }));
  return vector;
}

/** Maximum number of owners that are embedded in the background at a time, so that connections are left for calls. */
const MAX_CONCURRENCY = 2;
/** Number of owners whose queues are kept. Others are dropped when they are idle. */
const MAX_KEPT = 1_000;

/** The queues of all owners of a database. */
export interface EmbeddingQueues {
  /** The queue of an owner. Does nothing until it is used. */
  of(owner: string): Omit<EmbeddingQueue, "stop" | "isIdle">;
  /** Ends all background work. Nothing starts again. */
  stop(): Promise<void>;
}

/** Opens the vectors of a database, if it can have any, for searches of any owner. */
export async function openEmbeddingQueues(
  sql: Database,
  embedder: Embedder | "none",
  previous: Embedder | undefined,
): Promise<EmbeddingQueues> {
  if (embedder === "none") return toQueues(async (owner) => wordsOnlyQueue(sql, owner, "the memory has no embedder"));
  const shared = await shareVectors(sql, embedder, previous);
  return toQueues(async (owner) =>
    shared === undefined
      ? wordsOnlyQueue(sql, owner, "the database has no pgvector")
      : startEmbeddingQueue(sql, owner, shared),
  );
}

async function shareVectors(
  sql: Database,
  embedder: Embedder,
  previous: Embedder | undefined,
): Promise<SharedVectors | undefined> {
  const store = sql.isReadOnly ? undefined : await sql.openVectors();
  if (store === undefined && !sql.isReadOnly) return undefined;
  const openSpace = sql.isReadOnly ? findEmbeddingSpace : openEmbeddingSpace;
  const space = await openSpace(sql, embedder);
  const old = previous && (await openSpace(sql, previous));
  const embedders = new Map<number, Embedder>();
  if (previous !== undefined && old !== undefined) embedders.set(old, previous);
  if (space !== undefined) embedders.set(space, embedder);
  return { store, space, embedder, embedders, limit: new Semaphore(MAX_CONCURRENCY), retryAt: new Map() };
}

interface Kept {
  readonly starting: Promise<EmbeddingQueue>;
  queue?: EmbeddingQueue;
}

function toQueues(start: (owner: string) => Promise<EmbeddingQueue>): EmbeddingQueues {
  const kept = new Map<string, Kept>();
  let isStopped = false;
  const dropIdle = (): void => {
    for (const [owner, { queue }] of kept) {
      if (kept.size <= MAX_KEPT) return;
      if (queue?.isIdle() === true) kept.delete(owner);
    }
  };
  const use = async (owner: string): Promise<EmbeddingQueue> => {
    const found = kept.get(owner);
    const one: Kept = found ?? { starting: start(owner) };
    // The latest used is the last.
    kept.delete(owner);
    kept.set(owner, one);
    if (found !== undefined) return one.starting;
    dropIdle();
    try {
      return (one.queue = await one.starting);
    } catch (error) {
      kept.delete(owner);
      throw error;
    }
  };
  return {
    of: (owner) => ({
      toVector: async (query, embedded) => (await use(owner)).toVector(query, embedded),
      changed() {
        if (isStopped) return;
        use(owner).then(
          (queue) => queue.changed(),
          // The next use tries again.
          () => undefined,
        );
      },
      settled: async () => (await use(owner)).settled(),
    }),
    async stop() {
      isStopped = true;
      const started = await Promise.allSettled([...kept.values()].map(({ starting }) => starting));
      for (const one of started) if (one.status === "fulfilled") await one.value.stop();
    },
  };
}
