import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "../database/sql.ts";
import { repairPassages } from "../rows/passage-rows.ts";
import type { Embedder } from "./embedder.ts";
import { claimPassages, insertEmbeddings, isWhole, releaseClaims } from "./embedding-rows.ts";
import { dropRetired, selectSpaces, switchSpace } from "./space-rows.ts";
import { indexSpace } from "./vector-index.ts";
import type { VectorStore } from "./vector-store.ts";
import { toVectorText } from "./vector-text.ts";

/** Whose passages are embedded, by what and where to. */
export interface EmbeddingJob {
  /** The database. */
  readonly sql: Sql;
  /** Where vectors are kept. */
  readonly store: VectorStore;
  /** Whose memory. */
  readonly owner: string;
  /** The embedder's space. */
  readonly space: number;
  /** What makes the vectors. */
  readonly embedder: Embedder;
}

/** The work in the background. */
export interface EmbeddingWork {
  /** Something was written. */
  changed(): void;
  /** Embeds what was written up to this passage, as far as that takes a moment. Never rejects. */
  catchUp(last: number): Promise<void>;
  /** Resolves when nothing is left to do, or the embedder has failed. */
  settled(): Promise<void>;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Milliseconds: writes within this time are embedded together. */
const GATHER = 50;
/** Milliseconds: after so long everything is looked through, for what another process left undone. */
const ROUND = 5 * 60_000;
/** Milliseconds to wait after a failure, doubled with each, up to the second. */
const PAUSES = [1_000, 60_000] as const;
/** Milliseconds that one call of an embedder may take. */
const PATIENCE = 60_000;
/** Most batches that a search waits for. */
const HURRIED_BATCHES = 4;
/** Milliseconds: no search waits longer for them. Where there is an index already a batch takes seconds. */
const HURRY = 300;
/** Most vectors of one transaction, so that searches come in between: an index takes some milliseconds for each. */
const STORED_AT_ONCE = 32;
/** After so many new vectors the planner's statistics are brought up to date: the embedded database does not do so by itself. */
const ANALYZE_AFTER = 2_000;

/** Starts to embed what has no vector yet: what is there, then whatever is written. Nothing of it keeps the process alive. */
export function startEmbeddingWork(job: EmbeddingJob): EmbeddingWork {
  const { sql, owner, space, embedder, store } = job;
  const stopping = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let seen = 0;
  let fresh = 0;
  let failures = 0;
  let lastRound = -ROUND;
  let again = false;
  let isSoon = false;

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  /** Resolves to whether there is more to do at once. */
  const batch = async (): Promise<boolean> => {
    const { last, made, isFull } = await embedBatch(job, seen, stopping.signal);
    if (last !== undefined) seen = last;
    fresh += made;
    // Whoever writes one text after the other would otherwise be kept company by as many batches of one.
    if (made > 0 && !isFull) again = true;
    return isFull && !stopping.signal.aborted;
  };
  // In the midst of many, too: an index that is made early grows with them, one that is made of all holds up everything.
  const tidy = async (): Promise<void> => {
    if (fresh >= ANALYZE_AFTER) await sql.query("ANALYZE dispatch_memory.passage, dispatch_memory.embedding");
    fresh = 0;
    await indexSpace(sql, store, owner, space, embedder.dimensions);
  };
  const round = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    const whole = performance.now() - lastRound >= ROUND;
    if (whole) {
      seen = 0;
      await repairPassages(sql, owner);
    }
    while (await inTurn(batch)) if (fresh >= ANALYZE_AFTER) await tidy();
    if (whole) lastRound = performance.now();
    const { building } = await selectSpaces(sql, owner);
    if (building === space && (await isWhole(sql, owner, space))) await switchSpace(sql, owner, space);
    if (whole) while (!stopping.signal.aborted && (await dropRetired(sql, owner, 500)) > 0);
    if (whole || fresh >= ANALYZE_AFTER) await tidy();
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
    running = round()
      .then(
        () => (failures = 0),
        () => failures++,
      )
      .then(() => {
        running = undefined;
        if (stopping.signal.aborted) return;
        const [least, most] = PAUSES;
        schedule(failures > 0 ? Math.min(least * 2 ** (failures - 1), most) : again ? GATHER : ROUND);
      });
    return running;
  };
  const schedule = (wait: number): void => {
    clearTimeout(timer);
    isSoon = wait <= GATHER;
    timer = setTimeout(() => void run(), wait).unref();
  };
  schedule(0);

  return {
    changed() {
      if (failures > 0 || stopping.signal.aborted) return;
      if (running !== undefined) again = true;
      else if (!isSoon) schedule(GATHER);
    },
    catchUp: async (last) => {
      if (last <= seen) return;
      const caught = inTurn(async () => {
        for (let n = 0; n < HURRIED_BATCHES && last > seen; n++) if (!(await batch())) seen = Math.max(seen, last);
      }).catch(() => undefined);
      await Promise.race([caught, pause(HURRY, undefined, { ref: false })]);
    },
    async settled() {
      await running;
      await run();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      await turn;
    },
  };
}

/** Embeds a batch of passages after `after`. `last` is the last one looked at, `undefined` when there was none; `isFull`: there may be more. */
async function embedBatch(
  { sql, owner, space, embedder, store }: EmbeddingJob,
  after: number,
  stopped: AbortSignal,
): Promise<{ readonly last: number | undefined; readonly made: number; readonly isFull: boolean }> {
  const { dimensions, batch = 64 } = embedder;
  const bare = await sql.transaction((tx) => claimPassages(tx, owner, space, batch, after));
  if (bare.length === 0) return { last: undefined, made: 0, isFull: false };
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]);
    const vectors = await embedder.embed(
      bare.map(({ text }) => text),
      { signal },
    );
    const made = bare.map(({ id }, at) => ({ id, vector: toVectorText(vectors[at] ?? [], dimensions) }));
    for (let at = 0; at < made.length; at += STORED_AT_ONCE) {
      const some = made.slice(at, at + STORED_AT_ONCE);
      await sql.transaction((tx) => insertEmbeddings(tx, store, owner, space, dimensions, some));
    }
  } catch (error) {
    const ids = bare.map(({ id }) => id);
    await releaseClaims(sql, owner, space, ids).catch(() => undefined);
    throw error;
  }
  return { last: bare.at(-1)?.id, made: bare.length, isFull: bare.length === batch };
}
