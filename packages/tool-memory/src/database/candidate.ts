import type { Source, Tier } from "../block/memory-block.ts";

/** How many candidates a search looks at. */
export interface Breadth {
  /**
   * Maximum number of passages read for a word, oldest first. The number of passages with a more frequent word is estimated
   * from the range that these cover. Without a limit, a search of 100,000 passages would spend 200 ms on frequent words,
   * which hardly affect the ranking.
   */
  readonly matches: number;
  /** Number of candidates by words: of more matches, the passages with the rarest query words are kept. */
  readonly lexical: number;
  /** Number of best candidates of each kind whose neighbours become candidates too. */
  readonly leaders: number;
  /** Number of first passages of a candidate's block that are candidates too, so that the block is scored as a whole. */
  readonly blockPassages: number;
  /** Maximum number of words that are read to find those that a misspelt one may be; 0 to take every word as it is. */
  readonly vocabulary: number;
}

/** A search that a person or an agent asks for. */
export const FULL: Breadth = Object.freeze({
  matches: 1_000,
  lexical: 80,
  leaders: 10,
  blockPassages: 12,
  vocabulary: 20_000,
});

/** A search for the few blocks that share the most words with a text, at a quarter of the cost. */
export const BRIEF: Breadth = Object.freeze({ matches: 200, lexical: 12, leaders: 0, blockPassages: 1, vocabulary: 0 });

/** Weight of a word that a misspelt one is taken for. */
export const GUESSED = 0.6;

/** Number of candidates by vectors. */
export const DENSE_CANDIDATES = 40;

/** Maximum distance of a neighbour. */
export const NEIGHBOUR_DISTANCE = 3;

/** A search for candidates. */
export interface CandidateSearch {
  /** Trimmed and not empty. Any word of it may match. */
  readonly query: string;
  /** The query as the key of a label, empty when it is not a label. */
  readonly key: string;
  /** The blocks that it may find. */
  readonly filter: BlockFilter;
  /** Also find superseded blocks. */
  readonly superseded: boolean;
  /** The query's vector; `undefined` to search by words only. */
  readonly vector: SearchedVector | undefined;
  readonly limit: number;
  readonly breadth: Breadth;
}

/** A vector of length 1, each number as 10,000 times its value. */
export type UnitVector = Int16Array;

/** The vector of a query in the embedding space that is searched. */
export interface SearchedVector {
  readonly space: number;
  readonly unit: UnitVector;
  /** Lowest cosine of a hit by vector only. */
  readonly floor: number;
  /** Weight of the vectors, 0 to 1. */
  readonly weight: number;
}

/**
 * A passage that a search ranks: one of the best by words or by vectors, a neighbour of one of these, or one of the first of
 * their blocks. If no word of the query matches any passage, texts that contain the query literally are candidates; if there
 * are none, words that the query's may be misspellings of. These are looked for, too, where other words of the query match.
 */
export interface Candidate {
  readonly id: number;
  readonly blockId: string;
  readonly ordinal: number;
  /** Where it begins in the block's text. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** The block's sequence, `null` for none. */
  readonly series: string | null;
  readonly place: number;
  readonly length: number;
  /** Its search terms with a space between, in any order. */
  readonly words: string;
  /** Cosine with the query's vector, `null` when one of the two has none. */
  readonly cosine: number | null;
  /** Whether it contains the query literally and no word matches anything. */
  readonly isLiteral: boolean;
  /** Whether it is a candidate by itself, not only as a neighbour or as a part of a block. */
  readonly isMatched: boolean;
  /** Whether the query is its block's label. */
  readonly isNamed: boolean;
}

/** The candidates of a search, in no order, with the numbers that the ranking needs of the whole memory. */
export interface Candidates {
  /** The query's terms that are in some passage, each with its inverse document frequency. */
  readonly terms: ReadonlyMap<string, number>;
  readonly passageLength: number;
  readonly blockLength: number;
  readonly passages: readonly Candidate[];
}

/**
 * A subquery: the `block_id` of each block of an owner (`$1`) that a search leaves out, because another block supersedes it. A
 * supersession has no effect while the later block is less trusted than the earlier one, however that came about.
 *
 * @param condition narrows the subquery, by `gone.block_id`.
 */
export function hiddenBlocks(condition = "true"): string {
  return `SELECT gone.block_id FROM dispatch_memory.supersession AS gone
    JOIN dispatch_memory.block AS later ON later.owner = $1 AND later.id = gone.by_id
    JOIN dispatch_memory.block AS earlier ON earlier.owner = $1 AND earlier.id = gone.block_id
    WHERE gone.owner = $1 AND ${condition}
      AND (later.trust = 'high' OR earlier.trust = 'low' OR later.trust = earlier.trust)`;
}

/** The blocks that a search may find. */
export interface BlockFilter {
  /** Only of this tier. */
  readonly tier?: Tier | undefined;
  /** Only changed at this time or later: ISO 8601, UTC, with milliseconds. */
  readonly since?: string | undefined;
  /** Only changed before this time. */
  readonly before?: string | undefined;
  /** Only with keys that begin so. */
  readonly prefix?: string | undefined;
  /** Only from this source. */
  readonly source?: Source | undefined;
}

const CONDITIONS: { readonly [Name in keyof BlockFilter]-?: (value: string, time: string) => string } = {
  tier: (value) => `block.tier = ${value}`,
  since: (_, time) => `block.updated_at >= ${time}`,
  before: (_, time) => `block.updated_at < ${time}`,
  prefix: (value) => `substr(block.key, 1, length(${value})) = ${value}`,
  source: (value) => `block.source = ${value}`,
};

/**
 * The conditions on the table `block`, joined by AND; empty for none.
 *
 * @param json the placeholder of the filter as JSON, of a type that has `->>`.
 * @param timeType the cast of a text to the type of the time columns.
 */
export function toFilterConditions(filter: BlockFilter, json: string, timeType = ""): string {
  const names = (Object.keys(CONDITIONS) as (keyof BlockFilter)[]).filter((name) => filter[name] !== undefined);
  return names
    .map((name) => {
      const value = `(${json} ->> '${name}')`;
      return CONDITIONS[name](value, `${value}${timeType}`);
    })
    .join(" AND ");
}
