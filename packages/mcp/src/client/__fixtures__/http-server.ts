import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request and the body that came with it. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly origin: string;
  readonly body: string;
}

/** What is answered: the result of a method of MCP, or anything. */
export type Answered =
  | { readonly results: Readonly<Record<string, object>>; readonly type?: "application/json" | "text/event-stream" }
  | { readonly status: number; readonly body?: object };

const initialize = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "http", version: "1" },
};

/** A server over HTTP that knows the handshake, and for the rest what the test says. Answers the address of `/mcp`. */
export async function startHttpServer(answer: (asked: Asked) => Answered): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      const answered = answer({ request, body, origin: `http://${request.headers.host}` });
      if ("status" in answered) {
        return void response
          .writeHead(answered.status, { "Content-Type": "application/json" })
          .end(JSON.stringify(answered.body ?? {}));
      }
      const { id, method = "" } = JSON.parse(body || "{}") as { id?: number; method?: string };
      if (id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end();
      const { results, type = "application/json" } = answered;
      const result = { initialize, ...results }[method];
      if (result === undefined) return void response.writeHead(404).end();
      const message = JSON.stringify({ jsonrpc: "2.0", id, result });
      response.writeHead(200, { "Content-Type": type });
      response.end(type === "application/json" ? message : `event: message\ndata: ${message}\n\n`);
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
