import type { AnyTool } from "../call/tool.ts";
import { defineTool } from "../define/define-tool.ts";
import { describeReceived } from "../error/describe-received.ts";
import { isJsonObject, type JsonSchema } from "../json/json.ts";
import { success } from "../result/tool-result.ts";
import type { ToolIndex } from "../search/tool-index.ts";
import { summary } from "../stubs/doc-comment.ts";
import type { TranscriptEntry } from "../transcript/transcript-entry.ts";

/** Its name, unless a tool of the registry has it already. */
export const SEARCH_TOOL = "search_tools";

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 20;

/** The same for every set of tools, so that a tool registered later changes no byte sent before. */
const DESCRIPTION =
  "Finds tools. There are more than you are shown: search before you say that something cannot be done. Answers the names of the tools that fit best, which you can call from your next turn on. Say what the tool should do, not the whole task, and search once for each thing to do.";

const parameters: JsonSchema = {
  type: "object",
  properties: {
    query: {
      type: "string",
      description: 'What the tool does, in a few words such as "create a calendar event", or its name',
    },
    limit: {
      type: "integer",
      description: "How many tools to find",
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    },
  },
  required: ["query"],
  additionalProperties: false,
};

const output: JsonSchema = {
  type: "object",
  properties: {
    tools: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, description: { type: "string" } },
        required: ["name", "description"],
      },
    },
  },
  required: ["tools"],
};

/** The tools that can be found, at the moment. */
export interface Searched {
  /** Those that are deferred. The same list as long as they are the same. */
  readonly deferred: readonly AnyTool[];
  /** The name by which a model calls one. */
  readonly toWire: (name: string) => string;
}

/** Creates the tool by which a model finds deferred tools. The index is made at the first search. */
export function createSearchTool(name: string, searched: () => Searched): AnyTool {
  let indexed: { readonly of: readonly AnyTool[]; readonly index: Promise<ToolIndex> } | undefined;
  return defineTool({
    name,
    description: DESCRIPTION,
    parameters,
    output,
    annotations: { readOnly: true, idempotent: true, openWorld: false },
    async execute(params) {
      const { query, limit = DEFAULT_LIMIT } = params as { readonly query: string; readonly limit?: number };
      const { deferred, toWire } = searched();
      // Kept before it is there: searches of one turn share it.
      if (indexed?.of !== deferred) indexed = { of: deferred, index: indexOf(deferred) };
      const found = (await indexed.index).search(query, { limit });
      const tools = found.flatMap(({ name: known }) =>
        deferred
          .filter((tool) => tool.name === known)
          .map((tool) => ({ name: known, description: summary(tool.description) })),
      );
      if (tools.length === 0) {
        return success("No tool fits. Search with other words for what the tool should do", { data: { tools } });
      }
      const lines = tools.map((tool) => `${toWire(tool.name)}: ${tool.description}`);
      return success(["Found, best first, to be called by these names:", ...lines].join("\n"), { data: { tools } });
    },
  });
}

/** Loaded at the first search: most programs start without one. Made in slices, so that other calls go on. */
async function indexOf(tools: readonly AnyTool[]): Promise<ToolIndex> {
  const { createToolIndexInSlices } = await import("../search/tool-index.ts");
  return createToolIndexInSlices(tools);
}

/**
 * The names of the tools that the searches of a conversation have found, in the order found. A restored conversation
 * passes them to `to…Tools(registry, { loaded })`, so that its model sees the same tools in the same order as before.
 *
 * @param registry The registry that the calls were dispatched through.
 * @param entries The entries of the conversation's transcript, in call order.
 *
 * @example
 * ```ts
 * const transcript = createTranscript(restored);
 * const wire = toAnthropicTools(registry, { loaded: loadedTools(registry, transcript.entries) });
 * ```
 */
export function loadedTools(
  registry: { readonly searchTool: { readonly name: string } | undefined },
  entries: Iterable<Pick<TranscriptEntry, "name" | "result" | "parentCallId">>,
): readonly string[] {
  const loaded = new Set<string>();
  const search = registry.searchTool?.name;
  if (search === undefined) return [];
  for (const entry of entries as Iterable<unknown>)
    if (isJsonObject(entry) && entry["name"] === search && isOfModel(entry))
      for (const found of foundNames(entry["result"])) loaded.add(found);
  return [...loaded];
}

/**
 * Checks the option `loaded` of a host, which may come out of a store.
 *
 * @throws {TypeError} When it is something else than a list of names.
 */
export function checkLoaded(loaded: unknown = []): readonly string[] {
  if (Array.isArray(loaded) && loaded.every((name) => typeof name === "string")) return loaded;
  throw new TypeError(
    `Cannot load tools: loaded is ${describeReceived(loaded)}, allowed is a list of their names, as loadedTools(registry, entries) answers it`,
  );
}

/** Whether no other call made it. A database answers `null` for missing values. */
function isOfModel({ parentCallId }: { readonly [key: string]: unknown }): boolean {
  return parentCallId === undefined || parentCallId === null;
}

/** The names in the result of one search, which may have been stored; none in a failure or anything else. */
export function foundNames(result: unknown): readonly string[] {
  const { success: isSuccess, data } = isJsonObject(result) ? result : {};
  const tools = isSuccess === true && isJsonObject(data) ? data["tools"] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => (isJsonObject(tool) && typeof tool["name"] === "string" ? tool["name"] : []));
}
