import { bordersOf, includesText } from "../text/text-offsets.ts";
import { LineTokens } from "./line-tokens.ts";

/** White space that every line has before it in one text and not in the other. */
export interface IndentChange {
  /** Whether it is the file's lines that have it. */
  readonly deeper: boolean;
  /** The white space: spaces, tabs or both. */
  readonly by: string;
}

/** Whole lines that are the wanted ones but for white space. */
export interface LinesFound {
  /** White space at the ends of lines may differ. */
  readonly trailing: readonly { readonly from: number; readonly to: number }[];
  /** So may the indentation, by the same white space in every line that is not blank. Not for fewer than two lines with words. */
  readonly indented: readonly { readonly from: number; readonly to: number; readonly indent: IndentChange }[];
}

const NOTHING: LinesFound = { trailing: [], indented: [] };
/** Places after which it is enough to know that lines are not unique. */
const MAX_FOUND = 1000;

/**
 * Looks for whole lines in `text`, whose lines end with LF and begin at `start`. Spaces and tabs within a line count;
 * a blank line is found as a blank line. Wanted lines that are all blank are found nowhere. It takes time linear in both
 * texts: lines are looked for as numbers, by the search of Knuth, Morris and Pratt.
 */
export function findLines(text: string, start: number, wanted: string): LinesFound {
  const lines = wanted.split("\n");
  const closed = lines.length > 1 && lines.at(-1) === "";
  if (closed) lines.pop();
  const key = lines.map((line) => line.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "")).reduce(longer);
  if (key === "" || !includesText(text, key)) return NOTHING;

  const tokens = new LineTokens();
  const sought = tokens.wanted(lines);
  // The first line that is not blank may be indented by anything; the lines after it have to follow suit.
  const lead = sought.findIndex(({ bare }) => bare !== 0);
  const first = sought[lead]!;
  const tail = sought.slice(lead + 1);
  const borders = bordersOf(tail.length, (one, other) => tail[one]!.number === tail[other]!.number);
  const telling = isTelling(lines);
  const found = { trailing: [] as Place[], indented: [] as (Place & { indent: IndentChange })[] };

  const next = tokens.sequence();
  const starts: number[] = [];
  const indents: (string | undefined)[] = [];
  let [matched, blanks] = [0, 0];
  for (let from = start; from !== -1 && found.trailing.length + found.indented.length < MAX_FOUND;) {
    const feed = text.indexOf("\n", from);
    const { bare, number, indent } = next(text.slice(from, feed === -1 ? text.length : feed));
    starts.push(from);
    // Where the wanted lines may begin: the line is theirs, and enough blank ones are before it.
    indents.push(bare === first.bare && blanks >= lead ? indent : undefined);
    blanks = bare === 0 ? blanks + 1 : 0;
    if (tail.length > 0) {
      while (matched > 0 && (matched === tail.length || tail[matched]!.number !== number)) matched = borders[matched]!;
      if (tail[matched]!.number === number) matched += 1;
    }
    const line = starts.length - 1 - tail.length;
    if (matched === tail.length && line >= lead && !(closed && feed === -1)) {
      const change = indentChange(indents[line], first.indent);
      const place = { from: starts[line - lead]!, to: feed === -1 ? text.length : closed ? feed + 1 : feed };
      if (change?.by === "") found.trailing.push(place);
      else if (change !== undefined && telling) found.indented.push({ ...place, indent: change });
    }
    from = feed === -1 ? -1 : feed + 1;
  }
  return found;
}

type Place = { readonly from: number; readonly to: number };

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one;
}

/** Whether lines say enough that the same ones with other indentation are those that were meant: two of them with words. */
export function isTelling(lines: readonly string[]): boolean {
  return lines.filter((line) => /[\p{L}\p{N}]/u.test(line)).length >= 2;
}

/** The difference between an indentation and the wanted one, `undefined` if more than leading white space differs. */
function indentChange(own: string | undefined, wanted: string): IndentChange | undefined {
  if (own === undefined) return undefined;
  const deeper = own.length >= wanted.length;
  const [long, short] = deeper ? [own, wanted] : [wanted, own];
  return long.endsWith(short) ? { deeper, by: long.slice(0, long.length - short.length) } : undefined;
}
