import { selectBlock, selectSummaries } from "./block-rows.ts";
import { toLabel } from "./label.ts";
import { MemoryError } from "./memory-error.ts";
import type { ChangeOptions, MemoryManager } from "./memory-manager.ts";
import { toAgentSource } from "./provenance.ts";
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
    async get(label) {
      const read = toLabel(label, policy.limits);
      return "key" in read ? selectBlock(sql, owner, read.key) : null;
    },
    // Fields are named one by one: a permission that a caller smuggles in stays behind.
    write: ({ label, content, tier, ...options }) =>
      writeBlock(scope, { op: "write", label, content, tier, ...optionsOf(scope, options) }),
    edit: ({ label, offset, before, after, ...options }) =>
      writeBlock(scope, { op: "edit", label, offset, before, after, ...optionsOf(scope, options) }),
    move: ({ label, newLabel, tier, ...options }) =>
      writeBlock(scope, { op: "move", label, newLabel, tier, ...optionsOf(scope, options) }),
    remove: ({ label, ...options }) => writeBlock(scope, { op: "remove", label, ...optionsOf(scope, options) }),
    list: ({ tier } = {}) => selectSummaries(sql, owner, tier),
  } satisfies MemoryManager);
}

function optionsOf(scope: Scope, { reason, expectVersion, source }: ChangeOptions) {
  return { reason, expectVersion, source: toAgentSource(source ?? scope.source) };
}
