import { type AnyTool, ToolError } from "@dispatch/tools-interface";
import { cleanText } from "@dispatch/tools-interface/display";
import { checkOptions, createWireNames, thrownMessage, type NameRule } from "@dispatch/tools-interface/internal";
import { foreignTool, type ForeignParts } from "./foreign-tool.ts";
import { listTools, type McpProblem } from "./listed-tool.ts";
import type { McpClientOptions, McpCommand, McpServerPlace, McpTransport, McpUrl } from "./mcp-client-options.ts";
import { memoryPins, pinOf, type McpPin } from "./pins.ts";
import { describe, ServerLink } from "./server-link.ts";
import { toolChange } from "./tool-change.ts";

/** The tools of one MCP server. Made by {@link connectMcp}. */
export interface McpSource {
  /** The name the host gave the server. */
  readonly name: string;
  /**
   * The server's tools, named `SERVER__TOOL`. Connects when it is not connected, and lists all pages.
   *
   * @throws {ToolError} Code `mcp_unreachable` or `mcp_failed`, when they cannot be listed.
   */
  tools(): Promise<readonly AnyTool[]>;
  /** The faults of the last listing. */
  readonly problems: readonly McpProblem[];
  /**
   * The server's instructions for its tools as a whole. Untrusted. `undefined`: none. Connects when it is not
   * connected.
   */
  instructions(): Promise<string | undefined>;
  /** Ends the connection, and the server's process. Calls that run fail. */
  close(): Promise<void>;
}

const DEFAULT_MAX_TOOLS = 1_000;
/** A list that is older when one of its tools is called is made anew. */
const MAX_LIST_AGE_MS = 300_000;
const DEFAULT_LIST_TIMEOUT_MS = 30_000;
const MAX_INSTRUCTIONS_CHARS = 16_000;
/** `list_changed` may come as often as the server likes. */
const MIN_LIST_INTERVAL_MS = 1_000;

/**
 * Takes the tools of an MCP server. Nothing is connected before the first `tools()` or call, and a lost connection is
 * made anew. Nothing from a server is trusted: see THREAT_MODEL.md.
 *
 * @param name - The host's name for the server: letters and digits, with single `_` and `-` between.
 * @throws {TypeError} When tools cannot be named for it.
 *
 * @example
 * ```ts
 * const files = connectMcp("files", { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] });
 * const registry = createToolRegistry().register(await files.tools());
 * ```
 */
export function connectMcp(name: string, server: McpServerPlace, options: McpClientOptions = {}): McpSource {
  checkServerName(name);
  checkOptions(`connect to the MCP server ${name}`, options, {
    needsApproval: true,
    pins: true,
    trustAnnotations: true,
    elicit: true,
    onToolsChanged: true,
    timeoutMs: true,
    connectTimeoutMs: true,
    maxOutputChars: true,
    maxMessageBytes: true,
    maxTools: true,
  });
  checkOptions(`connect to the MCP server ${name}`, server as McpCommand & McpUrl & McpTransport, {
    command: true,
    args: true,
    env: true,
    cwd: true,
    stderr: true,
    url: true,
    headers: true,
    authProvider: true,
    authCallback: true,
    fetch: true,
    transport: true,
  });
  return new Source(name, server, options);
}

class Source implements McpSource {
  readonly name: string;
  readonly #options: McpClientOptions;
  readonly #parts: ForeignParts;
  #problems: readonly McpProblem[] = [];
  #listed: Promise<ReadonlyMap<string, McpPin>> | undefined;
  #tools: readonly AnyTool[] = [];
  #listedAt = -Infinity;
  #isStale = true;
  #telling: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(name: string, server: McpServerPlace, options: McpClientOptions) {
    this.name = name;
    this.#options = options;
    this.#parts = {
      server: name,
      link: new ServerLink(name, server, options, () => this.#onChanged()),
      pins: options.pins ?? memoryPins(),
      options,
      current: async (tool) => {
        // The server that answers now may be another than the one that was listed.
        await this.#parts.link.ready();
        return (await this.#list()).get(tool);
      },
    };
  }

  get problems(): readonly McpProblem[] {
    return this.#problems;
  }

  async tools(): Promise<readonly AnyTool[]> {
    this.#isStale = true;
    await this.#list();
    return this.#tools;
  }

