import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJson } from "@dispatch/tools-interface/internal";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import type { Era } from "../caller.ts";
import { changedMessage, unreadable } from "../read-message.ts";
import { createGuard, refuse, limitConnections } from "./access.ts";
import { DEFAULT_SESSION_LIMITS, HttpSessions, type SessionLimits } from "./http-sessions.ts";

/** The served tools, their address, and their clients. */
export interface HttpServing {
  /** On the loopback interface; 0 for any that is free. */
  readonly port: number;
  readonly token: string;
  readonly createServer: (era: Era) => Server;
  readonly onError: (error: Error) => void;
  /** Bytes of one request. Default 4 MiB. */
  readonly maxMessageBytes?: number;
  readonly limits?: Partial<SessionLimits>;
}

/** A server that listens. */
export interface HttpListener {
  readonly url: string;
  /** Notifies the clients of 2026-07-28 that listen. */
  toolsChanged(): void;
  close(): Promise<void>;
}

const PATH = "/mcp";
const STREAM = "text/event-stream";
const DEFAULT_MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_CONNECTIONS = 100;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** How often connections are looked at for these limits. */
const CHECK_INTERVAL_MS = 5_000;

/**
 * Serves streamable HTTP: a session for each client that shakes hands, request by request for those of 2026-07-28.
 *
 * @throws {Error} When the port cannot be had.
 */
export async function serveHttp(options: HttpServing): Promise<HttpListener> {
  const { createServer: serverOf, onError, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  const mayPass = createGuard(options.token);
  const sessions = new HttpSessions(() => serverOf("legacy"), { ...DEFAULT_SESSION_LIMITS, ...options.limits });
  const modern = createMcpHandler(({ era }) => serverOf(era), {
    legacy: "reject",
    onerror: onError,
    maxSubscriptions: 16,
    maxRequestBodySize: maxMessageBytes,
  });
  const handle = toNodeHandler(
    {
      async fetch(request) {
        const parsedBody = request.method === "POST" ? await jsonOf(request) : undefined;
        if (parsedBody instanceof Response) return parsedBody;
        const isLegacy = await isLegacyRequest(request, parsedBody);
        const answer = isLegacy ? sessions.fetch(request, parsedBody) : modern.fetch(request, { parsedBody });
        return untilGone(request, await answer);
      },
    },
    { maxRequestBodySize: maxMessageBytes, onerror: onError },
  );
  const http = createServer({ connectionsCheckingInterval: CHECK_INTERVAL_MS }, (request, response) => {
    if (!mayPass(request, response)) return;
    isKnown(request.socket);
    if (URL.parse(request.url ?? "", "http://localhost")?.pathname !== PATH) {
      refuse(response, 404, `Not found: this server answers at ${PATH} alone`);
      return;
    }
    const id = request.headers["mcp-session-id"];
    sendHeadOfStreams(response);
    response.once("close", sessions.enter(Array.isArray(id) ? id[0] : id));
    // A server's requests have both; the type is shared with clients' responses, which have neither.
    handle(request as IncomingMessage & { method: string; url: string }, response).catch((error: unknown) =>
      onError(error instanceof Error ? error : new Error(String(error))),
    );
  });
  const isKnown = limitConnections(http, MAX_CONNECTIONS);
  // Half a request holds a connection no longer than this.
  http.headersTimeout = HEADERS_TIMEOUT_MS;
  http.requestTimeout = REQUEST_TIMEOUT_MS;
  http.listen(options.port, "127.0.0.1");
  await once(http, "listening").catch((error: unknown) => {
    const why =
      error instanceof Error && "code" in error && error.code === "EADDRINUSE" ? "it is taken" : String(error);
    throw new Error(`Cannot listen at port ${options.port}: ${why}`);
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    toolsChanged: () => modern.notify.toolsChanged(),
    async close() {
      const closed = once(http, "close");
      http.close();
      await Promise.all([sessions.close(), modern.close()]);
      http.closeAllConnections();
      await closed;
    },
  };
}

/** The body; `undefined` when it is no JSON, which the SDK answers; a refusal when its value would not be what it says. */
async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.clone().text();
  try {
    return parseJson(text);
  } catch (error) {
    const changed = changedMessage(text, error);
    if (changed === undefined) return undefined;
    if ("message" in changed) return changed.message;
    const { answer, why } = changed;
    return answer === undefined ? Response.json(unreadable(why), { status: 400 }) : Response.json(answer);
  }
}

/** Sends the head of a stream at once. Node keeps it for the first event, and the client waits until that comes. */
function sendHeadOfStreams(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    headers: OutgoingHttpHeaders,
  ) => ServerResponse;
  response.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    writeHead(status, headers);
    if (headers["content-type"] === STREAM) response.flushHeaders();
    return response;
  }) as ServerResponse["writeHead"];
}

/**
 * Ends a stream when its client has gone. The SDK ends it at its next event, and until then refuses a client that comes back for the rest of it.
 */
function untilGone({ signal }: Request, answer: Response): Response {
  const { body, headers, status } = answer;
  if (body === null || headers.get("content-type") !== STREAM) return answer;
  return new Response(body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal }), { status, headers });
}
