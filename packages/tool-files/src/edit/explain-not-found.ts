import type { LineNumbers } from "../text/line-numbers.ts";
import { omittedLines } from "../text/omitted-lines.ts";
import { includesText } from "../text/text-offsets.ts";
import { describeDifference } from "./describe-difference.ts";
import { folded, letterPairs, dice } from "./line-similarity.ts";

/** Regions of the file named. */
const MAX_REGIONS = 3;
/** Lines of the file looked at; a longer file is explained by its beginning. */
const MAX_FILE_LINES = 100_000;
/** Lines of the searched text looked at. */
const MAX_OLD_LINES = 500;
/** A line that is there more often says nothing about where. */
const MAX_OCCURRENCES = 50;
/** Lines compared letter by letter when no line is the same. */
const MAX_COMPARED = 5000;
/** Similarity below which a line is not worth showing. */
const MIN_SIMILARITY = 0.5;

/**
 * Explains why a text is not in a file: a common mistake by name, and the up to three most similar regions with their
 * differences. For a model that has to try again; never used to guess the intended place.
 *
 * Both texts have LF line ends. `before`: whether the text was in the file until an earlier edit of the same call.
 */
export function explainNotFound(
  text: string,
  oldText: string,
  { before, numbers }: { readonly before: boolean; readonly numbers: LineNumbers },
): string {
  const slip = before
    ? "An earlier edit of this call changed it: edits apply one after the other"
    : knownSlip(text, oldText);
  const lines = text.split("\n", MAX_FILE_LINES);
  const old = oldText.replace(/\n$/, "").split("\n").slice(0, MAX_OLD_LINES);
  const regions = nearestRegions(lines, old).map((start) => describeRegion(lines, old, start, oldText, numbers));
  const nearest =
    regions.length === 0
      ? "No line of the file is like it"
      : `Nearest (${numbers.based} lines):\n${regions.join("\n")}`;
  return [...(slip === undefined ? [] : [slip]), nearest, "Read the file again and copy old_text from it exactly"].join(
    "\n",
  );
}

function knownSlip(text: string, oldText: string): string | undefined {
  const lines = oldText.split("\n");
  if (
    lines.every((line) => line === "" || /^\d+\t/.test(line)) &&
    includesText(text, lines.map((line) => line.replace(/^\d+\t/, "")).join("\n"))
  ) {
    return "old_text carries the line numbers of read_file: leave out each number and the tab after it";
  }
  const [omitted] = omittedLines(oldText);
  if (omitted !== undefined && !text.includes(omitted))
    return `old_text has the line ${JSON.stringify(omitted)}, which stands for text that was left out: send that text, or an edit for each part`;
  const unescaped = oldText.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll('\\"', '"');
  if (unescaped !== oldText && includesText(text, unescaped)) {
    return 'old_text is escaped once too often: it holds \\n, \\t or \\" where the file has a line break, a tab or a quote';
  }
  if (oldText.endsWith("\n") && text.endsWith(oldText.slice(0, -1)))
    return "The file ends there without a line break: leave out the last one";
  return undefined;
}

/** First lines of the most similar regions, best first. */
function nearestRegions(lines: readonly string[], old: readonly string[]): number[] {
  const positions = new Map<string, number[]>();
  const wanted = new Set(old.map(folded));
  for (const [index, line] of lines.entries()) {
    const key = folded(line);
    if (key === "" || !wanted.has(key)) continue;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [index]);
    else known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [offset, line] of old.entries()) {
    const found = positions.get(folded(line)) ?? [];
    if (found.length > MAX_OCCURRENCES) continue;
    for (const index of found) votes.set(index - offset, (votes.get(index - offset) ?? 0) + 1 / found.length);
  }
  if (votes.size === 0) for (const [start, similarity] of similarLines(lines, old)) votes.set(start, similarity);
  return [...votes]
    .toSorted(([a, x], [b, y]) => y - x || a - b)
    .slice(0, MAX_REGIONS)
    .map(([start]) => start);
}

function similarLines(lines: readonly string[], old: readonly string[]): Map<number, number> {
  const longest = old.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), "");
  const offset = old.indexOf(longest);
  const wanted = letterPairs(longest);
  const found = new Map<number, number>();
  if (wanted.size < 2) return found;
  for (const [index, line] of lines.slice(0, MAX_COMPARED).entries()) {
    const similarity = dice(wanted, letterPairs(line));
    if (similarity >= MIN_SIMILARITY) found.set(index - offset, similarity);
  }
  return found;
}

/** Describes how the lines of a file from `start` on differ from the wanted lines. */
export function describeRegion(
  lines: readonly string[],
  old: readonly string[],
  start: number,
  oldText: string,
  numbers: LineNumbers,
): string {
  const from = Math.max(0, start);
  const to = Math.min(lines.length, start + old.length) - 1;
  const where = from === to ? `- line ${numbers.of(from)}` : `- lines ${numbers.of(from)} to ${numbers.of(to)}`;
  for (const [offset, wanted] of old.entries()) {
    const found = lines[start + offset];
    // A text may begin or end within a line.
    if (found === wanted || (found !== undefined && isEdgeOf(found, wanted, offset, old.length, oldText))) continue;
    const difference =
      found === undefined
        ? `old_text has a line there, ${JSON.stringify(wanted.slice(0, 160))}, and the file has none`
        : describeDifference(found, wanted);
    return old.length === 1 ? `${where}: ${difference}` : `${where}: line ${numbers.of(start + offset)}: ${difference}`;
  }
  return `${where}: the lines are the same, the line breaks around them are not`;
}

function isEdgeOf(found: string, wanted: string, offset: number, count: number, oldText: string): boolean {
  const first = offset === 0;
  const last = offset === count - 1 && !oldText.endsWith("\n");
  if (first && last) return found.includes(wanted);
  return (first && found.endsWith(wanted)) || (last && found.startsWith(wanted));
}
