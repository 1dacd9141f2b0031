import type { Database } from "../database/database.ts";
import { Semaphore } from "../database/semaphore.ts";
import type { Embedder } from "./embedder.ts";
import { findEmbeddingSpace, openEmbeddingSpace } from "./embedding-space.ts";
import { lexicalIndex, startSearchIndex, type SearchIndex, type SharedVectors } from "./search-index.ts";

/** Maximum number of owners that are embedded in the background at a time, so that connections are left for calls. */
const MAX_CONCURRENCY = 2;
/** Number of owners whose indexes are kept. Others are dropped when they are idle. */
const MAX_KEPT = 1_000;

/** The search indexes of all owners of a database. */
export interface SearchIndexes {
  /** The index of an owner. Does nothing until it is used. */
  of(owner: string): Omit<SearchIndex, "stop" | "isIdle">;
  /** Ends all background work. Nothing starts again. */
  stop(): Promise<void>;
}

/** Opens the vectors of a database, if it can have any, for searches of any owner. */
export async function openSearchIndexes(
  sql: Database,
  embedder: Embedder | "none",
  previous: Embedder | undefined,
): Promise<SearchIndexes> {
  if (embedder === "none") return toIndexes(async (owner) => lexicalIndex(sql, owner, "the memory has no embedder"));
  const shared = await shareVectors(sql, embedder, previous);
  return toIndexes(async (owner) =>
    shared === undefined
      ? lexicalIndex(sql, owner, "the database has no pgvector")
      : startSearchIndex(sql, owner, shared),
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
  readonly starting: Promise<SearchIndex>;
  index?: SearchIndex;
}

function toIndexes(start: (owner: string) => Promise<SearchIndex>): SearchIndexes {
  const kept = new Map<string, Kept>();
  let isStopped = false;
  const dropIdle = (): void => {
    for (const [owner, { index }] of kept) {
      if (kept.size <= MAX_KEPT) return;
      if (index?.isIdle() === true) kept.delete(owner);
    }
  };
  const use = async (owner: string): Promise<SearchIndex> => {
    const found = kept.get(owner);
    const one: Kept = found ?? { starting: start(owner) };
    // The latest used is the last.
    kept.delete(owner);
    kept.set(owner, one);
    if (found !== undefined) return one.starting;
    dropIdle();
    try {
      return (one.index = await one.starting);
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
          (index) => index.changed(),
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
