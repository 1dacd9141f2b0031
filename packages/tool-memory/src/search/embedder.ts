/** Turns texts into vectors whose cosine says how alike the texts are. */
export interface Embedder {
  /** Names what makes the vectors: model, version, settings. Vectors of different ids are never compared. 1 to 200 characters. */
  readonly id: string;
  /** How many numbers a vector has, 1 to 2,000. */
  readonly dimensions: number;
  /**
   * The vectors, one for each text, in order.
   *
   * @param options.signal aborts when nobody waits any more.
   * @returns rejects when it cannot be done; it is tried again later, and meanwhile search goes by words.
   */
  readonly embed: (
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly ArrayLike<number>[]>;
  /** True when embedding costs no more than computing: a search then embeds first what was written since. Default false. */
  readonly instant?: boolean | undefined;
  /** Weight of the vectors against the words in a search, 0 to 1. Default 0.5. */
  readonly weight?: number | undefined;
  /** Least cosine of texts that have anything in common, -1 to 1. Below it no hit is by vectors alone. Default 0. */
  readonly floor?: number | undefined;
  /** Most texts in one call. Default 64. */
  readonly batch?: number | undefined;
}
