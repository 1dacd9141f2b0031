import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  call,
  connectHttp,
  endAll,
  INITIALIZE,
  startServer,
  TOKEN,
  yes,
  type Era,
  type ServerProcess,
} from "./mcp-connection.ts";

let directory: string;
let server: ServerProcess;
let url: string;

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "mcp-http-")));
  await writeFile(path.join(directory, "a.txt"), "in the directory");
  server = startServer(["--workspace", directory, "--http", "0", "--structured-output", "--verbose"], {
    DISPATCH_MCP_TOKEN: TOKEN,
  });
  [, url = ""] = await server.seen(/serves at (http:\S+)/);
});
afterAll(async () => {
  await endAll();
  await rm(directory, { recursive: true, force: true });
});

const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
const usual = {
  Authorization: `Bearer ${TOKEN}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request with exactly these headers, `Host` included, which `fetch` would not send. */
function send(method: string, headers: Record<string, string>, body?: string, place = url): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(place, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      const end = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      response.once("close", end);
    });
    sent.once("error", reject).end(body);
  });
}

const begin = async (): Promise<string> => {
  const { status, headers } = await send("POST", usual, JSON.stringify(INITIALIZE));
  expect(status).toBe(200);
  return String(headers["mcp-session-id"]);
};

describe.each(["legacy", "modern"] satisfies Era[])("mcp over HTTP, %s clients", (era) => {
  test("runs calls, with approval by this client's person and by no other's", async () => {
    const asked = { first: 0, second: 0 };
    const first = await connectHttp(url, { era, reply: (form) => ((asked.first += 1), yes(form)) });
    const second = await connectHttp(url, { era, reply: () => ((asked.second += 1), { action: "decline" }) });
    const mute = await connectHttp(url, { era });
    expect(first.getProtocolEra()).toBe(era);
    expect((await call(first, "read_file", { path: "a.txt" })).text).toContain("in the directory");
    const file = { path: `.vscode/${era}.json`, content: "{}" };
    const code = `return await write_file(${JSON.stringify(file)}).then(() => "written", () => "refused")`;
    const [ok, no, unasked] = await Promise.all(
      [first, second, mute].map((client) => call(client, "execute_code", { code })),
    );
    expect(ok?.structuredContent).toMatchObject({ value: "written" });
    expect(no?.structuredContent).toMatchObject({ value: "refused" });
    expect(unasked?.structuredContent).toMatchObject({ value: "refused" });
    expect(asked).toEqual({ first: 1, second: 1 });
  });

  test("is asked about what it proposed for core memory, and about no other client's proposals", async () => {
    const asked: string[] = [];
    const mute = await connectHttp(url, { era });
    const client = await connectHttp(url, { era, reply: (form) => (asked.push(form.message), yes(form)) });
    const propose = (who: typeof client, label: string) =>
      call(who, "memory_write", { label, content: `I am ${label}`, tier: "core" });
    expect((await propose(mute, `theirs-${era}`)).text).toContain("Queued");
    expect((await propose(client, `mine-${era}`)).text).toContain(`mine-${era}: approved`);
    expect(asked).toEqual([expect.stringContaining(`+I am mine-${era}`)]);
  });

  test("stops a call that is cancelled, and reports it", async () => {
    const client = await connectHttp(url, { era });
    const stop = new AbortController();
    const code = "await read_file({ path: 'a.txt' }); await new Promise((done) => setTimeout(done, 100_000))";
    const options = { signal: stop.signal, onprogress: () => stop.abort("enough") };
    await expect(client.callTool({ name: "execute_code", arguments: { code } }, options)).rejects.toThrow("enough");
    await server.seen(/✗ execute_code .*cancelled/);
    server.written.stderr = "";
  });
});

describe("a client of an mcp server over HTTP", () => {
  const port = (): string => new URL(url).port;

  test.each([
    ["no token", { Authorization: "" }, 401],
    ["a wrong token", { Authorization: `Bearer ${TOKEN}x` }, 401],
    ["a token of another kind", { Authorization: `Basic ${TOKEN}` }, 401],
    ["the origin of a page elsewhere", { Origin: "https://evil.example" }, 403],
    ["an origin that begins like ours", { Origin: "http://localhost.evil.example" }, 403],
    ["no origin to speak of", { Origin: "null" }, 403],
    ["a name that was made to point here", { Host: "evil.example" }, 403],
    ["a name that begins like ours", { Host: "127.0.0.1.evil.example:80" }, 403],
    ["our own name and origin", { Host: "localhost:1", Origin: "http://localhost:3000" }, 200],
  ])("with %s", async (_, headers, status) => {
    const answer = await send("POST", { ...usual, ...headers }, JSON.stringify(INITIALIZE));
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.headers).not.toHaveProperty("mcp-session-id");
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("cannot reach it from another machine", async () => {
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.internal === false && one.family === "IPv4");
    // Without a network 127.0.0.2 stands for it: it is this machine by an address that is not listened at.
    const socket = connect(Number(port()), outer?.address ?? "127.0.0.2");
    const end = await new Promise((resolve) => {
      for (const event of ["connect", "error"]) socket.once(event, () => resolve(event));
    });
    socket.destroy();
    expect(end).toBe("error");
  });

  test("may use no session but one that was begun, until it ends", async () => {
    const session = await begin();
    const of = { ...usual, "Mcp-Session-Id": session };
    expect((await send("POST", of, JSON.stringify(list))).body).toContain("read_file");
    for (const id of [`${session}0`, "constructor", "../..", ""]) {
      const { status, body } = await send("POST", { ...usual, "Mcp-Session-Id": id }, JSON.stringify(list));
      expect([404, 400]).toContain(status);
      expect(body).not.toContain("read_file");
    }
    expect((await send("POST", usual, JSON.stringify(list))).status).toBe(400);
    expect((await send("POST", { ...of, Authorization: "" }, JSON.stringify(list))).status).toBe(401);
    expect((await send("DELETE", { ...of, Authorization: "" })).status).toBe(401);
    expect((await send("DELETE", of)).status).toBe(200);
    expect((await send("POST", of, JSON.stringify(list))).status).toBe(404);
  });

  test("can neither fill the memory nor break it with what is no message", async () => {
    const huge = "x".repeat(5 * 1024 * 1024);
    const answer = await send("POST", usual, huge).catch(() => ({ status: 413 }));
    expect(answer.status).toBe(413);
    const unbidden = await send("POST", { ...usual, Authorization: "" }, huge).catch(() => ({ status: 401 }));
    expect(unbidden.status).toBe(401);
    for (const body of [
      "",
      "{",
      "null",
      "[]",
      '"x"',
      "[[]]",
      '{"jsonrpc":"2.0"}',
      JSON.stringify([INITIALIZE, list]),
    ]) {
      expect((await send("POST", usual, body)).status, body).toBeGreaterThanOrEqual(400);
    }
    for (const [method, place, status] of [
      ["PUT", url, 405],
      ["GET", url, 400],
      ["POST", url.replace("/mcp", "/"), 404],
      ["POST", url.replace("/mcp", "/mcp/../other"), 404],
    ] as const) {
      expect((await send(method, usual, method === "GET" ? undefined : "{}", place)).status, place).toBe(status);
    }
    expect(await begin()).not.toBe("");
  });

  test("gets a new token from stderr when none was given, and a short one is refused", async () => {
    const fresh = startServer(["--workspace", directory, "--http", "0"]);
    const [, token = ""] = await fresh.seen(/token (\S{43})\n/);
    const [, place = ""] = await fresh.seen(/serves at (http:\S+)/);
    const headers = { ...usual, Authorization: `Bearer ${token}` };
    expect((await send("POST", headers, JSON.stringify(INITIALIZE), place)).status).toBe(200);
    expect((await send("POST", usual, JSON.stringify(INITIALIZE), place)).status).toBe(401);
    const short = startServer(["--workspace", directory, "--http", "0"], { DISPATCH_MCP_TOKEN: "short" });
    expect(await short.ended).toBe(2);
    expect(short.written.stderr).toMatch(/Cannot use the token: found 5 characters/);
    expect(server.written.stderr + server.written.stdout).not.toContain(TOKEN);
  });
});
