import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectMcp } from "./mcp-client.ts";

/** A server that answers a list of tools with so many bytes, and everything else as it should. */
async function startLongServer(bytes: number, type: string): Promise<string> {
  const answer = (response: ServerResponse, id: unknown, result: object): void => {
    const message = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.writeHead(200, { "Content-Type": type });
    response.end(type === "application/json" ? message : `event: message\ndata: ${message}\n\n`);
  };
  const server = createServer((request, response) => {
    void (async () => {
      const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      const { id, method } = JSON.parse(text || "{}") as { id?: number; method?: string };
      const serverInfo = { name: "long", version: "1" };
      if (id === undefined) response.writeHead(request.method === "POST" ? 202 : 405).end();
      else if (method === "initialize")
        answer(response, id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
      else if (method === "tools/list") answer(response, id, { tools: [], _meta: { long: "x".repeat(bytes) } });
      else response.writeHead(404).end();
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test.each(["application/json", "text/event-stream"])(
  "connectMcp() fails a request at once whose answer, as %s, is too long, whatever its time limit",
  async (type) => {
    const url = await startLongServer(100_000, type);
    const source = connectMcp("long", { url }, { maxMessageBytes: 50_000, connectTimeoutMs: 2_000_000_000 });
    onTestFinished(() => source.close());
    await expect(source.tools()).rejects.toMatchObject({
      code: "mcp_failed",
      message: "Cannot list the tools of long: it sent a message of more than 50000 bytes",
    });
    const patient = connectMcp("long", { url }, { maxMessageBytes: 200_000 });
    onTestFinished(() => patient.close());
    expect(await patient.tools()).toEqual([]);
  },
);
