import { oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import { readListedTool, type ListedTool } from "./listed-tool.ts";
import type { McpProblem } from "./mcp-client-options.ts";

/** A server's tools, and the faults of the others. */
export interface Listing {
  /** Each name once, in the server's order. */
  readonly tools: readonly ListedTool[];
  readonly problems: readonly McpProblem[];
}

/** Pages of one listing. */
const MAX_PAGES = 200;
/** Problems that are kept of one listing. */
const MAX_PROBLEMS = 100;

/**
 * Lists all pages. One entry that cannot be used leaves the others as they are. Stops at `maxTools`, after 200 pages, and at a
 * page that was there before.
 *
 * @param request - Asks for the page behind a cursor, and answers the result.
 */
export async function listTools(
  request: (cursor: string | undefined) => Promise<unknown>,
  maxTools: number,
): Promise<Listing> {
  const tools = new Map<string, ListedTool>();
  const problems: McpProblem[] = [];
  const report = (message: string, tool?: unknown): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ tool: nameFor(tool), message });
  };
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await request(cursor);
    const entries: unknown = isJsonObject(result) ? result["tools"] : undefined;
    if (!Array.isArray(entries)) {
      report("Cannot read a page of tools: it is no list");
      return { tools: [...tools.values()], problems };
    }
    for (const entry of entries as unknown[]) {
      const read = readListedTool(entry);
      if (typeof read === "string")
        report(`Cannot use a tool: ${read}`, isJsonObject(entry) ? entry["name"] : undefined);
      else if (tools.has(read.name)) report("Cannot use a tool: another one has its name", read.name);
      else if (tools.size >= maxTools) {
        report(`Cannot use all tools: there are more than ${maxTools}`);
        return { tools: [...tools.values()], problems };
      } else tools.set(read.name, read);
    }
    const next: unknown = isJsonObject(result) ? result["nextCursor"] : undefined;
    if (typeof next !== "string") return { tools: [...tools.values()], problems };
    if (cursors.has(next)) {
      report("Cannot list all tools: a page came twice");
      return { tools: [...tools.values()], problems };
    }
    cursors.add((cursor = next));
  }
  report(`Cannot list all tools: there are more than ${MAX_PAGES} pages`);
  return { tools: [...tools.values()], problems };
}

function nameFor(name: unknown): string | undefined {
  return typeof name === "string" ? oneLine(name).slice(0, 128) : undefined;
}
