import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError } from "../text/memory-error.ts";
import type { Embedder } from "./embedder.ts";

/** How a server with OpenAI's API is asked for vectors. */
export interface OpenAiEmbedderOptions {
  /** The API's base, such as `http://localhost:11434/v1`; `/embeddings` is added. `https:` or `http:`. */
  readonly url: string;
  /** The model, as the server names it. */
  readonly model: string;
  /** How many numbers its vectors have, 1 to 2,000. */
  readonly dimensions: number;
  /** Sent as a bearer token. Default none. */
  readonly apiKey?: string | undefined;
  /** Ask the server for this many dimensions, which some models can. Default false: what the model has. */
  readonly askDimensions?: boolean | undefined;
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Weight of the vectors against the words, 0 to 1. Default 0.6. */
  readonly weight?: number | undefined;
  /** Least cosine of texts that have anything in common, as it is with this model. Default 0. */
  readonly floor?: number | undefined;
  /** Most texts in one request. Default 64. */
  readonly batch?: number | undefined;
  /** Most milliseconds for one request. Default 30,000. */
  readonly timeout?: number | undefined;
  /** How often a request is sent again after 429, 5xx, a timeout or a broken connection. Default 3. */
  readonly retries?: number | undefined;
  /** Longest text that is sent, in characters; the rest is left out. Default 8,000. */
  readonly textCharacters?: number | undefined;
}

/** Milliseconds before the first repetition, doubled with each. */
const FIRST_PAUSE = 500;
/** Milliseconds: a server that asks for a longer pause is asked again another time. */
const LONGEST_PAUSE = 20_000;
/** Most bytes of an answer for each number it is to hold, and for the rest of it. */
const BYTES_A_NUMBER = 32;
const BYTES_BESIDE = 65_536;

/**
 * Vectors by a server with OpenAI's embeddings API: OpenAI, Azure, Ollama, vLLM, llama.cpp and many more. What is remembered
 * is sent there.
 *
 * @throws MemoryError `memory_options` when the URL cannot be used. `embed` rejects with `memory_embedder`; its messages
 * name the status, never the key or what was sent.
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { url, model, dimensions, weight = 0.6, floor = 0, batch = 64, retries = 3, textCharacters = 8_000 } = options;
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
        const input = texts.slice(at, at + batch).map((text) => cut(text, textCharacters));
        vectors.push(...(await request(endpoint, options, input, retries, signal)));
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

/** No server takes an empty text. */
function cut(text: string, most: number): string {
  const short = text.length > most ? text.slice(0, most).toWellFormed() : text;
  return short.trim() === "" ? "." : short;
}

async function request(
  endpoint: URL,
  options: OpenAiEmbedderOptions,
  input: readonly string[],
  retries: number,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  for (let attempt = 0; ; attempt++) {
    const answer = await send(endpoint, options, input, signal);
    if ("vectors" in answer) return answer.vectors;
    const pause = answer.pause ?? FIRST_PAUSE * 2 ** attempt;
    if (!answer.again || attempt >= retries || pause > LONGEST_PAUSE || signal.aborted) {
      throw new MemoryError(`Cannot embed: the server ${answer.problem}`, "memory_embedder");
    }
    // Ended early, the next round finds the signal aborted.
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}

type Answer =
  | { readonly vectors: readonly (readonly number[])[] }
  | { readonly problem: string; readonly again: boolean; readonly pause?: number | undefined };

async function send(
  endpoint: URL,
  options: OpenAiEmbedderOptions,
  input: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  const { model, dimensions, apiKey, askDimensions = false, headers, timeout = 30_000 } = options;
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      body: JSON.stringify({ model, input, encoding_format: "float", ...(askDimensions && { dimensions }) }),
      // A redirect would take the key along to another host.
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const again = response.status === 429 || response.status >= 500;
      return {
        problem: `answered with status ${response.status}`,
        again,
        pause: toPause(response.headers.get("retry-after")),
      };
    }
    const text = await readText(response, input.length * dimensions * BYTES_A_NUMBER + BYTES_BESIDE);
    if (text === undefined) return { problem: "answered with more than the vectors asked for", again: false };
    return toVectors(text, input.length, dimensions);
  } catch {
    return { problem: signal.aborted ? "was not waited for any longer" : "did not answer", again: true };
  }
}

/** Seconds or a date, in milliseconds from now. */
function toPause(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}

async function readText(response: Response, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toVectors(text: string, count: number, dimensions: number): Answer {
  const wrong = (problem: string): Answer => ({ problem, again: false });
  let data: unknown;
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data;
  } catch {
    return wrong("answered with what is no JSON");
  }
  if (!Array.isArray(data) || data.length !== count) return wrong(`did not answer with ${count} vectors`);
  const vectors: (readonly number[])[] = [];
  for (const [at, item] of (data as readonly { index?: unknown; embedding?: unknown }[]).entries()) {
    const index = typeof item?.index === "number" ? item.index : at;
    const embedding: unknown = item?.embedding;
    if (!Array.isArray(embedding) || embedding.length !== dimensions || !embedding.every(Number.isFinite)) {
      return wrong(`answered with a vector that is not ${dimensions} numbers`);
    }
    vectors[index] = embedding as readonly number[];
  }
  if (vectors.length !== count || Object.keys(vectors).length !== count)
    return wrong("answered with vectors out of order");
  return { vectors };
}
