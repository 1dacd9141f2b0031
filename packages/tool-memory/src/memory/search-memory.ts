import { toKey, toLabel } from "../block/label.ts";
import { type MemoryHit, SOURCES, TIERS } from "../block/memory-block.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import type { MemoryHits, SearchOptions } from "../block/memory-manager.ts";
import { type BlockFilter, FULL } from "../database/candidate.ts";
import type { Database } from "../database/database.ts";
import type { EmbeddedQuery, EmbeddingQueues } from "../search/embedding-queue.ts";
import { type CountTokens, fitHits } from "../search/fit-hits.ts";
import { MemoryError } from "../text/memory-error.ts";
import { toInstant } from "../text/to-instant.ts";
import { truncateText } from "../text/truncate-text.ts";

const DEFAULT_HITS = 5;
const MAX_HITS = 50;

/** The dependencies of a search. */
export interface SearchParts {
  readonly sql: Database;
  /** Searches by vectors. */
  readonly queues: Pick<EmbeddingQueues, "of">;
  readonly owner: string;
  readonly readScopes: readonly string[];
  readonly limits: MemoryLimits;
  readonly countTokens: CountTokens;
}

/** Searches an owner's memory and those that the owner may read. */
export async function searchMemory(
  { sql, queues, owner, readScopes, limits, countTokens }: SearchParts,
  query: string,
  { limit = DEFAULT_HITS, maxTokens, superseded = false, ...options }: SearchOptions,
): Promise<MemoryHits> {
  const { text, searched } = toQuery(query, limits.queryChars);
  if (text === "") return toHits([], { searched });
  const filter = toFilter(options);
  const label = toLabel(text, limits);
  const key = "key" in label ? label.key : "";
  const count = Number.isFinite(limit) ? Math.min(Math.max(Math.trunc(limit), 1), MAX_HITS) : DEFAULT_HITS;
  let degraded: string | undefined;
  const embedded: EmbeddedQuery = new Map();
  const searches = [owner, ...readScopes].map(async (whose) => {
    const asked = await queues.of(whose).toVector(text, embedded);
    const [vector, missing] = "missing" in asked ? [undefined, asked.missing] : [asked];
    if ("missing" in asked && asked.degraded) degraded ??= asked.missing;
    const search = { query: text, key, limit: count, filter, superseded, vector, breadth: FULL };
    return (await sql.search(whose, search)).map((hit) => ({
      ...hit,
      ...(missing !== undefined && hit.explain !== undefined && { explain: { ...hit.explain, missing } }),
      ...(whose !== owner && { scope: whose }),
    }));
  });
  const found = merge(await Promise.all(searches), key).slice(0, count);
  const fitted = maxTokens === undefined ? { hits: found, omitted: 0 } : fitHits(found, maxTokens, countTokens);
  return toHits(fitted.hits, { degraded, omitted: fitted.omitted, searched });
}

/** Adds properties to an array of hits; each only when it applies. */
function toHits(
  hits: readonly MemoryHit[],
  { degraded, omitted = 0, searched }: { [Name in "degraded" | "omitted" | "searched"]?: MemoryHits[Name] | undefined },
): MemoryHits {
  return Object.assign([...hits], {
    ...(degraded !== undefined && { degraded }),
    ...(omitted > 0 && { omitted }),
    ...(searched !== undefined && { searched }),
  });
}

/**
 * Merges the hits of several memories. Scores are relative to the best of their own memory, so each memory's are weighed by
 * the BM25 of its best: a memory that hardly knows of the matter does not come first. A block whose label is the query comes before
 * all others, the owner's own before a shared one.
 *
 * @param key the query as the key of a label, empty when it is none.
 */
function merge(answers: readonly (readonly MemoryHit[])[], key: string): readonly MemoryHit[] {
  const [own = []] = answers;
  if (answers.length === 1) return own;
  const bests = answers.map((hits) => Math.max(...hits.map(({ explain }) => explain?.lexical ?? 0), 0));
  const best = Math.max(...bests);
  return answers
    .flatMap((hits, at) =>
      hits.map((hit) => ({
        hit,
        score: best === 0 ? hit.score : (hit.score * (bests[at] ?? 0)) / best,
        place: toKey(hit.label) === key ? at : answers.length,
      })),
    )
    .toSorted((a, b) => a.place - b.place || b.score - a.score)
    .map(({ hit, score }) => ({ ...hit, score: Math.round(score * 1e4) / 1e4 }));
}

function toFilter({ tier, since, before, labelPrefix, source }: SearchOptions): BlockFilter {
  if (tier !== undefined && !TIERS.includes(tier)) throw notAllowed("tier", tier, TIERS.join(", "));
  if (source !== undefined && !SOURCES.includes(source)) throw notAllowed("source", source, SOURCES.join(", "));
  if (labelPrefix !== undefined && typeof labelPrefix !== "string")
    throw notAllowed("labelPrefix", labelPrefix, "the beginning of a label");
  return {
    ...(tier !== undefined && { tier }),
    ...(since !== undefined && { since: toTime("since", since) }),
    ...(before !== undefined && { before: toTime("before", before) }),
    ...(labelPrefix !== undefined && { prefix: toKey(labelPrefix.toWellFormed().replaceAll("\0", "")) }),
    ...(source !== undefined && { source }),
  };
}

function toTime(name: string, given: string): string {
  const time = toInstant(given);
  if (time !== undefined) return time;
  throw notAllowed(name, given, "a time such as 2026-01-31 or 2026-01-31T12:00:00Z");
}

function notAllowed(name: string, given: unknown, allowed: string): MemoryError {
  return new MemoryError(
    `Cannot search the memory: ${name} is ${JSON.stringify(given)}, allowed is ${allowed}`,
    "memory_query",
  );
}

/** A query as it is searched for. */
interface CheckedQuery {
  /** Well-formed and trimmed. */
  readonly text: string;
  /** The same, when the query was longer. */
  readonly searched: string | undefined;
}

/** Cuts a query to its first characters, after a word where there is one. */
function toQuery(query: string, maxChars: number): CheckedQuery {
  const text = (some: string): string => some.toWellFormed().replaceAll("\0", " ").trim();
  if (query.length <= maxChars) return { text: text(query), searched: undefined };
  const cut = truncateText(query, maxChars);
  const words = /\s/u.test(query.charAt(cut.length)) ? cut : cut.replace(/\s+\S*$/u, "");
  const searched = text(words);
  return { text: searched, searched };
}
