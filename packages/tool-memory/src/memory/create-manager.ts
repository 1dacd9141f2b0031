import { toLabel } from "../block/label.ts";
import { toHits } from "../block/memory-hits.ts";
import type { ChangeOptions, MemoryManager } from "../block/memory-manager.ts";
import { toAgentSource } from "../block/provenance.ts";
import type { Scope } from "../change/scope.ts";
import { writeBlock } from "../change/write-block.ts";
import { selectBlock, selectSummaries } from "../rows/block-rows.ts";
import { findSimilar } from "../search/find-similar.ts";
import { fitHits, type CountTokens } from "../search/fit-hits.ts";
import { searchBlocks } from "../search/search-blocks.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { MemoryError } from "../text/memory-error.ts";

const DEFAULT_HITS = 5;
const MAX_HITS = 50;

/** The parts of a manager that search. */
export interface SearchParts {
  /** Searches by vectors. */
  readonly index: Pick<SearchIndex, "toVector">;
  /** Counts tokens. */
  readonly countTokens: CountTokens;
}

/** Makes the agent's side of a memory over a database. The actor of the scope must be the agent. */
export function createManager(scope: Scope, { index, countTokens }: SearchParts): MemoryManager {
  const { sql, owner, policy } = scope;
  return Object.freeze({
    async read(query, { limit = DEFAULT_HITS, tier, maxTokens, superseded = false } = {}) {
      const maxChars = policy.limits.queryChars;
      if (query.length > maxChars) {
        throw new MemoryError(
          `Cannot search the memory: the query has ${query.length} characters, allowed are ${maxChars}; use a few words`,
          "memory_query",
        );
      }
      const text = query.toWellFormed().replaceAll("\0", " ").trim();
      if (text === "") return toHits([], {});
      const label = toLabel(text, policy.limits);
      const hits = Number.isFinite(limit) ? Math.min(Math.max(Math.trunc(limit), 1), MAX_HITS) : DEFAULT_HITS;
      const vector = await index.toVector(text);
      const key = "key" in label ? label.key : "";
      const found = await searchBlocks(sql, owner, { query: text, key, limit: hits, tier, superseded, vector });
      const fitted = maxTokens === undefined ? { hits: found, omitted: 0 } : fitHits(found, maxTokens, countTokens);
      const degraded = "missing" in vector && vector.degraded ? vector.missing : undefined;
      return toHits(fitted.hits, { degraded, omitted: fitted.omitted });
    },
    async get(label) {
      const read = toLabel(label, policy.limits);
      return "key" in read ? selectBlock(sql, owner, read.key) : null;
    },
    // Fields are copied one by one, so that a caller cannot smuggle in a permission.
    async write({ label, content, tier, supersedes, findSimilar: wanted = false, ...options }) {
      const proposal = { op: "write", label, content, tier, supersedes, ...optionsOf(scope, options) } as const;
      const result = await writeBlock(scope, proposal);
      if (!wanted || result.outcome !== "applied" || result.block.version > 1) return result;
      const similar = await findSimilar(sql, owner, result.block, index);
      return similar.length === 0 ? result : { ...result, similar };
    },
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
