import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openAiEmbedder, type OpenAiEmbedderOptions } from "./open-ai-embedder.ts";

interface Received {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number };
}

let server: Server;
let url: string;
let received: Received[] = [];
let answer: (response: ServerResponse, request: Received) => void;

const vectorsOf = (input: readonly string[]) => ({
  data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).toReversed(),
});
const ok = (response: ServerResponse, { body }: Received): void =>
  void response.end(JSON.stringify(vectorsOf(body.input)));

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Received["body"];
      const one = { path: request.url, key: request.headers.authorization, body };
      received.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
  answer = ok;
});

const embed = (
  texts: readonly string[],
  options: Partial<OpenAiEmbedderOptions> = {},
  signal = new AbortController().signal,
) => openAiEmbedder({ url, model: "m", dimensions: 3, apiKey: "secret-key", ...options }).embed(texts, { signal });

test("openAiEmbedder() sends texts in batches and gives the vectors in the order of the texts", async () => {
  expect(await embed(["a", "bb", "ccc"], { batch: 2 })).toEqual([
    [1, 1, 0],
    [2, 1, 0],
    [3, 1, 0],
  ]);
  expect(received.map(({ path, key, body }) => [path, key, body.model, body.input])).toEqual([
    ["/v1/embeddings", "Bearer secret-key", "m", ["a", "bb"]],
    ["/v1/embeddings", "Bearer secret-key", "m", ["ccc"]],
  ]);
});

test("openAiEmbedder() cuts long texts, sends none that is empty, and asks for dimensions when told", async () => {
  await embed(["x".repeat(50), " "], { textChars: 10, askDimensions: true });
  expect(received[0]?.body).toMatchObject({ input: ["x".repeat(10), "."], dimensions: 3 });
});

test("openAiEmbedder() sends again after 429, 500 and a broken connection, as late as Retry-After says", async () => {
  const faults: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(429, { "retry-after": "0" }).end(),
    (response) => response.writeHead(503, { "retry-after": new Date(0).toUTCString() }).end(),
    (response) => response.destroy(),
  ];
  answer = (response, request) => {
    const fault = faults.shift();
    if (fault === undefined) ok(response, request);
    else fault(response);
  };
  expect(await embed(["a"])).toEqual([[1, 1, 0]]);
  expect(received).toHaveLength(4);
});

test("openAiEmbedder() gives up after its retries, at once on other refusals, and on long pauses", async () => {
  answer = (response) => response.writeHead(500, { "retry-after": "0" }).end("secret-key in a stack trace");
  const fault = await embed(["private text"], { retries: 1 }).catch((error: unknown) => error);
  expect(fault).toMatchObject({
    code: "memory_embedder",
    message: "Cannot embed: the server answered with status 500",
  });
  expect(received).toHaveLength(2);
  for (const [status, header] of [
    [401, "0"],
    [429, "3600"],
  ] as const) {
    received = [];
    answer = (response) => response.writeHead(status, { "retry-after": header }).end();
    await expect(embed(["a"])).rejects.toMatchObject({ code: "memory_embedder" });
    expect(received).toHaveLength(1);
  }
});

test.each([
  ["no JSON", "<html>"],
  ["null", "null"],
  ["too few vectors", JSON.stringify({ data: [] })],
  ["a vector too short", JSON.stringify({ data: [{ index: 0, embedding: [1] }] })],
  ["what is no number", JSON.stringify({ data: [{ index: 0, embedding: [1, "2", null] }] })],
  ["an index out of range", JSON.stringify({ data: [{ index: 7, embedding: [1, 2, 3] }] })],
  ["a flood", `{"data":[${" ".repeat(200_000)}]}`],
])("openAiEmbedder() rejects an answer with %s", async (_, body) => {
  answer = (response) => response.end(body);
  await expect(embed(["a"])).rejects.toMatchObject({ code: "memory_embedder" });
  expect(received).toHaveLength(1);
});

test("openAiEmbedder() does not follow a redirect, which would take the key along", async () => {
  answer = (response) => response.writeHead(307, { location: url }).end();
  await expect(embed(["a"], { retries: 0 })).rejects.toMatchObject({ code: "memory_embedder" });
  expect(received).toHaveLength(1);
});

test("openAiEmbedder() ends a request that takes too long, and when nobody waits any more", async () => {
  answer = () => undefined;
  await expect(embed(["a"], { timeoutMs: 50, retries: 0 })).rejects.toMatchObject({ code: "memory_embedder" });
  const controller = new AbortController();
  const waiting = embed(["a"], {}, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "memory_embedder" });
});

test.each(["", "file:///etc/passwd", "no url"])("openAiEmbedder() refuses the url %j", (bad) => {
  expect(() => openAiEmbedder({ url: bad, model: "m", dimensions: 3 })).toThrow(
    expect.objectContaining({ code: "memory_options" }),
  );
});
