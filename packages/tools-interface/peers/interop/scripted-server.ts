import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A request that a client sent. */
export interface SentRequest {
  /** Path and query. */
  readonly path: string;
  /** The body, parsed. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A provider's HTTP API that answers from a script. */
export interface ScriptedServer {
  /** Where it listens, without a slash at its end. */
  readonly url: string;
  /** The requests it received, in order. */
  readonly requests: readonly SentRequest[];
  /** A list in the body of one of the requests, counted from 0; empty when there is none. */
  listIn(request: number, field: string): readonly object[];
  /** Stops it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server on a free port.
 *
 * @param script - The answer to each request, in order: an object as JSON, a list as an event stream.
 */
export async function startScriptedServer(script: readonly (object | readonly object[])[]): Promise<ScriptedServer> {
  const requests: SentRequest[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const reply = script[requests.length];
      requests.push({ path: request.url ?? "", body: body as SentRequest["body"] });
      if (reply === undefined) return response.writeHead(500).end();
      if (!Array.isArray(reply)) {
        return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
      }
      const events = (reply as readonly { type?: string }[]).map(
        (event) => `${event.type === undefined ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`,
      );
      return response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    listIn: (request, field) => (requests[request]?.body[field] ?? []) as readonly object[],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
