/** What became of a damaged call. */
export type Mended = "mended" | "refused" | "ran with other values" | "never reaches it";

/** What a system does with damaged calls. */
export interface RepairReport {
  /** What became of each damage, in their order. */
  readonly mended: readonly Mended[];
  /** The text that answers a call with three wrong fields. */
  readonly error: {
    /** Length in characters. */
    readonly length: number;
    /** How many of the wrong fields it names. */
    readonly named: number;
  };
}
