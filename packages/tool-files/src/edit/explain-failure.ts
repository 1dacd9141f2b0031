import type { LineNumbers } from "../text/line-numbers.ts";
import { omittedLines } from "../text/omitted-lines.ts";
import { includesText, textOffsets } from "../text/text-offsets.ts";
import { type EditMatch, type EditSearch, type MatchTier, MAX_PLACES, UNUSUAL, withPlainSigns } from "./edit-match.ts";
import type { EditableText } from "./editable-text.ts";

/** Regions of the file named. */
const MAX_REGIONS = 3;
/** Lines of the file looked at; a longer file is explained by its beginning. */
const MAX_FILE_LINES = 200_000;
/** Lines of the searched text looked at. */
const MAX_OLD_LINES = 500;
/** A line that is there more often says nothing about where. */
const MAX_OCCURRENCES = 200;
/** Lines compared letter by letter when no line is the same. */
const MAX_SIMILAR_LINES = 5000;
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
  const old = linesOf(oldText);
  const regions = nearestRegions(lines, old).map((start) => describeRegion(lines, old, start, oldText, numbers));
  const nearest =
    regions.length === 0
      ? "No line of the file is like it"
      : `Nearest (${numbers.based} lines):\n${regions.join("\n")}`;
  return [...(slip === undefined ? [] : [slip]), nearest, "Read the file again and copy old_text from it exactly"].join(
    "\n",
  );
}

/** The lines of a text that is looked for, as many as are looked at. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n", MAX_OLD_LINES);
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
  const { places } = placesOf(lines, old, folded);
  const nearest = places.length > 0 ? places : similarPlaces(lines, old);
  return nearest
    .toSorted((one, other) => other.weight - one.weight || one.start - other.start)
    .slice(0, MAX_REGIONS)
    .map(({ start }) => start);
}

/** A place of the file that has some of the wanted lines, or one like them. */
interface Place {
  /** The line of the file at which the first wanted one would be; below 0 for one before the file. */
  readonly start: number;
  /** How many of the wanted lines it has, and whether one of them has words. */
  lines: number;
  words: boolean;
  /** The same, a line that is in the file several times counting less. */
  weight: number;
}

/**
 * The places that have lines of the wanted text, compared by `keyOf`, and how many of the lines say where they are. Takes time linear
 * in both.
 */
function placesOf(lines: readonly string[], wanted: readonly string[], keyOf = (line: string) => line) {
  const positions = new Map<string, number[]>(wanted.map((line) => [keyOf(line), []]));
  for (const [index, line] of lines.entries()) positions.get(keyOf(line))?.push(index);
  const places = new Map<number, Place>();
  let telling = 0;
  for (const [offset, line] of wanted.entries()) {
    const found = positions.get(keyOf(line)) ?? [];
    if (line.trim() === "" || found.length > MAX_OCCURRENCES) continue;
    telling += 1;
    for (const index of found) {
      const start = index - offset;
      const place = places.get(start) ?? { start, lines: 0, words: false, weight: 0 };
      place.lines += 1;
      place.words ||= hasWords(line);
      place.weight += 1 / found.length;
      places.set(start, place);
    }
  }
  return { places: [...places.values()], telling };
}

/** Where the longest wanted line would be by lines that are like it. */
function similarPlaces(lines: readonly string[], old: readonly string[]): readonly Place[] {
  const longest = old.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), "");
  const offset = old.indexOf(longest);
  const wanted = letterPairs(longest);
  if (wanted.size < 2) return [];
  return lines.slice(0, MAX_SIMILAR_LINES).flatMap((line, index) => {
    const weight = dice(wanted, letterPairs(line));
    return weight >= MIN_SIMILARITY ? [{ start: index - offset, lines: 0, words: false, weight }] : [];
  });
}

