/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is no event target */
import process from "node:process";
import type { AnyToolRegistry } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type CallLimits, CallSlots } from "./call-slots.ts";
import type { Era } from "./caller.ts";
import { catalogueMaker } from "./catalogue.ts";
import { createConnection, type ServerParts } from "./connection.ts";
import { LineTransport } from "./line-transport.ts";
import type {
  McpContextSource,
  McpHttpOptions,
  McpRegistrySource,
  McpServerOptions,
  WithMcpContext,
} from "./mcp-server-options.ts";
import { cancelledRequest, IN_USE, OpenRequests } from "./open-requests.ts";
import { unreadable } from "./read-message.ts";
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

/** How clients are served. */
interface Serving {
  readonly createServer: (era: Era) => Server;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
  readonly onError: (error: Error) => void;
}

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
  ...[given]: unknown extends Context
    ? [options?: McpServerOptions & WithMcpContext<Context>]
    : [McpServerOptions & WithMcpContext<Context>]
): Promise<McpServing> {
  const options: McpServerOptions & { readonly context?: McpContextSource<unknown> } = given ?? {};
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
    checkOptions(attempt, options.transport, { port: true, token: true });
  for (const tool of Object.values(options.tools ?? {}))
    checkOptions(attempt, tool, { title: true, icons: true, structuredOutput: true });
  const { transport = "stdio", onError = () => {}, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, context } = options;
  const report = (error: unknown): void => onError(error instanceof Error ? error : new Error(String(error)));
  const catalogueOf = catalogueMaker(options);
  const suspended = new SuspendedCalls();
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
    slots: new CallSlots(limitsOf(options)),
    catalogueFor: async (client) =>
      catalogueOf((typeof tools === "function" ? await tools(client) : tools) as AnyToolRegistry),
    contextFor: typeof context === "function" ? (caller) => context(caller) as unknown : () => context,
    onError: report,
    connected(server, era) {
      // Over HTTP since 2026-07-28 there is one for each request, and the listener tells those that listen.
      if (era === "legacy" || !isHttp(transport)) servers.add(new WeakRef(server));
    },
  };
  const serving: Serving = { createServer: (era) => createConnection(parts, era), maxMessageBytes, onError };
  const toServers = (): void => {
    for (const ref of servers) {
      const server = ref.deref();
      if (server === undefined) servers.delete(ref);
      else server.sendToolListChanged().catch(() => {});
    }
  };
  if (isHttp(transport)) {
    const { chooseToken } = await import("./http/access.ts");
    const token = chooseToken(transport.token);
    const { serveHttp } = await import("./http/serve-http.ts");
    const listener = await serveHttp({ ...serving, port: transport.port, token });
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
  const listener = serveStreams(transport === "stdio" ? undefined : transport, serving);
  void listener.closed.then(endCalls);
  return {
    url: undefined,
    token: undefined,
    closed: listener.closed,
    toolsChanged: toServers,
    close: () => listener.close(),
  };
}

/** Calls that wait for a person at the same time. */
const MAX_WAITING = 128;

/** Tasks that wait for a person leave half of the places for others. */
function limitsOf({ maxConcurrency: running = 32, tasks }: McpServerOptions): CallLimits {
  if (tasks === false) return { running, waiting: MAX_WAITING };
  const half = Math.max(1, Math.floor((tasks?.maxTasks ?? DEFAULT_MAX_TASKS) / 2));
  return { running, waiting: Math.min(MAX_WAITING, half) };
}

function isHttp(transport: McpHttpOptions | Transport | "stdio"): transport is McpHttpOptions {
  return typeof transport === "object" && "port" in transport;
}

/**
 * Serves the client at the other end of a transport, or of stdin and stdout. `closed` resolves when the client has gone, or after
 * `close`.
 */
function serveStreams(
  given: Transport | undefined,
  { createServer, maxMessageBytes, onError }: Serving,
): Pick<McpServing, "closed" | "close"> {
  const transport = answeringOnce(
    given ?? new LineTransport({ input: process.stdin, output: process.stdout, maxMessageBytes }),
  );
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const handle = serveStdio(({ era }) => createServer(era), { transport, onerror: onError });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    close();
  };
  if (given === undefined) {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, close);
    process.stdout.once("error", close);
  }
  const end = async (): Promise<void> => {
    await handle.close();
    if (given === undefined) process.stdin.destroy();
    close();
  };
  void closed.then(end);
  return { closed, close: end };
}

/** A transport that refuses a request whose id is in use, and a second handshake: it would change what runs already. */
function answeringOnce(transport: Transport): Transport {
  const open = new OpenRequests();
  /** The id of the handshake that has no answer yet. */
  let handshake: unknown;
  let isBegun = false;
  const refuse = (why: string, id?: string | number): void => {
    transport.send(unreadable(why, id) as JSONRPCMessage).catch(() => {});
  };
  const checked: Transport = {
    start() {
      transport.onmessage = (message, extra) => {
        // A cancelled request is not answered.
        open.end(cancelledRequest(message));
        const isHandshake = "method" in message && message.method === "initialize" && "id" in message;
        if (isHandshake && (isBegun || handshake !== undefined))
          refuse("this connection was initialized already", message.id);
        else if (!open.take(message)) refuse(IN_USE);
        else {
          if (isHandshake) handshake = message.id;
          checked.onmessage?.(message, extra);
        }
      };
      transport.onerror = (error) => checked.onerror?.(error);
      transport.onclose = () => checked.onclose?.();
      return transport.start();
    },
    send(message, options) {
      if (!("method" in message)) {
        open.end(message);
        if (message.id === handshake) {
          isBegun ||= "result" in message;
          handshake = undefined;
        }
      }
      return transport.send(message, options);
    },
    close: () => transport.close(),
  };
  return checked;
}
