import { selectSummaries } from "./block-rows.ts";
import { fitHits, type CountTokens } from "./fit-hits.ts";
import { toLabel } from "./label.ts";
import { MemoryError } from "./memory-error.ts";
import { findSimilar } from "./find-similar.ts";
import { toHits } from "./memory-hits.ts";
import type { MemoryManager } from "./memory-manager.ts";
import type { Scope } from "./scope.ts";
import { searchBlocks } from "./search-blocks.ts";
import type { SearchIndex } from "./search-index.ts";
import { writeBlock } from "./write-block.ts";

const DEFAULT_HITS = 5;
const MOST_HITS = 50;

/** How the agent's side searches. */
export interface Searching {
  /** What makes vectors. */
  readonly index: SearchIndex;
  /** How many tokens a text has. */
  readonly countTokens: CountTokens;
}

/** The agent's side over a database. Its actor must be the agent. */
export function createManager(scope: Scope, { index, countTokens }: Searching): MemoryManager {
  const { sql, owner, policy } = scope;
  return Object.freeze({
    async read(query, { limit = DEFAULT_HITS, tier, budget, superseded = false } = {}) {
      const most = policy.limits.queryCharacters;
      if (query.length > most) {
        throw new MemoryError(
          `Cannot search the memory: the query has ${query.length} characters, allowed are ${most}; use a few words`,
          "memory_query",
        );
      }
      const text = query.toWellFormed().replaceAll("\0", " ").trim();
      if (text === "") return toHits([], {});
      const label = toLabel(text, policy.limits);
      const hits = Number.isFinite(limit) ? Math.min(Math.max(Math.trunc(limit), 1), MOST_HITS) : DEFAULT_HITS;
      const vector = await index.toVector(text);
      const key = "key" in label ? label.key : "";
      const found = await searchBlocks(sql, owner, { query: text, key, limit: hits, tier, superseded, vector });
      const fitted = budget === undefined ? { hits: found, omitted: 0 } : fitHits(found, budget, countTokens);
      const degraded = "missing" in vector && vector.degraded ? vector.missing : undefined;
      return toHits(fitted.hits, { degraded, omitted: fitted.omitted });
    },
    // Fields are named one by one: a permission that a caller smuggles in stays behind.
    async write({ label, content, tier, reason, expectVersion, supersedes, findSimilar: wanted = false }) {
      const result = await writeBlock(scope, { label, content, tier, reason, expectVersion, supersedes });
      if (!wanted || result.outcome !== "applied" || result.block.version > 1) return result;
      const similar = await findSimilar(sql, owner, result.block, index);
      return similar.length === 0 ? result : { ...result, similar };
    },
    list: ({ tier } = {}) => selectSummaries(sql, owner, tier),
  } satisfies MemoryManager);
}
