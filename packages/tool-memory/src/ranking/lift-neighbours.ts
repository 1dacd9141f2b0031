/** An entry that may have a place in a sequence. */
export interface SequenceEntry {
  /** The sequence, `null` for none. */
  readonly series: string | null;
  readonly place: number;
  /** 0 to 1. */
  readonly score: number;
}

/** How far an entry is lifted towards a better neighbour at distance 1, 2 and 3: an answer seldom repeats the question's words. */
const TOWARDS = [0.3, 0.15, 0.07] as const;

/** The part of the scores of both direct neighbours that an entry gets, better or not: a subject of several entries in a row counts more. */
const BESIDE = 0.1;

/** The highest sum of an entry's score and its bonus. */
export const MOST = 1 + 2 * BESIDE;

/** The bonus of each entry for its neighbours, in the order of the entries. */
export function liftNeighbours(entries: readonly SequenceEntry[]): readonly number[] {
  const sequences = new Map<string, Map<number, number>>();
  for (const { series, place, score } of entries) {
    if (series === null) continue;
    const places = sequences.get(series);
    if (places === undefined) sequences.set(series, new Map([[place, score]]));
    else places.set(place, score);
  }
  return entries.map(({ series, place, score }) => {
    const places = series === null ? undefined : sequences.get(series);
    if (places === undefined || places.size === 1) return 0;
    let bonus = 0;
    for (const [near, part] of TOWARDS.entries()) {
      const before = places.get(place - near - 1) ?? 0;
      const after = places.get(place + near + 1) ?? 0;
      bonus += part * (Math.max(score, before, after) - score);
      if (near === 0) bonus += BESIDE * (before + after);
    }
    return bonus;
  });
}