/** Describes how the lines of a file from `start` on differ from the wanted lines. */
function describeRegion(
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

/** Line numbers listed. */
const LISTED_LINES = 200;
/** Limit for places whose unique context is shown. */
const MAX_EXPLAINED = 8;
/** Lines before or after a place that are tried. */
const MAX_CONTEXT = 5;
/** Units compared for each unit of the text before it is searched instead. */
const COMPARED_PER_UNIT = 8;
/** Characters of a line shown. */
const MAX_SHOWN = 120;

/** The difference that each tier ignored, in words; empty if none. */
const ASIDE: Readonly<Record<MatchTier, string>> = {
  exact: "",
  line_ends: "",
  characters: "is not there exactly; leaving the kind of quotes, dashes and spaces aside, it ",
  trailing_space: "is not there exactly; leaving white space at line ends aside, it ",
  indentation: "is not there exactly; leaving indentation aside, it ",
  line_numbers: "is not there exactly; without its line numbers, it ",
};

/** That a text is in a file several times: where, and for each place the least context that would make it unique. */
export function explainAmbiguity(file: EditableText, { tier, view, places }: EditSearch, numbers: LineNumbers): string {
  const { text } = view;
  const lines = lineNumbers(text, places.slice(0, LISTED_LINES)).map((line) => numbers.of(line));
  const times = places.length >= MAX_PLACES ? `${MAX_PLACES} times or more` : `${places.length} times`;
  const more = places.length > lines.length ? " and further" : "";
  const hints = places
    .slice(0, MAX_EXPLAINED)
    .map((place, index) => `- line ${lines[index]}: ${leastContext(file, text, places, place)}`);
  const replaces = ASIDE[tier] === "" ? ", or set replace_all to replace each" : "";
  const rest = places.length > hints.length ? "\n- and so on" : "";
  return `${ASIDE[tier]}is there ${times}, beginning at lines ${lines.join(", ")}${more} (${numbers.based}), nothing was changed; add lines before or after it until it is there once${replaces}:\n${hints.join("\n")}${rest}`;
}

/** The 0-based lines at which places begin. */
function lineNumbers(text: string, places: readonly EditMatch[]): number[] {
  let line = 0;
  let counted = 0;
  return places.map(({ from }) => {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < from; at = text.indexOf("\n", counted)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  });
}

/** The shortest context to add to a place so that it becomes unique. */
function leastContext(file: EditableText, text: string, places: readonly EditMatch[], place: EditMatch): string {
  const others = places.filter((other) => other !== place);
  const shown = (units: string) => {
    const piece = file.toText(units);
    return JSON.stringify(piece.length > MAX_SHOWN ? `${piece.slice(0, MAX_SHOWN)}…` : piece);
  };
  let tried: string | undefined;
  for (let count = 0; count <= MAX_CONTEXT; count += 1) {
    const start = startBefore(text, place.from, count);
    const end = endAfter(text, place.to, count);
    // There is no further line.
    if (tried === `${start} ${end}`) continue;
    tried = `${start} ${end}`;
    const before = text.slice(start, place.from);
    const after = text.slice(place.to, end);
    const freeBefore = !standsAtAny(
      text,
      before,
      others.map(({ from }) => from - before.length),
    );
    const freeAfter = !standsAtAny(
      text,
      after,
      others.map(({ to }) => to),
    );
    const lines = count === 1 ? "the line" : `the ${count} lines`;
    if (count === 0 && (freeBefore || freeAfter))
      return `unique with the rest of its line, ${shown(text.slice(start, end))}`;
    if (freeBefore) return `unique with ${lines} before it, from ${shown(before.slice(0, lineEnd(before, 0)))}`;
    if (freeAfter) return `unique with ${lines} after it, to ${shown(after.slice(lineStart(after, after.length)))}`;
  }
  return `${MAX_CONTEXT} lines before or after it are the same elsewhere, take more`;
}

/** Whether `piece` stands at any of these places of a text, those before its beginning left aside. */
function standsAtAny(text: string, piece: string, places: readonly number[]): boolean {
  if (piece.length * places.length <= text.length * COMPARED_PER_UNIT)
    return places.some((at) => at >= 0 && text.startsWith(piece, at));
  // Looked for once in all of the text: comparing a long piece at each place would take the product of both.
  const wanted = new Set(places);
  for (const at of textOffsets(text, piece)) if (wanted.has(at)) return true;
  return false;
}

function startBefore(text: string, from: number, count: number): number {
  let start = lineStart(text, from);
  for (let nth = 0; nth < count && start > 0; nth += 1) start = lineStart(text, start - 1);
  return start;
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function endAfter(text: string, to: number, count: number): number {
  // A place that ends with a line feed ends where the next line begins: its own line has no rest.
  const closed = text[to - 1] === "\n";
  let end = closed ? to - 1 : lineEnd(text, to);
  for (let nth = 0; nth < count && end < text.length; nth += 1) end = lineEnd(text, end + 1);
  return Math.max(end, to);
}

function lineEnd(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  return feed === -1 ? text.length : feed;
}

/**
 * Reports that a text was found by ignoring a difference while other lines are nearer to it except for changed words:
 * these may be meant. `undefined` if there are none, or no difference was ignored.
 */
export function explainNearer(
  file: EditableText,
  { tier, view, wanted }: EditSearch,
  place: EditMatch,
  numbers: LineNumbers,
): string | undefined {
  if (ASIDE[tier] === "") return undefined;
  const lines = view.text.slice(file.markLength).split("\n", MAX_FILE_LINES);
  const old = linesOf(wanted);
  const [at] = lineNumbers(view.text, [place]);
  const nearer = nearerLines(lines, old, at!);
  if (nearer === undefined) return undefined;
  const shown = (some: readonly string[]) => some.map((line) => file.toText(line));
  const region = describeRegion(shown(lines), shown(old), nearer, file.toText(wanted), numbers);
  return `${ASIDE[tier]}is at line ${numbers.of(at!)} (${numbers.based}), but other lines have more of it exactly and may be meant, nothing was changed; copy old_text from the file as it is now:\n${region}`;
}

/** Pairs of lines compared letter by letter. */
const MAX_PAIRS = 2000;
/** Minimum similarity of a changed line that marks another place as meant. */
const MIN_CHANGED_SIMILARITY = 0.6;
/** The same for lines without words, such as brackets, of which as many are at the place that was found. */
const MIN_TIE_SIMILARITY = 0.8;

/**
 * The first line of another place that may be meant although a line of it was changed since: it has more of the wanted
 * lines exactly than the place where they were found by leaving something aside, or as many and a line much like the
 * changed one, and at least half of those that are not blank.
 *
 * `lines` are those of the file, `at` is the line where the wanted ones were found.
 */
function nearerLines(lines: readonly string[], wanted: readonly string[], at: number): number | undefined {
  const { places, telling } = placesOf(lines, wanted);
  const own = places.find(({ start }) => start === at)?.lines ?? 0;
  let compared = 0;
  const hasAlike = (start: number, least: number) =>
    wanted.some((line, offset) => {
      const other = lines[start + offset] ?? "";
      if (line === other || compared === MAX_PAIRS) return false;
      compared += 1;
      return hasWords(line) && dice(letterPairs(line), letterPairs(other)) >= least;
    });
  const nearest = places
    .filter((place) => place.start !== at && place.lines >= Math.max(own, telling / 2))
    .toSorted((one, other) => other.lines - one.lines)
    .find((place) => {
      if (place.lines > own && place.words) return true;
      return hasAlike(place.start, place.lines > own || place.words ? MIN_CHANGED_SIMILARITY : MIN_TIE_SIMILARITY);
    });
  return nearest?.start;
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** Case and spacing do not matter for finding a place. */
function folded(line: string): string {
  return line.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Pairs of neighbouring characters of a line. */
function letterPairs(line: string): Set<string> {
  const text = folded(line.slice(0, 300));
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Sørensen-Dice coefficient of two sets of letter pairs: how alike two lines are, from 0 to 1. */
function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / Math.max(1, one.size + other.size);
}

/** Characters shown of a line, and of the differing part in it. */
const SHOWN = 160;
const SHOWN_REST = 20;

/** Describes in words how the found line differs from the expected one, with both texts around the first difference. */
function describeDifference(found: string, expected: string): string {
  const hidden = alike(found) === alike(expected) ? /[^ -~]/gu : UNUSUAL;
  const shown = (one: string, other: string) => around(one, other).replace(hidden, escaped);
  return `${kindOfDifference(found, expected)}\n    file:     ${shown(found, expected)}\n    old_text: ${shown(expected, found)}`;
}

function kindOfDifference(found: string, expected: string): string {
  if (found.trimEnd() === expected.trimEnd()) return "only the white space at its end differs";
  if (found.trimStart() === expected.trimStart())
    return `only the indentation differs, ${indentation(found)} in the file, ${indentation(expected)} in old_text`;
  if (found.trim() === expected.trim()) return "only the white space around it differs";
  if (spaced(found) === spaced(expected)) return "only the spacing differs";
  if (found.toLowerCase() === expected.toLowerCase()) return "only upper and lower case differ";
  if (withPlainSigns(found) === withPlainSigns(expected)) return "only the kind of quotes, dashes or spaces differs";
  if (alike(found) === alike(expected)) return "only the composition of characters, or invisible characters, differ";
  return restOf(found, expected) === ""
    ? "it ends where old_text goes on"
    : `it differs from ${restOf(found, expected)} on`;
}

function indentation(line: string): string {
  return tabsAndSpaces(line.slice(0, line.length - line.trimStart().length)) || "none";
}

/** How many tabs and spaces white space has, in words; empty for none. */
export function tabsAndSpaces(white: string): string {
  const tabs = white.split("\t").length - 1;
  const spaces = white.length - tabs;
  const count = (number: number, what: string) => (number > 0 ? [`${number} ${what}${number === 1 ? "" : "s"}`] : []);
  return [...count(tabs, "tab"), ...count(spaces, "space")].join(" and ");
}

function spaced(line: string): string {
  return line.replace(/\s+/g, "");
}

/** A character as `\\u` and digits, in two parts where it has two units; a cut is shown as it is. */
function escaped(character: string): string {
  if (character === "…") return character;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A line without invisible characters, and with look-alikes made equal. */
function alike(line: string): string {
  return withPlainSigns(line.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}

/** The rest of the found line from the first difference on, ignoring indentation. */
function restOf(found: string, expected: string): string {
  const line = found.trimStart();
  const at = firstDifference(line, expected.trimStart());
  return at === line.length ? "" : JSON.stringify(line.slice(at, at + SHOWN_REST));
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** A line as a JSON string, cut to the part around its first difference from the other. */
function around(line: string, other: string): string {
  if (line.length <= SHOWN) return JSON.stringify(line);
  const from = Math.max(0, Math.min(firstDifference(line, other) - SHOWN / 2, line.length - SHOWN));
  return `${from > 0 ? "…" : ""}${JSON.stringify(line.slice(from, from + SHOWN))}${from + SHOWN < line.length ? "…" : ""}`;
}
