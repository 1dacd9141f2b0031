import type { IndentChange, LinesFound } from "../src/edit/edit-match.ts";

const NOTHING: LinesFound = { trailing: [], indented: [] };
/** Places after which it is enough to know that lines are not unique. */
const MAX_FOUND = 1000;

/**
 * The result of `findLines`, computed in the simplest way: each place is compared line by line, in quadratic time.
 *
 * Looks for whole lines in `text`, whose lines end with LF and begin at `start`. Spaces and tabs within a line count; a
 * blank line is found as a blank line. Wanted lines that are all blank are found nowhere.
 */
export function simpleFindLines(text: string, start: number, wanted: string): LinesFound {
  const lines = wanted.split("\n");
  const closed = lines.length > 1 && lines.at(-1) === "";
  if (closed) lines.pop();
  const bare = lines.map(trimmed);
  const longest = bare.reduce((best, line, index) => (line.length > bare[best]!.length ? index : best), 0);
  const key = bare[longest];
  if (key === undefined || key === "" || !text.includes(key)) return NOTHING;

  const telling = isTelling(bare);
  const trailing: { from: number; to: number }[] = [];
  const indented: { from: number; to: number; indent: IndentChange }[] = [];
  const starts = lineStarts(text, start);
  const lineAt = (number: number) => text.slice(starts[number], (starts[number + 1] ?? text.length + 1) - 1);
  let number = 0;
  for (let at = text.indexOf(key, start); at !== -1; at = text.indexOf(key, starts[number + 1] ?? text.length)) {
    while ((starts[number + 1] ?? Infinity) <= at) number += 1;
    const first = number - longest;
    if (first < 0 || first + lines.length > starts.length || trimmed(lineAt(number)) !== key) continue;
    const found = lines.map((_, offset) => lineAt(first + offset));
    const indent = compareLines(found, lines, bare);
    const end = starts[first + lines.length];
    if (indent === undefined || (closed && end === undefined)) continue;
    const place = { from: starts[first]!, to: closed ? end! : end === undefined ? text.length : end - 1 };
    if (indent.by === "") trailing.push(place);
    else if (telling) indented.push({ ...place, indent });
    if (trailing.length + indented.length === MAX_FOUND) break;
  }
  return { trailing, indented };
}

/** Whether bare lines say enough that the same ones with other indentation are those that were meant: two of them with words. */
function isTelling(bare: readonly string[]): boolean {
  return bare.filter((line) => /[\p{L}\p{N}]/u.test(line)).length >= 2;
}

/** How lines differ that are the same except for white space, or `undefined` if they differ otherwise. */
function compareLines(
  found: readonly string[],
  wanted: readonly string[],
  bare: readonly string[],
): IndentChange | undefined {
  let indent: IndentChange | undefined;
  for (const [index, line] of found.entries()) {
    if (trimmed(line) !== bare[index]) return undefined;
    if (bare[index] === "") continue;
    const own = leading(line);
    const other = leading(wanted[index]!);
    const deeper = own.length >= other.length;
    const [long, short] = deeper ? [own, other] : [other, own];
    if (!long.endsWith(short)) return undefined;
    const by = long.slice(0, long.length - short.length);
    indent ??= { deeper, by };
    if (indent.by !== by || (by !== "" && indent.deeper !== deeper)) return undefined;
  }
  return indent;
}

function lineStarts(text: string, start: number): number[] {
  const starts = [start];
  for (let at = text.indexOf("\n", start); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** White space that editors add and drop: spaces and tabs, nothing else. */
function trimmed(line: string): string {
  return line.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "");
}

function leading(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
