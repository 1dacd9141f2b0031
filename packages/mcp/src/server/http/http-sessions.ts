import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from "@modelcontextprotocol/server";
import { cancelledRequest, IN_USE, OpenRequests } from "../open-requests.ts";
import { EventLog } from "./event-log.ts";

/** Limits of sessions. */
export interface SessionLimits {
  /** Sessions at the same time. Default 64. */
  readonly count: number;
  /** How long a session may be left alone, in milliseconds. Default 30 minutes. */
  readonly idleMs: number;
}

export const DEFAULT_SESSION_LIMITS: SessionLimits = { count: 64, idleMs: 30 * 60_000 };

/** How long a client whose stream ended waits before it asks for the rest, in milliseconds. */
const RETRY_INTERVAL_MS = 1_000;

interface Session {
  readonly server: Server;
  readonly requests: OpenRequests;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests whose answers are not at their end. */
  open: number;
  lastSeen: number;
}

/** The sessions of clients that shake hands: each has a server of its own, which only the session's id leads to. */
export class HttpSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #createServer: () => Server;
  readonly #limits: SessionLimits;
  readonly #sweep: NodeJS.Timeout;
  readonly #events = new EventLog();

  constructor(createServer: () => Server, limits: SessionLimits) {
    this.#createServer = createServer;
    this.#limits = limits;
    this.#sweep = setInterval(() => void this.#closeIdle(), Math.min(limits.idleMs, 60_000)).unref();
  }

  /** @param body - Of a POST, parsed. `undefined`: it is no JSON. */
  async fetch(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#sessions.get(id);
      return session === undefined ? error(404, -32_001, "Session not found") : inSession(session, request, body);
    }
    if (!isInitializeRequest(body)) return error(400, -32_000, "Bad Request: the header Mcp-Session-Id is missing");
    return this.#begin(request, body);
  }

  /**
   * Marks that a request of a session is being answered.
   *
   * @returns To be called once it has been.
   */
  enter(id: string | undefined): () => void {
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (session === undefined) return () => {};
    const touch = (change: number): void => {
      session.open += change;
      session.lastSeen = performance.now();
    };
    touch(1);
    return () => touch(-1);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  async #begin(request: Request, parsedBody: unknown): Promise<Response> {
    if (this.#sessions.size >= this.#limits.count && !(await this.#closeOldest())) {
      return error(503, -32_000, `Too many sessions: allowed are ${this.#limits.count} at the same time`);
    }
    const server = this.#createServer();
    const requests = new OpenRequests();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: this.#events.storeOf(server),
      retryInterval: RETRY_INTERVAL_MS,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { server, requests, transport, open: 0, lastSeen: performance.now() });
      },
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server is no event target
    server.onclose = () => {
      this.#events.forget(server);
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message)) requests.end(message);
      return send(message, options);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody });
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #closeIdle(): Promise<void> {
    const since = performance.now() - this.#limits.idleMs;
    const idle = [...this.#sessions.values()].filter(({ open, lastSeen }) => open === 0 && lastSeen < since);
    await Promise.all(idle.map(({ server }) => server.close()));
  }

  /** Makes room by the session that was left alone the longest. */
  async #closeOldest(): Promise<boolean> {
    const [oldest] = [...this.#sessions.values()]
      .filter(({ open }) => open === 0)
      .toSorted((one, other) => one.lastSeen - other.lastSeen);
    await oldest?.server.close();
    return oldest !== undefined;
  }
}

/** The one revision with batches. */
const WITH_BATCHES = "2025-03-26";

/** Refuses a request whose id is in use: the SDK would lose the first one's answer, and its stream would never end. */
async function inSession({ server, transport, requests }: Session, request: Request, body: unknown): Promise<Response> {
  const version = server.getNegotiatedProtocolVersion();
  if (Array.isArray(body) && (version !== WITH_BATCHES || body.length === 0)) {
    return error(400, -32_600, `Bad Request: revision ${version} has no such batch, send its messages one by one`);
  }
  const messages: readonly unknown[] = [body].flat();
  const refused = messages.findIndex((message) => !requests.take(message));
  const isTaken = refused >= 0;
  const response = isTaken
    ? error(400, -32_600, `Bad Request: ${IN_USE}`)
    : await transport.handleRequest(request, { parsedBody: body });
  if (!response.ok) for (const message of isTaken ? messages.slice(0, refused) : messages) requests.end(message);
  else await Promise.all(messages.map((message) => endCancelled(transport, message)));
  return response;
}

/**
 * Ends the stream of a request that a client cancelled, by an answer, which clients ignore. Without one it would stay open, and with it
 * one of the server's few connections.
 */
async function endCancelled(transport: Session["transport"], message: unknown): Promise<void> {
  const cancelled = cancelledRequest(message);
  if (cancelled === undefined) return;
  const why = { code: CANCELLED, message: "The client cancelled it" };
  // Rejects where the request is answered already.
  await transport.send({ jsonrpc: "2.0", ...cancelled, error: why }).catch(() => {});
}

/** As in the language server protocol: JSON-RPC and MCP have no code for it. */
const CANCELLED = -32_800;

function error(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
