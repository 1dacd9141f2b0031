import { setTimeout as sleep } from "node:timers/promises";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { z } from "zod";
import { MemoryError } from "../text/memory-error.ts";
import { truncateText } from "../text/truncate-text.ts";
import type { Embedder } from "./embedder.ts";

/** Options of {@link openAiEmbedder}. */
export interface OpenAiEmbedderOptions {
  /** The base URL of the API, such as `http://localhost:11434/v1`; `/embeddings` is added. `https:` or `http:`. */
  readonly url: string;
  /** The server's name of the model. */
  readonly model: string;
  /** Number of dimensions of the model's vectors, 1 to 2,000. */
  readonly dimensions: number;
  /** Sent as a bearer token. Default none. */
  readonly apiKey?: string | undefined;
  /** Request `dimensions` from the server, which some models support. Default false: the model's own number. */
  readonly askDimensions?: boolean | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Weight of the vectors against the words, 0 to 1. Default 0.6. */
  readonly weight?: number | undefined;
  /** Lowest cosine of related texts with this model. Default 0. */
  readonly floor?: number | undefined;
  /** Maximum number of texts in a request. Default 64. */
  readonly batch?: number | undefined;
  /** Maximum time of a request, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries after status 429 or 5xx, a timeout or a broken connection. Default 3. */
  readonly retries?: number | undefined;
  /** Maximum length of a text; the rest is cut off. Default 8,000 characters. */
  readonly textChars?: number | undefined;
}

/** Delay before the first retry, doubled for each further one. */
const FIRST_RETRY_DELAY_MS = 500;
/** A server that asks for a longer delay is not retried: the background embedding comes back later. */
const MAX_RETRY_DELAY_MS = 20_000;
/** Maximum size of a response: so many bytes for each requested number, and for the rest of it. */
const BYTES_PER_NUMBER = 32;
const BYTES_BESIDE = 65_536;

const responseSchema = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
});

/** A request failed. The message completes "the server …". */
class RequestError extends Error {
  /** Milliseconds before a retry: as the server asks, `undefined` for the usual delay, `null` when a retry is useless. */
  readonly retryDelay: number | undefined | null;
  constructor(message: string, retryDelay: number | undefined | null) {
    super(message);
    this.retryDelay = retryDelay;
  }
}

/**
 * Makes vectors with a server that has OpenAI's embeddings API: OpenAI, Azure, Ollama, vLLM, llama.cpp and many more. Sends
 * the stored texts to that server.
 *
 * @throws MemoryError `memory_options` when the URL is invalid. `embed` rejects with `memory_embedder`; its messages name the
 * status, never the key or a text.
 *
 * @example
 * ```ts
 * const embedder = openAiEmbedder({ url: "http://localhost:11434/v1", model: "nomic-embed-text", dimensions: 768 });
 * const memory = await openMemory("./memory", { embedder });
 * ```
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  checkOptions("create an embedder", options, {
    url: true,
    model: true,
    dimensions: true,
    apiKey: true,
    askDimensions: true,
    headers: true,
    weight: true,
    floor: true,
    batch: true,
    timeoutMs: true,
    retries: true,
    textChars: true,
  });
  const { url, model, dimensions, weight = 0.6, floor = 0, batch = 64, textChars = 8_000 } = options;
  const endpoint = toEndpoint(url);
  return Object.freeze({
    id: `openai ${endpoint.host}${endpoint.pathname} ${model}`.slice(0, 200),
    dimensions,
    weight,
    floor,
    batch,
    async embed(texts: readonly string[], { signal }: { readonly signal: AbortSignal }) {
      const vectors: (readonly number[])[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        const input = texts.slice(at, at + batch).map((text) => toInput(text, textChars));
        vectors.push(...(await requestWithRetries(endpoint, options, input, signal)));
      }
      return vectors;
    },
  });
}

function toEndpoint(url: string): URL {
  const endpoint = URL.canParse(url) ? new URL(url) : undefined;
  if (endpoint === undefined || !["http:", "https:"].includes(endpoint.protocol)) {
    throw new MemoryError(
      "Cannot use the embedder: its url is no web address, allowed are http: and https:",
      "memory_options",
    );
  }
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, "")}/embeddings`;
  return endpoint;
}

/** Servers reject an empty text. */
function toInput(text: string, maxChars: number): string {
  const input = truncateText(text, maxChars);
  return input.trim() === "" ? "." : input;
}

async function requestWithRetries(
  endpoint: URL,
  options: OpenAiEmbedderOptions,
  input: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request(endpoint, options, input, signal);
    } catch (cause) {
      const { message, retryDelay } =
        cause instanceof RequestError
          ? cause
          : new RequestError(signal.aborted ? "was not waited for any longer" : "did not answer", undefined);
      const delay = retryDelay === undefined ? FIRST_RETRY_DELAY_MS * 2 ** attempt : retryDelay;
      if (delay === null || delay > MAX_RETRY_DELAY_MS || attempt >= (options.retries ?? 3) || signal.aborted) {
        throw new MemoryError(`Cannot embed: the server ${message}`, "memory_embedder");
      }
      // An abort ends the delay early; the next request then fails at once.
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function request(
  endpoint: URL,
  { model, dimensions, apiKey, askDimensions = false, headers, timeoutMs = 30_000 }: OpenAiEmbedderOptions,
  input: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: JSON.stringify({ model, input, encoding_format: "float", ...(askDimensions && { dimensions }) }),
    // A redirect would send the key to another host.
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    const isTemporary = response.status === 429 || response.status >= 500;
    const retryDelay = isTemporary ? toDelay(response.headers.get("retry-after")) : null;
    throw new RequestError(`answered with status ${response.status}`, retryDelay);
  }
  const text = await readText(response, input.length * dimensions * BYTES_PER_NUMBER + BYTES_BESIDE);
  return toVectors(text, input.length, dimensions);
}

/** The milliseconds of a `Retry-After` header, which holds seconds or a date. */
function toDelay(header: string | null): number | undefined {
  if (header === null) return undefined;
  const delay = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(delay) ? Math.max(delay, 0) : undefined;
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new RequestError("answered with more than the vectors asked for", null);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toVectors(text: string, count: number, dimensions: number): readonly (readonly number[])[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new RequestError("answered with invalid JSON", null);
  }
  const vectors = new Map(
    responseSchema.safeParse(body).data?.data.map(({ index, embedding }, at) => [index ?? at, embedding]),
  );
  const inOrder = Array.from({ length: count }, (_, at) => vectors.get(at) ?? []);
  if (vectors.size !== count || inOrder.some(({ length }) => length !== dimensions)) {
    throw new RequestError(`did not answer with ${count} vectors of ${dimensions} numbers`, null);
  }
  return inOrder;
}
