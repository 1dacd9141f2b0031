/** Values for the host alone. Never shown to a model, and opaque to this package but for `stopLoop`. */
export type Metadata = {
  /** True: the loop ends after this turn, see `shouldStop` and `runTools`. */
  readonly stopLoop?: boolean | undefined;
  /** Anything else. */
  readonly [key: string]: unknown;
};
