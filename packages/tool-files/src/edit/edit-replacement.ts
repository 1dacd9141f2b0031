import { diffArrays } from "diff";
import type { EditMatch, EditSearch } from "./edit-match.ts";
import type { IndentChange } from "./find-lines.ts";

/** Lines put in or taken out above which it is not looked for lines that stay. */
const MAX_CHANGES = 2000;

interface Line {
  readonly line: string;
  /** LF, CRLF or nothing. */
  readonly end: string;
}

/** The origin of a line of the replacement. */
interface Step {
  /** The line of the old text that it is, if it stays. */
  readonly kept?: number;
  /** The line of the old text whose line end it gets. */
  readonly endOf: number;
}

/**
 * The text to write over a place, in units, or `undefined` if it cannot be indented as the file is. A line that is in
 * the old and in the new text stays as it is in the file. Any other gets the line end of the line it replaces, else of
 * the one before it; a new text with carriage returns keeps its own.
 */
export function editReplacement(
  units: string,
  search: EditSearch,
  place: EditMatch,
  newText: string,
  lineEnd: string,
): string | undefined {
  const { tier, view, wanted, carriageReturns } = search;
  const plain = tier === "exact" || tier === "line_ends";
  if (carriageReturns ? tier === "exact" : plain && newText.includes("\r")) return newText;
  const from = view.toOriginal(place.from);
  const to = view.toOriginal(place.to);
  const there = linesOf(units.slice(from, to));
  const near = nearestEnd(units, to) ?? lineEnd;
  const given = newText.replaceAll("\r\n", "\n");
  if (plain && there.every(({ end }) => end === "" || end === near)) return given.replaceAll("\n", near);

  const lines = linesOf(given);
  let written = "";
  for (const [index, step] of stepsBetween(linesOf(wanted), lines).entries()) {
    const { line, end } = lines[index]!;
    const text = step.kept === undefined ? indented(line, place.indent) : (there[step.kept]?.line ?? "");
    if (text === undefined) return undefined;
    written += text + (end === "" ? "" : there[step.endOf]?.end || near);
  }
  return written;
}

/** For each line that is put in: which of the old ones it is or stands for. */
function stepsBetween(old: readonly Line[], lines: readonly Line[]): Step[] {
  const [before, after] = [old, lines].map((some) => some.map(({ line }) => line));
  const changes = diffArrays(before!, after!, { maxEditLength: MAX_CHANGES }) ?? [
    { count: old.length, removed: true, added: false },
    { count: lines.length, removed: false, added: true },
  ];
  const steps: Step[] = [];
  let at = 0;
  let removed = 0;
  for (const change of changes) {
    if (change.removed) {
      at += change.count;
      removed = change.count;
    } else if (change.added) {
      for (let nth = 0; nth < change.count; nth += 1)
        steps.push({ endOf: Math.max(0, removed === 0 ? at - 1 : Math.min(at - removed + nth, at - 1)) });
      removed = 0;
    } else {
      for (let nth = 0; nth < change.count; nth += 1) steps.push({ kept: at + nth, endOf: at + nth });
      at += change.count;
      removed = 0;
    }
  }
  return steps;
}

/** `undefined` when the line lacks the white space that would have to go. */
function indented(line: string, indent: IndentChange | undefined): string | undefined {
  if (indent === undefined || /^[ \t]*$/.test(line)) return line;
  if (indent.deeper) return indent.by + line;
  return line.startsWith(indent.by) ? line.slice(indent.by.length) : undefined;
}

/** Lines with their ends. The last has none, unless the text ends with one. */
function linesOf(text: string): Line[] {
  const lines = text.split("\n").map((line, index, all) => {
    if (index === all.length - 1) return { line, end: "" };
    return line.endsWith("\r") ? { line: line.slice(0, -1), end: "\r\n" } : { line, end: "\n" };
  });
  return lines.at(-1)?.line === "" ? lines.slice(0, -1) : lines;
}

/** The end of the line in which a piece ends, else of the one before; `undefined` in a text of one line. */
function nearestEnd(units: string, to: number): string | undefined {
  const next = units.indexOf("\n", to);
  const feed = next === -1 ? units.lastIndexOf("\n", to - 1) : next;
  if (feed === -1) return undefined;
  return units[feed - 1] === "\r" ? "\r\n" : "\n";
}

/** The end of the first line, LF when there is only one. */
export function firstLineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}
