import { connect, type Socket } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { serveHttp } from "./serve-http.ts";

const TOKEN = "a-token-for-tests-only";

async function listen(): Promise<number> {
  const createServer = (): Server => new Server({ name: "test", version: "1" }, { capabilities: {} });
  const listener = await serveHttp({ port: 0, token: TOKEN, createServer, onError: () => {} });
  onTestFinished(() => listener.close());
  return Number(new URL(listener.url).port);
}

async function hold(port: number, text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", () => resolve()));
  socket.write(text);
  return socket;
}

/** The status of a request that bears the token, on a connection of its own that stays open. */
async function ask(port: number): Promise<string> {
  const socket = await hold(
    port,
    `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nMcp-Session-Id: none\r\n\r\n`,
  );
  return new Promise((resolve) => {
    socket.once("data", (data) => resolve(String(data).slice(9, 12))).once("close", () => resolve("closed"));
  });
}

describe("limitConnections()", () => {
  test.each([
    ["say nothing", ""],
    ["send half a header", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "],
    ["have no token", "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
  ])("lets a client in beside 300 connections that %s", async (_, text) => {
    const port = await listen();
    for (let at = 0; at < 300; at += 1) await hold(port, text);
    expect(await ask(port)).toBe("404");
  });

  test("keeps the connections of clients, and closes those of strangers", async () => {
    const port = await listen();
    for (let at = 0; at < 100; at += 1) expect(await ask(port)).toBe("404");
    const stranger = await hold(port, "");
    await new Promise<void>((resolve) => stranger.resume().once("close", () => resolve()));
    expect(await ask(port)).toBe("closed");
  });
});
