import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { localhostHostValidation, localhostOriginValidation } from "@modelcontextprotocol/node";

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

/** Characters a token has at least. */
const MIN_TOKEN_CHARS = 20;

/**
 * The token that requests must bear.
 *
 * @param given - `undefined`: a new one of 256 random bits.
 * @throws {Error} When the given one is too short to be a secret, or no header can carry it.
 */
export function chooseToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(32).toString("base64url");
  if (given.length < MIN_TOKEN_CHARS) {
    throw new Error(`Cannot use the token: found ${given.length} characters, allowed are at least ${MIN_TOKEN_CHARS}`);
  }
  if (/^[\x21-\x7e]+$/.test(given)) return given;
  throw new Error("Cannot use the token: found a space or a character beyond ASCII, which clients cannot send");
}

/** Says whether a request bears the token (`Authorization: Bearer TOKEN`), in the same time however much of a guess is right. */
function createBearerCheck(token: string): (request: IncomingMessage) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return ({ headers: { authorization = "" } }) =>
    timingSafeEqual(wanted, digest(authorization.replace(/^bearer +/i, "Bearer ")));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * Limits the connections of a server so that strangers keep nobody out: where there are too many, the oldest connection that has not borne the
 * token is closed, and the new one only if all others have.
 *
 * @returns Marks a connection as one that has borne the token.
 */
export function limitConnections(http: Server, count: number): (socket: Socket) => void {
  const open = new Set<Socket>();
  const strangers = new Set<Socket>();
  http.on("connection", (socket: Socket) => {
    open.add(socket);
    strangers.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      strangers.delete(socket);
    });
    if (open.size <= count) return;
    const [oldest = socket] = strangers;
    // Counted as gone at once: its `close` comes later.
    open.delete(oldest);
    strangers.delete(oldest);
    oldest.destroy();
  });
  return (socket) => void strangers.delete(socket);
}
