/**
 * A web handler that gives every user a memory of their own. Pass `handler.fetch` to a server: `Deno.serve`, `Bun.serve`,
 * srvx, Hono, or a route of your framework.
 * API_TOKENS names the users, as in `ada:TOKEN,bob:TOKEN`; MEMORY_URL the database (default: the directory ./memory).
 *
 *     GET  /tools                 the tools, for a model
 *     POST /tools/memory_write    a call; the body holds its arguments
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { openMemoryStore, registerMemoryTools } from "@dispatch/tool-memory";
import { createToolRegistry } from "@dispatch/tools-interface";

const MAX_BODY_CHARS = 100_000;
const store = await openMemoryStore(process.env["MEMORY_URL"] ?? "./memory");
const registry = registerMemoryTools(createToolRegistry(), store);
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const users = (process.env["API_TOKENS"] ?? "")
  .split(",")
  .map((pair) => /^([^:]+):(.+)$/.exec(pair) ?? [])
  .flatMap(([, user, token]) => (user && token ? [{ user, wanted: digest(`Bearer ${token}`) }] : []));

/** The body as text, or undefined as soon as it is longer than is allowed. */
async function readBody(request: Request): Promise<string | undefined> {
  let text = "";
  for await (const piece of request.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > MAX_BODY_CHARS) return undefined;
  }
  return text;
}

async function fetch(request: Request): Promise<Response> {
  const given = digest(request.headers.get("authorization") ?? "");
  const user = users.find(({ wanted }) => timingSafeEqual(wanted, given))?.user;
  if (user === undefined) return Response.json({ error: "The token is missing or wrong" }, { status: 401 });

  const { pathname } = new URL(request.url);
  if (request.method === "GET" && pathname === "/tools") return Response.json(registry.toModelTools());
  const name = /^\/tools\/(\w+)$/.exec(pathname)?.[1] ?? "";
  if (request.method !== "POST" || !registry.has(name)) return Response.json({ error: "Not found" }, { status: 404 });
  const body = await readBody(request);
  if (body === undefined) return Response.json({ error: "Too long" }, { status: 413 });
  // The owner comes from the token, never from the request.
  const context = { memoryOwner: user };
  const result = await registry.dispatch({ name, arguments: body }, { context, signal: request.signal });
  return Response.json(result, { status: result.success ? 200 : 422 });
}

/** Closes the store: call it before the process ends. */
const close = (): Promise<void> => store.close();

export const handler = { fetch, close };
