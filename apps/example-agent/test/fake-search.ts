import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A search service on this machine. */
export interface FakeSearch {
  readonly url: string;
  /** The requests so far. */
  readonly asked: readonly { readonly url: URL; readonly headers: NodeJS.Dict<string | string[]> }[];
  close(): Promise<void>;
}

/** The service's handler of a request. */
export type SearchReply = (response: ServerResponse) => void;

/** Starts a service that answers each request by the next reply, the last one for ever. */
export async function startFakeSearch(...replies: readonly SearchReply[]): Promise<FakeSearch> {
  const asked: FakeSearch["asked"][number][] = [];
  const server = createServer((request, response) => {
    asked.push({ url: new URL(request.url ?? "", "http://search.test"), headers: request.headers });
    (replies[asked.length - 1] ?? replies.at(-1))?.(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An answer in JSON. */
export function json(body: unknown): SearchReply {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
}

/** Pages as SearXNG answers with them. */
export function searxngPages(...pages: readonly (readonly [title: string, url: string, content: string])[]) {
  const results = pages.map(([title, url, content]) => ({ title, url, content, engine: "fake", score: 1 }));
  return json({ query: "q", number_of_results: 0, results, answers: [], suggestions: [] });
}

/** Pages as Brave answers with them. */
export function bravePages(...pages: readonly (readonly [title: string, url: string, description: string])[]) {
  const results = pages.map(([title, url, description]) => ({ type: "search_result", title, url, description }));
  return json({ type: "search", query: { original: "q" }, web: { type: "search", results } });
}

/** No answer but a status. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): SearchReply {
  return (response) => void response.writeHead(code, headers).end("the server's own words");
}
