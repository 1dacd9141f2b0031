import { selectSummaries } from "./block-rows.ts";
import { toLabel } from "./label.ts";
import { MemoryError } from "./memory-error.ts";
import type { MemoryManager } from "./memory-manager.ts";
import type { Scope } from "./scope.ts";
import { searchBlocks } from "./search-blocks.ts";
import { writeBlock } from "./write-block.ts";

const DEFAULT_HITS = 5;
const MOST_HITS = 50;

/** The agent's side over a database. Its actor must be the agent. */
export function createManager(scope: Scope): MemoryManager {
  const { sql, owner, policy } = scope;
  return Object.freeze({
    async read(query, { limit = DEFAULT_HITS, tier } = {}) {
      const most = policy.limits.queryCharacters;
      if (query.length > most) {
        throw new MemoryError(
          `Cannot search the memory: the query has ${query.length} characters, allowed are ${most}; use a few words`,
          "memory_query",
        );
      }
      const text = query.toWellFormed().replaceAll("\0", " ").trim();
      if (text === "") return [];
      const label = toLabel(text, policy.limits);
      const hits = Number.isFinite(limit) ? Math.min(Math.max(Math.trunc(limit), 1), MOST_HITS) : DEFAULT_HITS;
      return searchBlocks(sql, owner, text, "key" in label ? label.key : "", hits, tier);
    },
    // Fields are named one by one: a permission that a caller smuggles in stays behind.
    write: ({ label, content, tier, reason, expectVersion }) =>
      writeBlock(scope, { label, content, tier, reason, expectVersion }),
    list: ({ tier } = {}) => selectSummaries(sql, owner, tier),
  } satisfies MemoryManager);
}
