/** A block's terms and its score by the query's. */
export interface CountedBlock {
  /** The codes of the terms of its passages, as often as they occur. */
  readonly codes: readonly number[];
  /** Number of its terms. */
  readonly length: number;
  /** The score by words. */
  readonly words: number;
}

/** Terms with their weights, and how often each is in a block. */
export interface RelatedTerms {
  /** The weights. */
  readonly weights: readonly number[];
  /** How often each of the terms is in the block at a place of the list, in the order of the weights. */
  countsOf(block: number): ArrayLike<number>;
}

/** Number of best blocks whose terms are looked at. */
const BLOCKS = 10;

/** Number of terms that are taken. */
const TERMS = 20;

/**
 * Terms that the best blocks of a search share and the others lack, with their weights (pseudo-relevance feedback: Lavrenko
 * and Croft, "Relevance-Based Language Models", 2001). Frequencies are those among the candidates, so that nothing more is
 * read; a term of one block alone says nothing of others. `undefined` when there are none.
 */
export function toRelatedTerms(
  blocks: readonly CountedBlock[],
  asked: ReadonlyMap<number, unknown>,
): RelatedTerms | undefined {
  const best = blocks
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
    .slice(0, BLOCKS);
  if (asked.size === 0 || best.length < 2) return undefined;
  const places = new Map<number, number>();
  for (const code of best.flatMap(({ codes }) => codes))
    if (!asked.has(code) && !places.has(code)) places.set(code, places.size);
  const found = blocks.map(({ codes }) => toPlaces(codes, places));
  const idfs = toIdfs(found, places.size);
  const likely = new Float64Array(places.size);
  const total = best.reduce((sum, { words }) => sum + words, 0);
  for (const { codes, length, words } of best) {
    for (const place of toPlaces(codes, places))
      likely[place] = (likely[place] ?? 0) + ((words / total) * (idfs[place] ?? 0)) / length;
  }
  const taken = [...likely.keys()]
    .filter((place) => (likely[place] ?? 0) > 0)
    .toSorted((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0))
    .slice(0, TERMS);
  if (taken.length === 0) return undefined;
  const most = likely[taken[0] ?? 0] ?? 1;
  const ranks = new Map(taken.map((place, rank) => [place, rank]));
  return {
    weights: taken.map((place) => ((likely[place] ?? 0) / most) * (idfs[place] ?? 0)),
    countsOf(block) {
      const counts = new Uint32Array(taken.length);
      for (const place of found[block] ?? []) {
        const rank = ranks.get(place);
        if (rank !== undefined) counts[rank] = (counts[rank] ?? 0) + 1;
      }
      return counts;
    },
  };
}

function toPlaces(codes: readonly number[], places: ReadonlyMap<number, number>): readonly number[] {
  const found: number[] = [];
  for (const code of codes) {
    const place = places.get(code);
    if (place !== undefined) found.push(place);
  }
  return found;
}

/** Inverse document frequencies of terms among some blocks; 0 for those of a single block. */
function toIdfs(blocks: readonly (readonly number[])[], terms: number): Float64Array {
  const counts = new Uint32Array(terms);
  const lastSeen = new Int32Array(terms).fill(-1);
  for (const [at, places] of blocks.entries()) {
    for (const place of places) {
      if (lastSeen[place] === at) continue;
      lastSeen[place] = at;
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  return Float64Array.from(counts, (count) =>
    count < 2 ? 0 : Math.log(1 + (blocks.length - count + 0.5) / (count + 0.5)),
  );
}