  async instructions(): Promise<string | undefined> {
    await this.#list();
    const text = await this.#parts.link.instructions();
    return typeof text === "string" ? cleanText(text).slice(0, MAX_INSTRUCTIONS_CHARS) : undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#telling);
    await this.#parts.link.close();
  }

  /** The server's present tools, by its own names. One listing serves all callers at the same time. */
  async #list(): Promise<ReadonlyMap<string, McpPin>> {
    const isOld = this.#isStale || performance.now() - this.#listedAt > MAX_LIST_AGE_MS;
    if (this.#listed !== undefined && !isOld) return this.#listed;
    this.#isStale = false;
    const listing = this.#fetchTools();
    this.#listed = listing;
    try {
      return await listing;
    } catch (error) {
      if (this.#listed === listing) this.#listed = undefined;
      throw error;
    }
  }

  async #fetchTools(): Promise<ReadonlyMap<string, McpPin>> {
    const { maxTools = DEFAULT_MAX_TOOLS, connectTimeoutMs: timeoutMs = DEFAULT_LIST_TIMEOUT_MS } = this.#options;
    const signal = AbortSignal.timeout(timeoutMs);
    const { link, pins } = this.#parts;
    const page = (cursor: string | undefined): Promise<unknown> =>
      link.request("tools/list", cursor === undefined ? {} : { cursor }, { timeoutMs, signal });
    const { tools: found, problems } = await listTools(page, maxTools).catch((error: unknown) => {
      if (ToolError.isInstance(error)) throw error;
      throw new ToolError(`Cannot list the tools of ${this.name}: ${describe(error)}`, {
        code: "mcp_failed",
        cause: error,
      });
    });
    // The notes of a connection that was just made are about this listing.
    this.#isStale = false;
    this.#listedAt = performance.now();
    const all = [...problems];
    const names = nameTools(
      this.name,
      found.map(({ name }) => name),
    );
    const offered = new Map<string, McpPin>();
    const made: AnyTool[] = [];
    for (const tool of found) {
      const pin = pinOf(tool);
      const change = toolChange(pin, await pins.get(this.name, tool.name));
      try {
        made.push(foreignTool(this.#parts, names.get(tool.name) ?? tool.name, tool, change));
        offered.set(tool.name, pin);
      } catch (error) {
        all.push({ tool: tool.name, message: `Cannot use a tool: ${describe(thrownMessage(error))}` });
      }
    }
    this.#tools = made;
    this.#problems = all;
    return offered;
  }

  #onChanged(): void {
    this.#isStale = true;
    const { onToolsChanged } = this.#options;
    if (onToolsChanged === undefined || this.#listedAt === -Infinity || this.#telling !== undefined || this.#closed)
      return;
    const waitMs = Math.max(0, this.#listedAt + MIN_LIST_INTERVAL_MS - performance.now());
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      this.tools()
        .then(onToolsChanged)
        .catch(() => {});
    }, waitMs).unref();
  }
}

/** A registry's rule for names, without the slash that providers' names cannot have. */
const TOOL_NAME = /[^A-Za-z0-9_.-]/g;
/** A registry takes 128 characters. */
const MAX_NAME_CHARS = 128;
/** Only single `_` and `-`, so that the first `__` ends it: no two servers' tools can then have the same name. */
const SERVER_NAME = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const MAX_SERVER_CHARS = 32;

/** @throws {TypeError} When tools cannot be named for it. */
function checkServerName(name: string): void {
  if (SERVER_NAME.test(name) && name.length <= MAX_SERVER_CHARS) return;
  throw new TypeError(
    `Cannot name a server ${JSON.stringify(name)}: allowed are 1 to ${MAX_SERVER_CHARS} letters and digits, with single "_" and "-" between`,
  );
}

/** The names of a server's tools in a registry: `SERVER__TOOL`, each once, even if the server repeats them. */
function nameTools(server: string, names: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `${server}__`;
  const rule: NameRule = { refused: TOOL_NAME, maxLength: MAX_NAME_CHARS - prefix.length };
  const { toWire } = createWireNames(names, rule);
  return new Map(names.map((name) => [name, `${prefix}${toWire(name)}`]));
}
