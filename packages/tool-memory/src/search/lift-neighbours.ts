/** An entry of a stream. */
export interface StreamEntry {
  readonly stream: string;
  readonly place: number;
  /** 0 to 1. */
  readonly score: number;
}

/** How far an entry is lifted towards a better neighbour at distance 1, 2 and 3: an answer seldom repeats the question's words. */
const TOWARDS = [0.3, 0.15, 0.07] as const;

/** The part of the scores of both direct neighbours that an entry gets, better or not: what is talked about twice counts more. */
const BESIDE = 0.1;

/** The highest sum of an entry's score and its bonus. */
export const MOST = 1 + 2 * BESIDE;

/** The bonus of each entry for its neighbours, in the order of the entries. */
export function liftNeighbours(entries: readonly StreamEntry[]): readonly number[] {
  const nameOf = (stream: string, place: number): string => `${place} ${stream}`;
  const scores = new Map(entries.map(({ stream, place, score }) => [nameOf(stream, place), score]));
  return entries.map(({ stream, place, score }) => {
    const at = (distance: number): readonly number[] =>
      [place - distance, place + distance].map((other) => scores.get(nameOf(stream, other)) ?? 0);
    const towards = TOWARDS.reduce((sum, part, n) => sum + part * (Math.max(score, ...at(n + 1)) - score), 0);
    return towards + at(1).reduce((sum, other) => sum + BESIDE * other, 0);
  });
}
