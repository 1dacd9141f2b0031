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
  /** True when embedding takes microseconds: then a search first embeds the latest writes. Default false. */
  readonly instant?: boolean | undefined;
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

/**
 * Runs `work` for at most `timeoutMs`. After that time the promise rejects and the signal aborts, whether or not `work` heeds
 * the signal.
 *
 * @param options.ref whether the timer keeps the process alive. Default true.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => PromiseLike<Result>,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`Cannot wait any longer: no result after ${timeoutMs} ms`);
      controller.abort(error);
      reject(error);
    }, timeoutMs);
    if (!ref) timer.unref();
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
