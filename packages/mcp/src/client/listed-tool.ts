import type { JsonSchema } from "@dispatch/tools-interface";
import { cleanText, oneLine } from "@dispatch/tools-interface/display";
import { isJsonObject } from "@dispatch/tools-interface/internal";

/** A server's description of one of its tools. Nothing of it is trusted. */
export interface ListedTool {
  /** As the server knows it. */
  readonly name: string;
  /** For a person, on one line. */
  readonly title: string | undefined;
  /** For a model, with nothing in it that cannot be seen. */
  readonly description: string;
  /** As the server sent it. */
  readonly inputSchema: JsonSchema;
  /** As the server sent it. */
  readonly outputSchema: JsonSchema | undefined;
  /** The server's own hints on the tool's effects. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  /** Whether it may, or must, be called as a task of 2025-11-25. Left out where it must not. */
  readonly taskSupport?: "optional" | "required";
}

/** Characters of a description that are kept. */
const MAX_DESCRIPTION_CHARS = 16_000;
/** Characters of a tool's JSON: its description and schemas. Servers' real ones have up to 60,000. */
const MAX_TOOL_CHARS = 250_000;
const MAX_NAME_CHARS = 256;
const MAX_TITLE_CHARS = 200;
/** How deep a tool's JSON may be nested: reading it needs the stack. */
const MAX_DEPTH = 200;

/** Reads one entry of `tools/list`; a text says why it cannot be used. */
export function readListedTool(entry: unknown): ListedTool | string {
  if (!isJsonObject(entry)) return "it is no object";
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = entry;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS) {
    return `its name is no text of 1 to ${MAX_NAME_CHARS} characters`;
  }
  if (depthOf(entry) > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}`;
  const size = JSON.stringify(entry).length;
  if (size > MAX_TOOL_CHARS) return `it has ${size} characters, allowed are ${MAX_TOOL_CHARS}`;
  if (!isJsonObject(inputSchema)) return "its inputSchema is no object";
  const hints = isJsonObject(annotations) ? annotations : {};
  const taskSupport = isJsonObject(execution) ? execution["taskSupport"] : undefined;
  const shown = [title, hints["title"]].find((text) => typeof text === "string" && text !== "");
  return {
    name,
    title: typeof shown === "string" ? oneLine(shown).slice(0, MAX_TITLE_CHARS) : undefined,
    description: typeof description === "string" ? cleanText(description).slice(0, MAX_DESCRIPTION_CHARS).trim() : "",
    inputSchema,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    hints: {
      readOnly: hints["readOnlyHint"] === true,
      // MCP's defaults.
      destructive: hints["readOnlyHint"] !== true && hints["destructiveHint"] !== false,
      idempotent: hints["idempotentHint"] === true,
      openWorld: hints["openWorldHint"] !== false,
    },
    ...((taskSupport === "optional" || taskSupport === "required") && { taskSupport }),
  };
}

/** Levels of nesting, counted without the stack. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && depth <= MAX_DEPTH) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    depth += 1;
  }
  return depth;
}

/** A fault of a server, for the host. Texts of the server in it are cleaned and cut. */
export interface McpProblem {
  /** The server's tool, if it is about one. */
  readonly tool: string | undefined;
  /** The fault, on one line. */
  readonly message: string;
}

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
