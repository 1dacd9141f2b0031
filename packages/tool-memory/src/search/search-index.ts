import type { Sql } from "../database/sql.ts";
import { repairPassages } from "../rows/passage-rows.ts";
import type { Embedder } from "./embedder.ts";
import { startEmbeddingWork, type EmbeddingWork } from "./embedding-work.ts";
import type { SearchedVectors } from "./search-statement.ts";
import { chooseSpace, openSpace, selectSearched } from "./space-rows.ts";
import { prepareVectorStore, type VectorStore } from "./vector-store.ts";
import { toVectorText } from "./vector-text.ts";

/** A query as a vector of the space that is searched, or why a search goes by words alone. */
export type QueryVector = QueryInSpace | MissingVector;

/** Why a search goes by words alone. */
interface MissingVector {
  /** What is told of it. */
  readonly missing: string;
  /** True when that is worse than what was to be expected. */
  readonly degraded: boolean;
}

/** A query as a vector. */
interface QueryInSpace extends SearchedVectors {
  /** The vector as pgvector reads it. */
  readonly text: string;
  /** Weight of the vectors, 0 to 1. */
  readonly weight: number;
  /** Least cosine of a hit by vector alone. */
  readonly floor: number;
}

/** What searches an owner's memory by vectors, and makes the vectors. */
export interface SearchIndex {
  /** The query as a vector. Never rejects because of the embedder. */
  toVector(query: string): Promise<QueryVector>;
  /** Something was written: its vectors are made soon. */
  changed(): void;
  /** Resolves when everything written so far has its vectors, or the embedder has failed. */
  settled(): Promise<void>;
  /** Ends the work in the background. */
  stop(): Promise<void>;
}

/** Longest wait for a query's vector, in milliseconds: a search by words alone beats one that keeps the agent waiting. */
const PATIENCE = 3_000;

/** For so many milliseconds after a failure an embedder is not asked for a query's vector again. */
const REST = 10_000;

/** A search by words alone. */
export function lexicalIndex(sql: Sql, owner: string, missing: string): SearchIndex {
  // What fails now is done at the next opening.
  const repairing = repairPassages(sql, owner).catch(() => 0);
  return {
    toVector: async () => ({ missing, degraded: false }),
    changed: () => undefined,
    settled: async () => void (await repairing),
    stop: async () => void (await repairing),
  };
}

/**
 * Opens the vectors of one owner. An embedder other than the one whose vectors are searched gets a space of its own, which
 * is filled in the background and then takes over; until then `previous` serves the searches, or they go by words.
 */
export async function openSearchIndex(
  sql: Sql,
  owner: string,
  embedder: Embedder,
  previous: Embedder | undefined,
): Promise<SearchIndex> {
  const store = await prepareVectorStore(sql);
  if (store === undefined) return lexicalIndex(sql, owner, "the database has no pgvector");
  const space = await openSpace(sql, embedder);
  await chooseSpace(sql, owner, space);
  const askable = new Map<number, Embedder>([[space, embedder]]);
  if (previous !== undefined) {
    const old = await openSpace(sql, previous);
    if (old !== space) askable.set(old, previous);
  }
  const work = startEmbeddingWork({ sql, store, owner, space, embedder });
  return {
    toVector: createAsker({ sql, store, owner, askable, work }),
    changed: () => work.changed(),
    settled: () => work.settled(),
    stop: () => work.stop(),
  };
}

interface Asked {
  readonly sql: Sql;
  readonly store: VectorStore;
  readonly owner: string;
  readonly askable: ReadonlyMap<number, Embedder>;
  readonly work: EmbeddingWork;
}

function createAsker({ sql, store, owner, askable, work }: Asked): SearchIndex["toVector"] {
  const restsUntil = new Map<Embedder, number>();
  return async (query) => {
    const { active, indexed, last } = await selectSearched(sql, owner);
    const embedder = active === null ? undefined : askable.get(active);
    if (active === null || embedder === undefined)
      return { missing: "the vectors of the present embedder are still being made", degraded: true };
    const down = { missing: "the embedder did not answer", degraded: true };
    if ((restsUntil.get(embedder) ?? 0) > performance.now()) return down;
    if (embedder.instant === true) await work.catchUp(last);
    const { dimensions, weight = 0.5, floor = 0 } = embedder;
    try {
      const [vector] = await inTime(embedder, query);
      if (vector === undefined) return down;
      if (Array.from(vector).every((value) => value === 0))
        return { missing: "the query has nothing that could be embedded", degraded: false };
      const text = toVectorText(vector, dimensions);
      return { store, space: active, dimensions, indexed, text, weight, floor };
    } catch {
      restsUntil.set(embedder, performance.now() + REST);
      return down;
    }
  };
}

/** Waits no longer than is good, whether or not the embedder heeds its signal. */
function inTime(embedder: Embedder, query: string): Promise<readonly ArrayLike<number>[]> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`Cannot embed the query: no answer in ${PATIENCE} ms`));
    }, PATIENCE);
    const done = (): void => clearTimeout(timer);
    embedder.embed([query], { signal: controller.signal }).finally(done).then(resolve, reject);
  });
}
