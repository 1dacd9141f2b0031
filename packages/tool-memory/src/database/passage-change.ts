/** The rewriting of a block's passages, from the first changed one on. */
export interface PassageChange {
  /** The owner. */
  readonly owner: string;
  /** The id of the block. */
  readonly blockId: string;
  /** The label of the block. Each passage is also found by its words. */
  readonly label: string;
  /** The sequence of the block, `null` for none. */
  readonly series: string | null;
  /** Whether the block had passages before. */
  readonly isRewritten: boolean;
  /** Whether the block keeps its place in its sequence. */
  readonly keepsPlace: boolean;
  /** The ordinal of the first changed passage. */
  readonly from: number;
  /** The passages from there on. */
  readonly pieces: readonly {
    readonly ordinal: number;
    readonly start: number;
    readonly end: number;
    readonly body: string;
  }[];
}
