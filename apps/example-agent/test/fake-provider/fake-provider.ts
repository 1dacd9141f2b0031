import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the provider got it. */
interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of three protocols, looked into by tests
  readonly body: any;
}

/** The provider's handler of a request. */
export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>;

/** A provider on this machine. */
export interface FakeProvider {
  readonly url: string;
  /** The requests so far. */
  readonly asked: readonly Asked[];
  /** How many connections were dropped by the client before their answer was whole. */
  readonly dropped: number;
  close(): Promise<void>;
}

/** Starts a server that answers each request by the next reply, and complains when there is none left. */
export async function startFakeProvider(...replies: readonly Reply[]): Promise<FakeProvider> {
  const asked: Asked[] = [];
  let dropped = 0;
  const server = createServer((request, response) => {
    response.on("close", () => (dropped += response.writableFinished ? 0 : 1));
    void (async () => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      const { url: path = "", headers } = request;
      const one: Asked = { path, headers, body: JSON.parse(text) };
      asked.push(one);
      await (replies[asked.length - 1] ?? refuse(400, "the test has no reply left"))(response, one);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get dropped() {
      return dropped;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An error as all three protocols send it. */
export function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ type: "error", error: { type: "an_error", message } }));
  };
}

/** A stream of events, in pieces of so many bytes that respect no boundary, not even of a character. */
export function stream(events: readonly string[], end: "end" | "break" | "hang" = "end", size = 61): Reply {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const bytes = Buffer.from(events.join(""));
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      // A piece of its own on the wire.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (end === "end") response.end();
    if (end === "break") response.destroy();
  };
}
