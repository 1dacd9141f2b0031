import { similarity } from "./line-similarity.ts";

/** Lines of the file looked at. */
const MAX_FILE_LINES = 200_000;
/** A line that is there more often says nothing about where. */
const MAX_OCCURRENCES = 200;
/** Lines of the wanted text looked at. */
const MAX_WANTED = 500;
/** Pairs of lines compared letter by letter. */
const MAX_COMPARED = 2000;
/** Minimum similarity of a changed line that marks another place as meant. */
const MIN_SIMILARITY = 0.6;
/** The same for lines without words, such as brackets, of which as many are at the place that was found. */
const MIN_TIE_SIMILARITY = 0.8;

/**
 * The first line of another place that may be meant although a line of it was changed since: it has more of the wanted
 * lines exactly than the place where they were found by leaving something aside, or as many and a line much like the
 * changed one, and at least half of those that are not blank.
 *
 * `lines` are those of the file, `at` is the line where the wanted ones were found. Takes time linear in both.
 */
export function nearerLines(lines: readonly string[], wanted: readonly string[], at: number): number | undefined {
  const some = wanted.slice(0, MAX_WANTED);
  const positions = new Map<string, number[]>(some.filter((line) => line.trim() !== "").map((line) => [line, []]));
  for (const [index, line] of lines.slice(0, MAX_FILE_LINES).entries()) positions.get(line)?.push(index);
  const votes = new Map<number, { lines: number; words: boolean }>();
  let telling = 0;
  for (const [offset, line] of some.entries()) {
    const found = positions.get(line);
    if (found === undefined || found.length > MAX_OCCURRENCES) continue;
    telling += 1;
    for (const index of found) {
      const vote = votes.get(index - offset) ?? { lines: 0, words: false };
      votes.set(index - offset, { lines: vote.lines + 1, words: vote.words || /[\p{L}\p{N}]/u.test(line) });
    }
  }
  const own = votes.get(at)?.lines ?? 0;
  let compared = 0;
  const hasAlike = (start: number, least: number) =>
    some.some((line, offset) => {
      const other = lines[start + offset] ?? "";
      if (line === other || compared === MAX_COMPARED) return false;
      compared += 1;
      return similarity(line, other) >= least;
    });
  const nearest = [...votes]
    .filter(([start, vote]) => start !== at && vote.lines >= Math.max(own, telling / 2))
    .toSorted(([, one], [, other]) => other.lines - one.lines)
    .find(([start, vote]) => {
      if (vote.lines > own && vote.words) return true;
      return hasAlike(start, vote.lines > own || vote.words ? MIN_SIMILARITY : MIN_TIE_SIMILARITY);
    });
  return nearest?.[0];
}
