import { Semaphore } from "@dispatch/tools-interface/internal";
import type { SearchedVector } from "../database/candidate.ts";
import type { Database } from "../database/database.ts";
import { type BackgroundEmbedding, startBackgroundEmbedding } from "./background-embedding.ts";
import { type Embedder, embedWithin, toUnitVector } from "./embedder.ts";
import {
  chooseEmbeddingSpace,
  findEmbeddingSpace,
  openEmbeddingSpace,
  selectEmbeddingSpaces,
} from "./embedding-space.ts";

/** The reason why a search uses words only. */
interface MissingVector {
  /** The reason, for `explain.missing` and `degraded`. */
  readonly missing: string;
  /** True when the search is worse than the options promise. */
  readonly degraded: boolean;
}

/** The vectors of one query, by the embedder that makes them. */
export type EmbeddedQuery = Map<Embedder, Promise<readonly ArrayLike<number>[]>>;

/** Maximum wait for a query's vector: a search by words only beats one that keeps the agent waiting. */
const QUERY_TIMEOUT_MS = 3_000;

/** After a failure, queries are not sent to the embedder for this time. */
const RETRY_AFTER_MS = 10_000;

/** Maximum number of owners that are embedded in the background at a time, so that connections are left for calls. */
const MAX_CONCURRENCY = 2;
/** Number of owners whose background work is kept. That of others is dropped when it is idle, and started again when it is needed. */
const MAX_KEPT = 1_000;

/** Makes the vectors of the memories and queries of all owners of a database. */
export interface EmbeddingQueues {
  /** The queue of an owner. Does nothing until it is used. */
  of(owner: string): {
    /**
     * The vector of a query, or the reason why there is none. Never rejects because of the embedder.
     *
     * @param embedded what a search of several owners has asked its embedders for: each is asked once.
     */
    toVector(query: string, embedded?: EmbeddedQuery): Promise<SearchedVector | MissingVector>;
    /** Must be called after each write: the new vectors are made soon. */
    changed(): void;
    /** Resolves when every passage has its vector, or the embedder has failed. */
    settled(): Promise<void>;
  };
  /** Ends all background work. Nothing starts again. */
  stop(): Promise<void>;
}

/**
 * Opens the vectors of a database, if it can have any, for searches of any owner. A new embedder gets an embedding space of its own, which
 * is filled in the background and then takes over. Until then the previous embedder serves the searches; without it they use words only.
 */
export async function openEmbeddingQueues(
  sql: Database,
  embedder: Embedder | "none",
  previous: Embedder | undefined,
): Promise<EmbeddingQueues> {
  if (embedder === "none") return wordsOnly("the memory has no embedder");
  const store = sql.isReadOnly ? undefined : await sql.openVectors();
  if (store === undefined && !sql.isReadOnly) return wordsOnly("the database has no pgvector");
  const openSpace = sql.isReadOnly ? findEmbeddingSpace : openEmbeddingSpace;
  const space = await openSpace(sql, embedder);
  const old = previous && (await openSpace(sql, previous));
  const embedders = new Map<number | null | undefined, Embedder>();
  if (previous !== undefined && old !== undefined) embedders.set(old, previous);
  if (space !== undefined) embedders.set(space, embedder);
  const limit = new Semaphore(MAX_CONCURRENCY);
  const started = keepLatest(async (owner) => {
    // Of a database that can only be read, the vectors that are there are used.
    if (store === undefined || space === undefined) return undefined;
    await chooseEmbeddingSpace(sql, owner, space);
    return startBackgroundEmbedding({ sql, store, owner, space, embedder, limit });
  });
  /** When an embedder that failed is asked again, by the clock of `performance`. */
  const retryAt = new Map<Embedder, number>();
  let isStopped = false;
  return {
    of: (owner) => ({
      async toVector(query, embedded = new Map()) {
        await started.of(owner);
        const { active } = await selectEmbeddingSpaces(sql, owner);
        const asked = embedders.get(active);
        if (active === null || asked === undefined)
          return { missing: "the vectors of the present embedder are still being made", degraded: true };
        const down = { missing: "the embedder did not answer", degraded: true };
        if ((retryAt.get(asked) ?? 0) > performance.now()) return down;
        const { dimensions, weight = 0.5, floor = 0 } = asked;
        try {
          const answer = embedded.get(asked) ?? embedWithin(asked, [query], QUERY_TIMEOUT_MS);
          embedded.set(asked, answer);
          const [vector] = await answer;
          if (vector === undefined) return down;
          if (Array.from(vector).every((value) => value === 0))
            return { missing: "the query has nothing that could be embedded", degraded: false };
          return { space: active, unit: toUnitVector(vector, dimensions), weight, floor };
        } catch {
          retryAt.set(asked, performance.now() + RETRY_AFTER_MS);
          return down;
        }
      },
      changed() {
        if (isStopped) return;
        started.of(owner).then(
          (background) => background?.changed(),
          // The next use tries again.
          () => undefined,
        );
      },
      settled: async () => (await started.of(owner))?.settled(),
    }),
    async stop() {
      isStopped = true;
      for (const one of await Promise.allSettled(started.all()))
        if (one.status === "fulfilled") await one.value?.stop();
    },
  };
}

/** Searches by words only. */
function wordsOnly(missing: string): EmbeddingQueues {
  const queue = {
    toVector: async () => ({ missing, degraded: false }),
    changed: () => undefined,
    settled: async () => undefined,
  };
  return { of: () => queue, stop: async () => undefined };
}

/** Starts the background work of each owner once, and keeps that of the owners used last, and all that is not idle. */
function keepLatest(start: (owner: string) => Promise<BackgroundEmbedding | undefined>) {
  const kept = new Map<string, { readonly starting: ReturnType<typeof start>; isIdle: () => boolean }>();
  return {
    of(owner: string): ReturnType<typeof start> {
      const one = kept.get(owner) ?? { starting: start(owner), isIdle: () => false };
      if (!kept.has(owner)) {
        one.starting.then(
          (background) => (one.isIdle = () => background?.isIdle() !== false),
          () => kept.delete(owner),
        );
        for (const [other, { isIdle }] of kept) if (kept.size >= MAX_KEPT && isIdle()) kept.delete(other);
      }
      // The latest used is the last.
      kept.delete(owner);
      kept.set(owner, one);
      return one.starting;
    },
    all: () => [...kept.values()].map(({ starting }) => starting),
  };
}
