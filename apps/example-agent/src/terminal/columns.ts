import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Characters of a column: an emoji of several parts has some, and marks above letters count. */
const LONGEST = 16;

/** Columns of a terminal that a text takes; colours take none. */
export const columnsOf = (text: string): number => stringWidth(text);

/** Graphemes: the units that a person sees as characters. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

/** The beginning of a plain text, with `…` where something was cut off. Never wider than `room`. */
export function cutEnd(text: string, room: number): string {
  if (text.length <= room * LONGEST && columnsOf(text) <= room) return text;
  return room < 1 ? "" : `${headOf(text, room - 1)}…`;
}

/** The beginning and the end of a plain text, with `…` in the middle if it is too wide. */
export function cutMiddle(text: string, room: number): string {
  if (columnsOf(text) <= room) return text;
  if (room < 1) return "";
  const end = tailOf(text, Math.ceil((room - 1) / 2));
  return `${headOf(text, room - 1 - columnsOf(end))}…${end}`;
}

/** A path with its file name whole, as far as there is room, and `…` for directories that are left out. */
export function cutPath(path: string, room: number): string {
  if (columnsOf(path) <= room) return path;
  const name = path.slice(path.lastIndexOf("/"));
  const left = room - 1 - columnsOf(name);
  if (left < 0) {
    const bare = name.slice(1);
    return room < 1 || columnsOf(bare) > room ? cutMiddle(bare, room) : `…${tailOf(bare, room - 1)}`;
  }
  return `${headOf(path, left)}…${name}`;
}

/** A bullet, a number, or a mark of a line, behind which wrapped rows are set in. */
const LEAD = /^ *(?:(?:[-*•›│✓✗!?]|\d{1,3}[.)]) )?/;

/** A line in rows no wider than `width`, broken between words where that is possible. It may hold colours. */
export function wrapLine(line: string, width: number): readonly string[] {
  if (columnsOf(line) <= width) return [line];
  const [lead = ""] = LEAD.exec(stripVTControlCharacters(line)) ?? [];
  const hang = columnsOf(lead) <= width / 3 ? columnsOf(lead) : 0;
  // A coloured mark is left where it is.
  const before = hang > 0 && line.startsWith(lead) ? lead : "";
  const room = Math.max(1, width - hang);
  const rows = wrapAnsi(line.slice(before.length), room, { hard: true }).split("\n");
  return rows.map((row, index) => (index === 0 ? before : " ".repeat(hang)) + row);
}

function headOf(text: string, room: number): string {
  return asManyAsFit(graphemesOf(text.slice(0, room * LONGEST)), room).join("");
}

function tailOf(text: string, room: number): string {
  return asManyAsFit(graphemesOf(text.slice(-room * LONGEST)).toReversed(), room)
    .toReversed()
    .join("");
}

function asManyAsFit(graphemes: readonly string[], room: number): readonly string[] {
  let columns = 0;
  const end = graphemes.findIndex((grapheme) => (columns += columnsOf(grapheme)) > room);
  return end === -1 ? graphemes : graphemes.slice(0, end);
}
