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
