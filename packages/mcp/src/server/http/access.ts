import type { IncomingMessage, ServerResponse } from "node:http";
import { localhostHostValidation, localhostOriginValidation } from "@modelcontextprotocol/node";
import { createBearerCheck } from "./bearer-token.ts";

const METHODS: ReadonlySet<string> = new Set(["POST", "GET", "DELETE"]);

/** Answers a request that may not pass, and says whether it may. */
export type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Lets requests pass that bear the token and name this machine. A page in a browser that made its name point here, or
 * that stands elsewhere, names something else (DNS rebinding).
 */
export function createGuard(token: string): Guard {
  const isHost = localhostHostValidation();
  const isOrigin = localhostOriginValidation();
  const bearsToken = createBearerCheck(token);
  return (request, response) => {
    // A refused request is not read either.
    const { shouldKeepAlive } = response;
    response.shouldKeepAlive = false;
    if (!isHost(request, response) || !isOrigin(request, response)) return false;
    if (!METHODS.has(request.method ?? "")) {
      refuse(response, 405, `Method not allowed: allowed are ${[...METHODS].join(", ")}`);
      return false;
    }
    // A proxy is asked for a whole address, which may name another host than the header.
    if (request.url?.startsWith("/") !== true) {
      refuse(response, 400, "Bad Request: this server is no proxy");
      return false;
    }
    if (!bearsToken(request)) {
      refuse(response, 401, "Unauthorized: this server wants its token as Authorization: Bearer TOKEN");
      return false;
    }
    response.shouldKeepAlive = shouldKeepAlive;
    return true;
  };
}

/** Answers with an error of JSON-RPC that belongs to no request. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { "Content-Type": "application/json", ...(status === 401 && { "WWW-Authenticate": "Bearer" }) };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
