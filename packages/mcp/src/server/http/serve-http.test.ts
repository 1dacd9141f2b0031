import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test } from "vitest";
import type { SessionLimits } from "./http-sessions.ts";
import { serveHttp, type HttpListener } from "./serve-http.ts";

const token = "a-token-for-tests-only";
let listener: HttpListener;
let waiting = 0;
afterEach(() => listener.close());

/** Serves sessions in which a call of `wait` is never answered. */
async function listen(limits: Partial<SessionLimits>): Promise<void> {
  const createServer = (): Server => {
    const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: [] }));
    server.setRequestHandler("tools/call", () => {
      waiting += 1;
      return new Promise<never>(() => {});
    });
    return server;
  };
  listener = await serveHttp({ port: 0, token, createServer, onError: () => {}, limits });
}

/** Answers still open: `fetch` cancels one that is collected as garbage, and with it ends the call. */
const answers: Response[] = [];

async function post(message: object, session?: string, signal?: AbortSignal): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(session !== undefined && { "Mcp-Session-Id": session }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const answer = await fetch(listener.url, { method: "POST", headers, body, ...(signal && { signal }) });
  answers.push(answer);
  return answer;
}

async function begin(): Promise<Response> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const response = await post({ id: 1, method: "initialize", params });
  await response.text();
  return response;
}
const idOf = ({ headers }: Response): string => headers.get("mcp-session-id") ?? "";

async function list(session: string): Promise<number> {
  const response = await post({ id: 2, method: "tools/list", params: {} }, session);
  await response.text();
  return response.status;
}

/** Makes a call that is never answered, and stops listening for it at the signal. */
async function callWait(session: string, signal: AbortSignal): Promise<void> {
  const before = waiting;
  post({ id: 3, method: "tools/call", params: { name: "wait" } }, session, signal).catch(() => {});
  await expect.poll(() => waiting).toBe(before + 1);
}

/** A session in which a call runs. One that was closed before the call came, on a busy machine, is begun anew. */
async function beginBusy(signal: AbortSignal): Promise<string> {
  for (;;) {
    const session = idOf(await begin());
    const before = waiting;
    let isClosed = false;
    post({ id: 3, method: "tools/call", params: { name: "wait" } }, session, signal).then(
      ({ status }) => (isClosed = status === 404),
      () => {},
    );
    await expect.poll(() => isClosed || waiting > before).toBe(true);
    if (!isClosed) return session;
  }
}

describe("serveHttp()", () => {
  test("keeps so many sessions, makes room by the one left alone the longest, and never by one that works", async () => {
    await listen({ count: 2 });
    const [first, second] = [idOf(await begin()), idOf(await begin())];
    expect(first).not.toBe(second);
    expect(await list(first)).toBe(200);
    const third = idOf(await begin());
    expect(await Promise.all([first, second, third].map(list))).toEqual([200, 404, 200]);
    const stop = new AbortController();
    for (const session of [first, third]) await callWait(session, stop.signal);
    const refused = await begin();
    expect(refused.status).toBe(503);
    expect(await list(first)).toBe(200);
    stop.abort();
    await expect.poll(async () => (await begin()).status).toBe(200);
  });

  test("closes sessions that are left alone, and none in which a call runs", async () => {
    await listen({ idleMs: 20 });
    const stop = new AbortController();
    const [idle, busy] = [idOf(await begin()), await beginBusy(stop.signal)];
    // A question keeps a session awake, so they come further apart than `idleMs`.
    await expect.poll(() => list(idle), { interval: 100 }).toBe(404);
    expect(await list(busy)).toBe(200);
    stop.abort();
    await expect.poll(() => list(busy), { interval: 100 }).toBe(404);
  });

  test("says so when the port is taken", async () => {
    await listen({});
    const port = Number(new URL(listener.url).port);
    const again = serveHttp({
      port,
      token,
      createServer: () => new Server({ name: "x", version: "1" }),
      onError: () => {},
    });
    await expect(again).rejects.toThrow(`Cannot listen at port ${port}: it is taken`);
  });
});

test.each<[string, number, object]>([
  ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{"a":1,"a":2}}}', 200, { id: 5 }],
  ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait","arguments":{"a":1e400}}}', 200, { id: 5 }],
  ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"__proto__":{},"name":"wait"}}', 200, { id: 5 }],
  ['{"jsonrpc":"2.0","id":5,"id":6,"method":"tools/list"}', 200, { id: null }],
  ['[{"jsonrpc":"2.0","id":5,"id":6,"method":"tools/list"}]', 400, { id: null }],
])("a body whose value would not be what it says reaches no session: %s", async (body, status, answer) => {
  await listen({});
  const session = idOf(await begin());
  const before = waiting;
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "Mcp-Session-Id": session,
  };
  const response = await fetch(listener.url, { method: "POST", headers, body });
  expect([response.status, await response.json()]).toMatchObject([
    status,
    { ...answer, error: { message: expect.stringContaining("would not arrive as it was sent") } },
  ]);
  expect(waiting).toBe(before);
});
