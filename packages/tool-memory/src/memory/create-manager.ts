import { toLabel } from "../block/label.ts";
import { toAgentSource } from "../block/memory-block.ts";
import type { ChangeOptions, MemoryManager, SimilarBlock } from "../block/memory-manager.ts";
import type { Scope } from "../change/scope.ts";
import { writeBlock } from "../change/write-block.ts";
import { selectBlock, selectSummaries } from "../rows/block-rows.ts";
import { findSimilar } from "../search/find-similar.ts";
import { searchMemory, type SearchParts } from "./search-memory.ts";

/** Makes the agent's side of a memory over a database. The actor of the scope must be the agent. */
export function createManager(
  scope: Scope,
  { queues, readScopes, countTokens }: Pick<SearchParts, "queues" | "readScopes" | "countTokens">,
): MemoryManager {
  const { sql, owner, policy } = scope;
  const { limits } = policy;
  const isWritable = (label: string, content: string): boolean =>
    typeof content === "string" &&
    content.length <= limits.contentChars &&
    typeof label === "string" &&
    "key" in toLabel(label, limits);
  // A write that was acknowledged has not failed because the search for others did.
  const similarTo = (label: string, content: string): Promise<readonly SimilarBlock[]> =>
    findSimilar(sql, owner, { label, content }).catch(() => []);
  return Object.freeze({
    search: (query, options = {}) =>
      searchMemory({ sql, queues, owner, readScopes, limits, countTokens }, query, options),
    async get(label) {
      const read = toLabel(label, limits);
      return "key" in read ? selectBlock(sql, owner, read.key) : null;
    },
    // Fields are copied one by one, so that a caller cannot smuggle in a permission.
    async write({ label, content, tier, supersedes, validFrom, findSimilar: wanted = false, ...options }) {
      const proposal = {
        op: "write",
        label,
        content,
        tier,
        supersedes,
        validFrom,
        ...optionsOf(scope, options),
      } as const;
      const writing = writeBlock(scope, proposal);
      // A thread goes on with the search at once, while the answer on the write is on its way here.
      const early =
        wanted && sql.perform !== undefined && isWritable(label, content) ? similarTo(label, content) : undefined;
      const result = await writing;
      if (!wanted || result.outcome !== "applied" || result.block.version > 1) return result;
      const similar = await (early ?? similarTo(result.block.label, result.block.content));
      return similar.length === 0 ? result : { ...result, similar };
    },
    edit: ({ label, offset, before, after, ...options }) =>
      writeBlock(scope, { op: "edit", label, offset, before, after, ...optionsOf(scope, options) }),
    move: ({ label, newLabel, tier, ...options }) =>
      writeBlock(scope, { op: "move", label, newLabel, tier, ...optionsOf(scope, options) }),
    remove: ({ label, ...options }) => writeBlock(scope, { op: "remove", label, ...optionsOf(scope, options) }),
    async list({ tier } = {}) {
      const shared = readScopes.map(async (other) =>
        (await selectSummaries(sql, other, tier)).map((summary) => ({ ...summary, scope: other })),
      );
      const [own, ...others] = await Promise.all([selectSummaries(sql, owner, tier), ...shared]);
      return [...own, ...others.flat()];
    },
  } satisfies MemoryManager);
}

function optionsOf(scope: Scope, { reason, expectVersion, source }: ChangeOptions) {
  return { reason, expectVersion, source: toAgentSource(source ?? scope.source) };
}
