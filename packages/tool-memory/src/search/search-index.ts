import type { SearchedVector } from "../database/candidate.ts";
import type { Database, VectorStore } from "../database/database.ts";
import type { Semaphore } from "../database/semaphore.ts";
import { repairPassages } from "../rows/passage-rows.ts";
import { startBackgroundEmbedding, type BackgroundEmbedding } from "./background-embedding.ts";
import type { Embedder } from "./embedder.ts";
import { chooseEmbeddingSpace, selectSearchedSpace } from "./embedding-space.ts";
import { toUnitVector } from "./unit-vector.ts";
import { withTimeout } from "./with-timeout.ts";

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
export interface SearchIndex {
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
  /** Whether nothing is under way or about to be: then the index can be dropped, and started again when it is needed. */
  isIdle(): boolean;
  /** Ends the background embedding. */
  stop(): Promise<void>;
}

/** Maximum wait for a query's vector: a search by words only beats one that keeps the agent waiting. */
const QUERY_TIMEOUT_MS = 3_000;

/** After a failure, queries are not sent to the embedder for this time. */
const RETRY_AFTER_MS = 10_000;

/** A search by words only. */
export function lexicalIndex(sql: Database, owner: string, missing: string): SearchIndex {
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

/** The parts that the indexes of all owners share. */
export interface SharedVectors {
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
export async function startSearchIndex(sql: Database, owner: string, shared: SharedVectors): Promise<SearchIndex> {
  const { store, space, embedder, limit } = shared;
  if (store === undefined || space === undefined) return startReadOnlyIndex(sql, owner, shared);
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
function startReadOnlyIndex(sql: Database, owner: string, shared: SharedVectors): SearchIndex {
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

function createQueryEmbedder({ sql, owner, shared, background }: QueryEmbedderParts): SearchIndex["toVector"] {
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
