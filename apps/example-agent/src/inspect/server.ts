import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkOrigin, HEADERS, RequestError } from "./check-request.ts";
import type { Inspected } from "./inspected.ts";
import { ROUTES } from "./routes.ts";
import { createFeedStreams } from "./stream-feed.ts";

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

const DIRECTORY = path.join(import.meta.dirname, "page");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The files of the page by their paths in its address, as they are. No request ever names a file on the disk. */
function readPageFiles(): ReadonlyMap<string, PageFile> {
  const files = readdirSync(DIRECTORY, { recursive: true, encoding: "utf8" }).flatMap(
    (name): (readonly [string, PageFile])[] => {
      const type = TYPES[path.extname(name)];
      const place = name === "index.html" ? "/" : `/${name.replaceAll(path.sep, "/")}`;
      return type === undefined ? [] : [[place, { type, body: readFileSync(path.join(DIRECTORY, name)) }]];
    },
  );
  // The one library of the page. It is served as its package has it, so there is nothing to build.
  const marked = readFileSync(fileURLToPath(import.meta.resolve("marked")));
  return new Map([...files, ["/marked.js", { type: TYPES[".js"] ?? "", body: marked }]]);
}

/** A token that nobody guesses: 256 random bits. */
function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Says whether a request bears the token (`Authorization: Bearer TOKEN`), in the same time however much of a guess is right. */
function createBearerCheck(token: string): (request: IncomingMessage) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return ({ headers: { authorization = "" } }) => timingSafeEqual(wanted, digest(authorization));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** A page that is served. */
export interface InspectServer {
  /** Address of the page, with its token behind `#`, which no browser sends along. */
  readonly url: string;
  close(): Promise<void>;
}

/** The one address that is listened on: nothing but this machine reaches it. */
const LOOPBACK = "127.0.0.1";
const MAX_CONNECTIONS = 64;

/** Serves the page on a free port. Every request except for static files needs the token. */
export async function serveInspected(inspected: Inspected): Promise<InspectServer> {
  const token = makeToken();
  const bearsToken = createBearerCheck(token);
  const files = readPageFiles();
  const streams = createFeedStreams(inspected.feed);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkOrigin(request);
    const { pathname, searchParams } = new URL(request.url ?? "/", `http://${LOOPBACK}`);
    const file = request.method === "GET" ? files.get(pathname) : undefined;
    if (file !== undefined) {
      response.writeHead(200, { ...HEADERS, "content-type": file.type }).end(file.body);
      return;
    }
    if (!bearsToken(request)) {
      throw new RequestError(
        401,
        "Cannot answer: the token is missing or wrong; open the address that the terminal shows",
      );
    }
    if (request.method === "GET" && pathname === "/api/feed") return streams.send(request, response);
    const [route, named] = routeOf(`${request.method ?? ""} ${pathname}`);
    const answered = await route({ request, inspected, named, query: searchParams });
    sendJson(response, 200, answered);
  };
  const answering = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const answered = answer(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const [status, text] =
        error instanceof RequestError ? [error.status, error.message] : [500, "Something went wrong"];
      // Does not wait for the unread rest of the request.
      sendJson(response.setHeader("connection", "close"), status, { error: text });
    });
    answering.add(answered);
    void answered.finally(() => answering.delete(answered));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}/#token=${token}`,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      // What a request began with the memory goes on without its connection.
      await Promise.all(answering);
    },
  };
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  // First, so that a value without a JSON form is answered as an error.
  const text = JSON.stringify(value ?? {});
  response.writeHead(status, { ...HEADERS, "content-type": "application/json; charset=utf-8" }).end(text);
}

/** The route of an address, and the part where it has a `:`. */
function routeOf(asked: string): readonly [(typeof ROUTES)[string], string] {
  const cut = asked.lastIndexOf("/") + 1;
  const exact = Object.hasOwn(ROUTES, asked) ? ROUTES[asked] : undefined;
  if (exact !== undefined) return [exact, ""];
  const pattern = `${asked.slice(0, cut)}:`;
  const route = Object.hasOwn(ROUTES, pattern) ? ROUTES[pattern] : undefined;
  if (route === undefined) throw new RequestError(404, "There is nothing here");
  try {
    return [route, decodeURIComponent(asked.slice(cut))];
  } catch {
    throw new RequestError(400, "Cannot read the address");
  }
}
