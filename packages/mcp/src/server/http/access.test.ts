import { connect } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { serveHttp } from "./serve-http.ts";

const TOKEN = "a-token-for-tests-only";
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

async function listen(): Promise<number> {
  const createServer = (): Server => new Server({ name: "test", version: "1" }, { capabilities: {} });
  const listener = await serveHttp({ port: 0, token: TOKEN, createServer, onError: () => {}, maxMessageBytes: 10_000 });
  onTestFinished(() => listener.close());
  return Number(new URL(listener.url).port);
}

interface Written {
  readonly line?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** Sends exactly these bytes; returns the status and the body. */
function send(
  port: number,
  { line = "POST /mcp HTTP/1.1", headers = {}, body = INITIALIZE }: Written,
): Promise<string> {
  const all: Readonly<Record<string, string | undefined>> = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${TOKEN}`,
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
    ...headers,
  };
  const rows = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${line}\r\n${rows.join("\r\n")}\r\n\r\n${body}`));
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
      // The end of a stream, behind which the connection is kept.
      if (answer.endsWith("\r\n0\r\n\r\n")) socket.destroy();
    });
    // A refused request is not read: the other side may close before all is written.
    socket.on("error", () => {});
    socket.once("close", () => resolve(answer));
  });
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

const LET_IN: Readonly<Record<string, Written>> = {
  "the plain request": {},
  "a scheme in small letters": { headers: { Authorization: `bearer ${TOKEN}` } },
  "this machine's name": { headers: { Host: "LOCALHOST" } },
  "this machine's newer address": { headers: { Host: "[::1]:80" } },
  "a page of this machine": { headers: { Origin: "http://localhost:3000" } },
};

const REFUSED: Readonly<Record<string, readonly [Written, number]>> = {
  "a name that points here": [{ headers: { Host: "evil.example" } }, 403],
  "a name that begins like ours": [{ headers: { Host: "127.0.0.1.evil.example" } }, 403],
  "our name as a user": [{ headers: { Host: "127.0.0.1@evil.example" } }, 403],
  "our name behind a hash": [{ headers: { Host: "evil.example:80#127.0.0.1" } }, 403],
  "every address": [{ headers: { Host: "0.0.0.0" } }, 403],
  "an empty name": [{ headers: { Host: "" } }, 403],
  "no name, as in HTTP 1.0": [{ line: "POST /mcp HTTP/1.0", headers: { Host: undefined } }, 403],
  "another name in the address": [{ line: "POST http://evil.example/mcp HTTP/1.1" }, 400],
  "our name in the address": [{ line: "POST http://localhost/mcp HTTP/1.1" }, 400],
  "a page elsewhere": [{ headers: { Origin: "http://evil.example" } }, 403],
  "a page whose user is ours": [{ headers: { Origin: "http://localhost@evil.example" } }, 403],
  "a page from nowhere": [{ headers: { Origin: "null" } }, 403],
  "a file": [{ headers: { Origin: "file://" } }, 403],
  "an extension": [{ headers: { Origin: "chrome-extension://localhostx" } }, 403],
  "a preflight": [{ line: "OPTIONS /mcp HTTP/1.1", headers: { Authorization: undefined }, body: "" }, 405],
  "a request that is sent back": [{ line: "TRACE /mcp HTTP/1.1", body: "" }, 405],
  "no token": [{ headers: { Authorization: undefined } }, 401],
  "the beginning of the token": [{ headers: { Authorization: `Bearer ${TOKEN.slice(0, -1)}` } }, 401],
  "the token as a password": [{ headers: { Authorization: `Basic ${btoa(`a:${TOKEN}`)}` } }, 401],
  "another path": [{ line: "POST /%6dcp HTTP/1.1" }, 404],
  "a session of its own choice": [{ headers: { "Mcp-Session-Id": "11111111-1111-4111-8111-111111111111" } }, 404],
  "a session named like a prototype": [{ headers: { "Mcp-Session-Id": "__proto__" } }, 404],
  "a length that nobody waits for": [{ headers: { "Content-Length": "1000000000000" }, body: "{" }, 413],
  "a long body": [{ body: `{"a":"${"x".repeat(20_000)}"}` }, 413],
  "two lengths": [{ headers: { "Transfer-Encoding": "chunked" }, body: "0\r\n\r\n" }, 400],
  "a text": [{ headers: { "Content-Type": "text/plain" } }, 415],
  "no JSON": [{ body: "{" }, 400],
  "many requests in one": [{ body: `[${INITIALIZE},${INITIALIZE}]` }, 400],
};

describe("a server over HTTP", () => {
  test.each(Object.entries(LET_IN))("lets in %s", async (_, written) => {
    expect(statusOf(await send(await listen(), written))).toBe(200);
  });

  test.each(Object.entries(REFUSED))("refuses %s", async (_, [written, status]) => {
    const port = await listen();
    const answer = await send(port, written);
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toMatch(/^mcp-session-id:/im);
    expect(statusOf(await send(port, {}))).toBe(200);
  });
});
