import { withTimeout } from "@dispatch/tools-interface/internal";
import type { UnitVector } from "../database/candidate.ts";

/** Turns texts into vectors whose cosine is the similarity of the texts. */
export interface Embedder {
  /** Names the model, its version and its settings. Vectors of different ids are never compared. 1 to 200 characters. */
  readonly id: string;
  /** Number of dimensions of the vectors, 1 to 2,000. */
  readonly dimensions: number;
  /**
   * Makes one vector for each text, in order.
   *
   * @param options.signal aborts when the result is no longer needed.
   * @returns rejects on failure. The texts are embedded again later; searches use words until then.
   */
  readonly embed: (
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly ArrayLike<number>[]>;
  /** Weight of the vectors against the words in a search, 0 to 1. Default 0.5. */
  readonly weight?: number | undefined;
  /** Lowest cosine of related texts, -1 to 1. A lower cosine alone is not a hit. Default 0. */
  readonly floor?: number | undefined;
  /** Maximum number of texts in one call. Default 64. */
  readonly batch?: number | undefined;
}

/**
 * Scales a vector to length 1. Four digits after the point: the error is far too small to affect a ranking. A vector of
 * zeros becomes a unit vector.
 *
 * @throws Error when the vector has another length or a value that is not a finite number.
 */
export function toUnitVector(vector: ArrayLike<number>, dimensions: number): UnitVector {
  if (vector.length !== dimensions) {
    throw new Error(`Cannot use a vector: it has ${vector.length} numbers, allowed are ${dimensions}`);
  }
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (vector[at] ?? 0) ** 2;
  if (!Number.isFinite(sum))
    throw new Error("Cannot use a vector: it has a value that is not finite, allowed are finite numbers");
  const length = Math.sqrt(sum);
  if (length === 0) return Int16Array.from({ length: dimensions }, (_, at) => (at === 0 ? 10_000 : 0));
  return Int16Array.from({ length: dimensions }, (_, at) => Math.round(((vector[at] ?? 0) / length) * 10_000));
}

/** The vectors of some texts. Rejects after `timeoutMs` or when `stopped` aborts, whether or not the embedder heeds its signal. */
export function embedWithin(
  embedder: Embedder,
  texts: readonly string[],
  timeoutMs: number,
  stopped?: AbortSignal,
): Promise<readonly ArrayLike<number>[]> {
  const ended = AbortSignal.timeout(timeoutMs);
  const signal = stopped === undefined ? ended : AbortSignal.any([stopped, ended]);
  return withTimeout(embedder.embed(texts, { signal }), { timeoutMs, signal }, () =>
    Promise.reject(new Error(`Cannot wait any longer: no vectors after ${timeoutMs} ms`)),
  );
}
