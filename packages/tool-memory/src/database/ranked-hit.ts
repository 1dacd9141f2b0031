import type { MemoryBlock } from "../block/memory-block.ts";

/** A block as a search reads it. */
export type FoundBlock = Omit<MemoryBlock, "supersedes">;

/** A row of {@link foundColumns}. */
export interface FoundRow extends Omit<FoundBlock, "validFrom"> {
  /** `null` for none. */
  readonly validFrom: string | null;
}

/** A block, and the event that last changed it. */
export interface SequencedBlock extends FoundBlock {
  /** `seq` of that event, 0 when it is not known. */
  readonly seq: number;
}

/** The pieces of `Dialect` that {@link selectSequenced} needs. */
interface Pieces {
  readonly iso: (column: string) => string;
  readonly intact: (table: "block", column: string) => string;
  readonly list: (placeholder: string, type: "text") => string;
}

/** The statement that reads blocks as {@link SequencedBlock}s, from the owner and a JSON array of ids. */
export function selectSequenced(pieces: Pieces): string {
  return `SELECT ${foundColumns(pieces)}, CAST(coalesce((SELECT max(event.seq) FROM dispatch_memory.event
      WHERE event.owner = $1 AND event.block_id = block.id), 0) AS double precision) AS seq
    FROM dispatch_memory.block WHERE block.owner = $1 AND block.id IN ${pieces.list("$2", "text")}`;
}

/** The block of a row, which may have other columns. */
export function toFoundBlock({ validFrom, ...row }: FoundRow): FoundBlock {
  const { id, label, tier, permission, source, trust, content, version, createdAt, updatedAt } = row;
  const block = { id, label, tier, permission, source, trust, content, version, createdAt, updatedAt };
  return validFrom === null ? block : { ...block, validFrom };
}

/** The block of a row of {@link selectSequenced}. */
export function toSequencedBlock(row: FoundRow & { readonly seq: number }): SequencedBlock {
  return { ...toFoundBlock(row), seq: row.seq };
}

/**
 * The columns of a {@link FoundRow}, of the table named `block`.
 *
 * @param pieces those of the dialect.
 */
export function foundColumns({ iso, intact }: Omit<Pieces, "list">): string {
  return `block.id, block.label, block.tier, block.permission, block.source, block.trust, ${intact("block", "content")} AS content, block.version,
    block.valid_from AS "validFrom",
    ${iso("block.created_at")} AS "createdAt", ${iso("block.updated_at")} AS "updatedAt"`;
}

/** A block with its place among the hits of a search. */
export interface RankedHit {
  readonly block: FoundBlock;
  /** The score, 0 to 1, of four digits. */
  readonly score: number;
  readonly lexical: number;
  /** Cosine of its most similar passage, `null` for none. */
  readonly cosine: number | null;
  /** The part of the score that comes from neighbours. */
  readonly bonus: number;
  /** The passages that were ranked, best first: where each begins and ends. */
  readonly passages: readonly (readonly [start: number, end: number])[];
  /** Other blocks that state the same and were left out. */
  readonly similar?: SameStatement;
}

/** Blocks that state the same as another, which is shown for them. */
interface SameStatement {
  readonly count: number;
  /** The labels of the best ten. */
  readonly labels: readonly string[];
}
