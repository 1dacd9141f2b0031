/** The outcome of a damaged call. */
export type Mended = "mended" | "refused" | "ran with other values" | "never reaches it";

/** The results of a system on damaged calls. */
export interface RepairReport {
  /** The outcome of each damage, in their order. */
  readonly mended: readonly Mended[];
  /** The text that answers a call with three wrong fields. */
  readonly error: {
    /** Length in characters. */
    readonly length: number;
    /** How many of the wrong fields it names. */
    readonly named: number;
  };
}
