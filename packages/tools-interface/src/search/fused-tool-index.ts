import type { ToolDefinition } from "../call/tool.ts";
import { withTimeout } from "../wait/with-timeout.ts";
import { createToolIndexInSlices, type FoundTool, type ToolIndex } from "./tool-index.ts";

/**
 * Turns texts into vectors of one length, one a text in the same order, such as an embedding model does. `signal` aborts when
 * the search is cancelled.
 */
export type ToolEmbedder = (
  texts: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<readonly (readonly number[])[]>;

/** Finds tools by their words and by an embedder together. */
export interface FusedToolIndex {
  /**
   * The tools that fit, best first. Where the embedder fails, or answers something else than a vector a text, the words
   * alone decide, and where it takes too long. Rejects never.
   *
   * @param query A request, as `ToolIndex.search` takes it.
   */
  search(
    query: string,
    options?: { readonly limit?: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly FoundTool[]>;
}

/** How little the first places differ from those after them: `k` of reciprocal rank fusion (Cormack and others, 2009). */
const RANK_SHIFT = 60;
/** How many tools of either ranking are fused. */
const FUSED = 50;
/** Texts that are embedded at a time. */
const BATCH = 256;
/** Of a tool's description, for the embedder. */
const MAX_CHARS = 1_000;

const NONE: readonly string[] = Object.freeze([]);

/**
 * Makes an index that fuses the ranking of `createToolIndex` with one by the cosine of vectors. Tools are embedded once.
 *
 * @param options `timeoutMs`: how long a search waits for the embedder, in milliseconds. Default 10,000.
 */
export function createFusedToolIndex(
  tools: readonly ToolDefinition[],
  embed: ToolEmbedder,
  { timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {},
): FusedToolIndex {
  let words: Promise<ToolIndex> | undefined;
  let vectors: Promise<readonly Vector[]> | undefined;
  const embedTools = async (): Promise<readonly Vector[]> => {
    const found: Vector[] = [];
    for (let at = 0; at < tools.length; at += BATCH) {
      const batch = tools.slice(at, at + BATCH).map(toEmbeddedText);
      found.push(...(await embedAll(embed, batch, undefined)).map(toUnitVector));
    }
    return found;
  };

  const rankByMeaning = async (query: string, signal: AbortSignal | undefined): Promise<readonly string[]> => {
    // Goes on where a search does not wait for it, and begins anew after a failure.
    vectors ??= embedTools().catch((error: unknown) => {
      vectors = undefined;
      throw error;
    });
    const [own, [asked = []]] = await Promise.all([vectors, embedAll(embed, [query], signal)]);
    return nearest(own, toUnitVector(asked)).map((at) => tools[at]!.name);
  };

  return {
    async search(query, { limit = 5, signal } = {}) {
      words ??= createToolIndexInSlices(tools);
      const byWords = (await words).search(query, { limit: FUSED }).map(({ name }) => name);
      const byMeaning = await withTimeout(rankByMeaning(query, signal), { timeoutMs, signal }, () => NONE).catch(
        () => NONE,
      );
      const scores = new Map<string, number>();
      for (const ranking of [byWords, byMeaning])
        for (const [rank, name] of ranking.entries())
          scores.set(name, (scores.get(name) ?? 0) + 1 / (RANK_SHIFT + rank + 1));
      return [...scores]
        .map(([name, score]) => ({ name, score }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit);
    },
  };
}

async function embedAll(
  embed: ToolEmbedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly (readonly number[])[]> {
  const vectors = await embed(texts, { signal });
  const isWhole =
    Array.isArray(vectors) &&
    vectors.length === texts.length &&
    vectors.every((vector) => Array.isArray(vector) && vector.every(Number.isFinite));
  if (!isWhole) throw new TypeError("Cannot embed: allowed is one list of numbers a text");
  return vectors;
}

/** The text of a tool for an embedder. */
function toEmbeddedText({ name, description }: ToolDefinition): string {
  return `${name.replaceAll(/[^A-Za-z0-9]+/g, " ")}: ${description}`.slice(0, MAX_CHARS);
}

/** A vector of length 1, or of zeros. */
type Vector = Float32Array;

function toUnitVector(values: readonly number[]): Vector {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(values, (value) => value / length);
}

/** The places of the vectors nearest to another, nearest first. */
function nearest(vectors: readonly Vector[], to: Vector): readonly number[] {
  return vectors
    .map((vector, at) => [at, cosineOf(vector, to)] as const)
    .filter(([, cosine]) => cosine > 0)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, FUSED)
    .map(([at]) => at);
}

function cosineOf(one: Vector, other: Vector): number {
  let sum = 0;
  const size = Math.min(one.length, other.length);
  for (let axis = 0; axis < size; axis += 1) sum += one[axis]! * other[axis]!;
  return sum;
}
