import type { LineNumbers } from "../text/line-numbers.ts";
import { textOffsets } from "../text/text-offsets.ts";
import { MAX_PLACES, type EditMatch, type EditSearch, type MatchTier } from "./edit-match.ts";
import type { EditableText } from "./editable-text.ts";

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
export const ASIDE: Readonly<Record<MatchTier, string>> = {
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
export function lineNumbers(text: string, places: readonly EditMatch[]): number[] {
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
    if (freeBefore) return `unique with ${lines} before it, from ${shown(firstLine(before))}`;
    if (freeAfter) return `unique with ${lines} after it, to ${shown(lastLine(after))}`;
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

function firstLine(text: string): string {
  return text.slice(0, lineEnd(text, 0));
}

function lastLine(text: string): string {
  return text.slice(lineStart(text, text.length));
}
