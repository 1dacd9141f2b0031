import type { AnyTool } from "../call/tool.ts";
import { defineTool } from "../define/define-tool.ts";
import type { JsonSchema } from "../json/json.ts";
import { success } from "../result/tool-result.ts";
import type { ToolIndex } from "../search/tool-index.ts";
import { summary } from "../stubs/doc-comment.ts";

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
  let indexed: { readonly of: readonly AnyTool[]; readonly found: Promise<Finder> } | undefined;
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
      if (indexed?.of !== deferred) indexed = { of: deferred, found: createFinder(deferred) };
      const current = indexed;
      const { index, byName } = await current.found.catch((error: unknown) => {
        // Made anew by the next search.
        if (indexed === current) indexed = undefined;
        throw error;
      });
      const found = index.search(query, { limit });
      const tools = found.flatMap(({ name: known }) => {
        const tool = byName.get(known);
        return tool === undefined ? [] : { name: known, description: summary(tool.description) };
      });
      if (tools.length === 0) {
        return success("No tool fits. Search with other words for what the tool should do", { data: { tools } });
      }
      const lines = tools.map((tool) => `${toWire(tool.name)}: ${tool.description}`);
      return success(["Found, best first, to be called by these names:", ...lines].join("\n"), { data: { tools } });
    },
  });
}

/** An index and the tools in it. */
interface Finder {
  readonly index: ToolIndex;
  readonly byName: ReadonlyMap<string, AnyTool>;
}

/** Loaded at the first search: most programs start without one. Made in slices, so that other calls go on. */
async function createFinder(tools: readonly AnyTool[]): Promise<Finder> {
  const { createToolIndexInSlices } = await import("../search/tool-index.ts");
  return { index: await createToolIndexInSlices(tools), byName: new Map(tools.map((tool) => [tool.name, tool])) };
}
