import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { CallSlots, type CallLimits } from "./call-slots.ts";
import type { Era } from "./caller.ts";
import { Catalogues } from "./catalogue.ts";
import { createConnection } from "./connection.ts";
import type {
  McpContextSource,
  McpHttpOptions,
  McpRegistrySource,
  McpServerOptions,
  WithMcpContext,
} from "./mcp-server-options.ts";
import { serveStreams } from "./serve-streams.ts";
import type { ServerParts } from "./server-parts.ts";
import { SuspendedCalls } from "./suspended-calls.ts";
import { DEFAULT_MAX_TASKS, Tasks } from "./tasks/tasks.ts";

/** Tools that are being served. */
export interface McpServing {
  /** Where HTTP answers. `undefined` over stdio. */
  readonly url: string | undefined;
  /** The token of HTTP requests. `undefined` over stdio. */
  readonly token: string | undefined;
  /** Resolves when nothing is served any more: the one client has gone, or after `close`. */
  readonly closed: Promise<void>;
  /** Notifies clients to list the tools again. */
  toolsChanged(): void;
  /** Cancels all calls and ends every connection. */
  close(): Promise<void>;
}

const DEFAULT_MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Serves the advertised tools of a registry to MCP clients, with and without handshake: calls are validated, repaired, approved
 * by the client's user (elicitation), reported on, cancelled and limited as everywhere.
 *
 * @param tools - A registry, or a function that answers one for a kind of client.
 * @throws {Error} When the port cannot be had or the token is too short.
 *
 * @example
 * ```ts
 * await serveMcp(registry, { context: { worktreePath: process.cwd() } });
 * ```
 */
export async function serveMcp<Context>(
  tools: McpRegistrySource<Context>,
  ...[options]: unknown extends Context
    ? [options?: McpServerOptions & WithMcpContext<Context>]
    : [McpServerOptions & WithMcpContext<Context>]
): Promise<McpServing> {
  return serve(tools as McpRegistrySource<unknown>, options ?? {});
}

async function serve(
  tools: McpRegistrySource<unknown>,
  options: McpServerOptions & { readonly context?: McpContextSource<unknown> },
): Promise<McpServing> {
  const attempt = "serve tools over MCP";
  checkOptions(attempt, options, {
    name: true,
    version: true,
    title: true,
    instructions: true,
    icons: true,
    transport: true,
    tools: true,
    structuredOutput: true,
    schemaDialect: true,
    approve: true,
    dispatch: true,
    maxConcurrency: true,
    maxWaiting: true,
    maxMessageBytes: true,
    toolsTtlMs: true,
    tasks: true,
    onError: true,
    context: true,
  });
  if (options.tasks)
    checkOptions(attempt, options.tasks, {
      afterMs: true,
      ttlMs: true,
      pollIntervalMs: true,
      maxTasks: true,
      store: true,
      resume: true,
    });
  if (typeof options.transport === "object" && "port" in options.transport)
    checkOptions(attempt, options.transport, { port: true, token: true, maxSessions: true, idleTimeoutMs: true });
  for (const tool of Object.values(options.tools ?? {}))
    checkOptions(attempt, tool, { title: true, icons: true, structuredOutput: true });
  const { transport = "stdio", onError = () => {}, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, context } = options;
  const report = (error: unknown): void => onError(error instanceof Error ? error : new Error(String(error)));
  const catalogues = new Catalogues(options);
  const suspended = new SuspendedCalls();
  const callLimits = limitsOf(options);
  const tasks = options.tasks === false ? undefined : new Tasks(options.tasks ?? {}, report);
  const endCalls = (): void => {
    suspended.close();
    tasks?.close();
  };
  const servers = new Set<WeakRef<Server>>();
  const parts: ServerParts = {
    options,
    suspended,
    tasks,
    slots: new CallSlots(callLimits),
    limits: callLimits,
    catalogueFor: async (client) =>
      catalogues.of((typeof tools === "function" ? await tools(client) : tools) as AnyToolRegistry),
    contextFor: typeof context === "function" ? (caller) => context(caller) as unknown : () => context,
    onError: report,
    connected(server, era) {
      // Over HTTP since 2026-07-28 there is one for each request, and the listener tells those that listen.
      if (era === "legacy" || !isHttp(transport)) servers.add(new WeakRef(server));
    },
  };
  const serving = { createServer: (era: Era) => createConnection(parts, era), maxMessageBytes, onError };
  const toServers = (): void => {
    for (const ref of servers) {
      const server = ref.deref();
      if (server === undefined) servers.delete(ref);
      else server.sendToolListChanged().catch(() => {});
    }
  };
  if (isHttp(transport)) {
    const { chooseToken } = await import("./http/bearer-token.ts");
    const token = chooseToken(transport.token);
    const { serveHttp } = await import("./http/serve-http.ts");
    const { port, maxSessions: count, idleTimeoutMs: idleMs } = transport;
    const limits = { ...(count !== undefined && { count }), ...(idleMs !== undefined && { idleMs }) };
    const listener = await serveHttp({ ...serving, port, token, limits });
    let end = (): void => {};
    const closed = new Promise<void>((resolve) => (end = resolve));
    return {
      url: listener.url,
      token,
      closed,
      toolsChanged() {
        toServers();
        listener.toolsChanged();
      },
      async close() {
        endCalls();
        await listener.close();
        end();
      },
    };
  }
  const listener = serveStreams({ ...serving, transport: transport === "stdio" ? undefined : transport });
  void listener.closed.then(endCalls);
  return {
    url: undefined,
    token: undefined,
    closed: listener.closed,
    toolsChanged: toServers,
    close: () => listener.close(),
  };
}

/** Tasks that wait for a person leave half of the places for others. */
function limitsOf({ maxConcurrency = 32, maxWaiting = 128, tasks }: McpServerOptions): CallLimits {
  if (tasks === false) return { running: maxConcurrency, waiting: maxWaiting };
  const half = Math.max(1, Math.floor((tasks?.maxTasks ?? DEFAULT_MAX_TASKS) / 2));
  return { running: maxConcurrency, waiting: Math.min(maxWaiting, half) };
}

function isHttp(transport: McpHttpOptions | Transport | "stdio"): transport is McpHttpOptions {
  return typeof transport === "object" && "port" in transport;
}
