import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message of the client. */
interface ClientMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

/** One request of the client, and the way to answer it. */
export interface Asked {
  readonly message: ClientMessage;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers with JSON. */
  readonly json: (body: unknown) => void;
  /** Answers with a stream of these messages, a text being sent as it is, and ends it. */
  readonly stream: (...events: readonly unknown[]) => void;
  /** The answer that a result is. */
  readonly result: (result: unknown) => object;
}

/** Answers a request: the return value is the result, unless it has answered by itself. */
export type Answer = (asked: Asked) => unknown;

/** A server's behaviour. Absent parts are correct: it offers `good`, which answers `ok`. */
export interface HostileScript {
  readonly initialize?: Answer;
  readonly listTools?: Answer;
  readonly callTool?: Answer;
  /** Any message, before the others: `true` when it has answered. */
  readonly any?: (asked: Asked) => boolean;
}

/** The tool that every server offers beside the faulty ones. */
export const GOOD = { name: "good", description: "Answers ok.", inputSchema: { type: "object", properties: {} } };
/** Answered where the script has answered by itself. */
export const ANSWERED = Symbol("answered");

const WELL: Required<Pick<HostileScript, "initialize" | "listTools" | "callTool">> = {
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "hostile", version: "1" },
  }),
  listTools: () => ({ tools: [GOOD] }),
  callTool: () => ({ content: [{ type: "text", text: "ok" }] }),
};

/** A server that follows a script, on the loopback interface. */
export interface HostileServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server. */
export async function startHostileServer(script: HostileScript): Promise<HostileServer> {
  const server = createServer((request, response) => {
    response.on("error", () => {});
    void serve(script, request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(script: HostileScript, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const message = (text === "" ? {} : JSON.parse(text)) as ClientMessage;
  const result = (value: unknown): object => ({ jsonrpc: "2.0", id: message.id, result: value });
  const asked: Asked = {
    message,
    request,
    response,
    result,
    json(body) {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    },
    stream(...events) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const event of events) {
        response.write(typeof event === "string" ? event : `event: message\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    },
  };
  if (script.any?.(asked) === true) return;
  if (request.method !== "POST") return void response.writeHead(405).end();
  if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
  const answer = answerTo(script, message.method);
  if (answer === undefined) {
    return asked.json({ jsonrpc: "2.0", id: message.id, error: { code: -32_601, message: "Method not found" } });
  }
  const value = await answer(asked);
  if (value !== ANSWERED) asked.json(result(value));
}

function answerTo(script: HostileScript, method: string): Answer | undefined {
  if (method === "initialize") return script.initialize ?? WELL.initialize;
  if (method === "tools/list") return script.listTools ?? WELL.listTools;
  if (method === "tools/call") return script.callTool ?? WELL.callTool;
  return method === "ping" ? () => ({}) : undefined;
}
