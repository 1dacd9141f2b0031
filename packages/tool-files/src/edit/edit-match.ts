import { bordersOf, includesText, textOffsets } from "../text/text-offsets.ts";
import { type EditableText, LineEndView } from "./editable-text.ts";

/**
 * How a text was found, strictest first: as it is; with other line ends; with other quotes, dashes and spaces, such as
 * a no-break space; with other trailing white space; with other indentation, by the same amount in every line, or by tabs
 * instead of spaces; without the line numbers that `read_file` prints. All other characters are the same in every tier.
 */
export type MatchTier = "exact" | "line_ends" | "characters" | "trailing_space" | "indentation" | "line_numbers";

/** The prefix that `read_file` puts before a line; an editor may have dropped the tab of an empty one. */
export const LINE_NUMBER = /^\d+(?:\t|$)/gm;

/** Places looked for before it is enough to know that a text is not unique. */
export const MAX_PLACES = 10_000;

/** A piece of {@link EditSearch.view}. */
export interface EditMatch {
  readonly from: number;
  readonly to: number;
  /** How the file is indented in comparison. Only in the tier `indentation`. */
  readonly indent?: IndentChange;
  /** Whether the file is indented by tabs, and the text by spaces, or the reverse. Only in the tier `indentation`. */
  readonly tabs?: TabChange;
}

/** The result of looking for a text: all places in the strictest tier that has one. */
export interface EditSearch {
  readonly tier: MatchTier;
  /** The view in which the places lie. */
  readonly view: LineEndView;
  /** At least one, at most {@link MAX_PLACES}. */
  readonly places: readonly EditMatch[];
  /** The text found, in units: as it stands in the view except for white space. */
  readonly wanted: string;
  /** Whether the text looked for had carriage returns of its own. */
  readonly carriageReturns: boolean;
}

/**
 * Looks for `old`, given in units, in one tier after the other until one has a place. Line ends do not tell two
 * places apart unless `old` has carriage returns: a model does not see them. `undefined`: there is none in any tier.
 */
export function findEditMatches(text: EditableText, old: string): EditSearch | undefined {
  const { units } = text;
  const carriageReturns = old.includes("\r");
  // Without a line feed there is no line end to be blind to.
  if (carriageReturns || !old.includes("\n")) {
    const places = occurrences(text, units, old);
    if (places.length === 1 || (carriageReturns && places.length > 1))
      return { tier: "exact", view: LineEndView.plain(units), places, wanted: old, carriageReturns };
  }
  const { view } = text;
  const wanted = old.replaceAll("\r\n", "\n");
  const found = { view, wanted, carriageReturns };
  const places = occurrences(text, view.text, wanted);
  const [first] = places;
  if (first !== undefined) {
    const same = units.slice(view.toOriginal(first.from), view.toOriginal(first.to)) === old;
    return { ...found, tier: same ? "exact" : "line_ends", places };
  }
  const alike = findAlike(text, view.text, wanted);
  if (alike.length > 0) return { ...found, tier: "characters", places: alike };
  const lines = findLines(view.text, text.markLength, wanted);
  if (lines.trailing.length > 0) return { ...found, tier: "trailing_space", places: lines.trailing };
  if (lines.indented.length > 0) return { ...found, tier: "indentation", places: lines.indented };
  const retabbed = retabbedMatches(text, view.text, wanted);
  if (retabbed !== undefined) return { ...found, ...retabbed, tier: "indentation" };
  const plain = withoutLineNumbers(wanted);
  if (plain === undefined) return undefined;
  const numbered = findLines(view.text, text.markLength, plain).trailing;
  return numbered.length === 0 ? undefined : { ...found, tier: "line_numbers", places: numbered, wanted: plain };
}

/** Where `wanted` is when its lines are indented by tabs instead of spaces, or the reverse, each to the same depth. */
function retabbedMatches(
  file: EditableText,
  text: string,
  wanted: string,
): Pick<EditSearch, "places" | "wanted"> | undefined {
  if (!isTelling(wanted.split("\n"))) return undefined;
  const forms = new Map(tabChanges(wanted).map((tabs) => [retab(wanted, tabs), tabs]));
  forms.delete(wanted);
  const found = [...forms].flatMap(([form, tabs]) =>
    findLines(text, file.markLength, form).trailing.map((place) => ({ form, place: { ...place, tabs } })),
  );
  const [first] = found;
  return first && { places: found.map(({ place }) => place), wanted: first.form };
}

/** A text without the line number and tab that `read_file` puts before each line. `undefined` unless all have them, in order. */
function withoutLineNumbers(text: string): string | undefined {
  const lines = text.replace(/\n$/, "").split("\n");
  const first = Number(/^\d+/.exec(text)?.[0]);
  const numbered = lines.every((line, index) => /^\d+(?=\t|$)/.exec(line)?.[0] === String(first + index));
  return numbered ? text.replace(LINE_NUMBER, "") : undefined;
}

/** Where `wanted` is, overlapping places included. */
function occurrences(text: EditableText, units: string, wanted: string): EditMatch[] {
  const places: EditMatch[] = [];
  for (const at of textOffsets(units, wanted)) {
    if (text.isWhole(units, at, at + wanted.length)) places.push({ from: at, to: at + wanted.length });
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

/** Lines that are indented by tabs in one text and by spaces in the other. */
export interface TabChange {
  /** Whether spaces become tabs, or tabs become spaces. */
  readonly toTabs: boolean;
  /** Spaces for each tab. */
  readonly width: number;
}

/** Spaces that a tab may stand for. */
const WIDTHS = [2, 3, 4, 8] as const;

/** The ways in which the lines of a text could be indented otherwise: none where it has tabs and spaces at line beginnings. */
function tabChanges(text: string): readonly TabChange[] {
  const tabs = /^\t/m.test(text);
  return tabs && /^ {2}/m.test(text) ? [] : WIDTHS.map((width) => ({ toTabs: !tabs, width }));
}

/** A text whose lines are indented by tabs instead of spaces, or the reverse. Spaces that make no whole tab stay, as before ` * `. */
export function retab(text: string, { toTabs, width }: TabChange): string {
  if (!toTabs) return text.replaceAll(/^\t+/gm, (tabs) => " ".repeat(tabs.length * width));
  const tabs = (count: number) => "\t".repeat(Math.floor(count / width)) + " ".repeat(count % width);
  return text.replaceAll(/^ +/gm, (spaces) => tabs(spaces.length));
}

/** Quotes, dashes and spaces that look like the one they begin with, and are replaced by it when texts are pasted or generated. */
const ALIKE: readonly (readonly [plain: string, others: string])[] = [
  ["'", "\u2018\u2019\u201b"],
  ['"', "\u201c\u201d\u201f"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
];
/** Any of them. */
export const UNUSUAL: RegExp = new RegExp(`[${ALIKE.map(([, others]) => others).join("")}]`, "g");
const PLAIN_OF = new Map(ALIKE.flatMap(([plain, others]) => others.split("").map((other) => [other, plain] as const)));

/** A text with the plain quotes, dashes and spaces. */
export function withPlainSigns(text: string): string {
  return text.replace(UNUSUAL, (character) => PLAIN_OF.get(character)!);
}

/** Places after which it is enough to know that a text is not unique. */
const MAX_FOUND = 1000;

/** A text with the plain quotes, dashes and spaces, and where its parts are in the text it was made of. */
interface PlainText {
  readonly text: string;
  /** Ends of the characters that became shorter: in the plain text, and how much shorter it is from there on. */
  readonly shifts: readonly { readonly at: number; readonly by: number }[];
}

/**
 * Looks for a text in units that differs from `wanted` in the kind of its quotes, dashes and spaces alone. Takes time linear in both.
 */
function findAlike(
  file: EditableText,
  units: string,
  wanted: string,
): readonly { readonly from: number; readonly to: number }[] {
  const plainOf = new Map<string, string>();
  for (const [other, plain] of PLAIN_OF) {
    const code = unitsOf(file, other);
    if (code !== undefined) plainOf.set(code, plain);
  }
  const unusual = new RegExp(
    [...plainOf.keys()].map((code) => code.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"),
    "g",
  );
  if (plainOf.size === 0 || (!unusual.test(units) && !unusual.test(wanted))) return [];
  const [text, sought] = [units, wanted].map((some) => plainText(some, unusual, plainOf));
  const places: { from: number; to: number }[] = [];
  for (const at of textOffsets(text!.text, sought!.text)) {
    const from = originalOffset(text!, at);
    const to = originalOffset(text!, at + sought!.text.length);
    if (file.isWhole(units, from, to)) places.push({ from, to });
    if (places.length === MAX_FOUND) break;
  }
  return places;
}

function unitsOf(file: EditableText, character: string): string | undefined {
  try {
    return file.toUnits(character, "");
  } catch {
    // Its encoding lacks the character.
    return undefined;
  }
}

function plainText(units: string, unusual: RegExp, plainOf: ReadonlyMap<string, string>): PlainText {
  const shifts: { at: number; by: number }[] = [];
  let by = 0;
  const text = units.replace(unusual, (code, offset: number) => {
    by += code.length - 1;
    if (code.length > 1) shifts.push({ at: offset + code.length - by, by });
    return plainOf.get(code) ?? code;
  });
  return { text, shifts };
}

function originalOffset({ shifts }: PlainText, at: number): number {
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shifts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return at + (shifts[low - 1]?.by ?? 0);
}

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
function isTelling(lines: readonly string[]): boolean {
  return lines.filter((line) => /[\p{L}\p{N}]/u.test(line)).length >= 2;
}

/** The difference between an indentation and the wanted one, `undefined` if more than leading white space differs. */
function indentChange(own: string | undefined, wanted: string): IndentChange | undefined {
  if (own === undefined) return undefined;
  const deeper = own.length >= wanted.length;
  const [long, short] = deeper ? [own, wanted] : [wanted, own];
  return long.endsWith(short) ? { deeper, by: long.slice(0, long.length - short.length) } : undefined;
}

/** Number of a line that is none of the wanted ones. */
const OTHER = -1;
/** Number of a blank line. */
const BLANK = 0;

/** A line as {@link LineTokens} sees it. */
interface LineToken {
  /** Number of the line without white space around it: 0 for a blank line, -1 for one that is not wanted. */
  readonly bare: number;
  /**
   * Number of the line, and of how its indentation differs from that of the last line before it that is not blank. Lines have
   * the same numbers exactly if they are the same but for white space that all of them have before them, or lack.
   */
  readonly number: number;
  readonly indent: string;
}

/**
 * Numbers lines so that a text of lines can be looked for like one of characters, ignoring indentation. The part in
 * which two neighbours' indentations differ stays the same when both get the same white space before them.
 */
class LineTokens {
  readonly #bares = new Map<string, number>();
  readonly #numbers = new Map<string, number>();

  /** Tokens of the wanted lines. Only these lines are distinguished afterwards. */
  wanted(lines: readonly string[]): LineToken[] {
    for (const line of lines) {
      const bare = line.slice(indentLength(line), trimmedLength(line));
      if (bare !== "" && !this.#bares.has(bare)) this.#bares.set(bare, this.#bares.size + 1);
    }
    const next = this.sequence((key) => {
      const known = this.#numbers.get(key) ?? this.#numbers.size + 1;
      this.#numbers.set(key, known);
      return known;
    });
    return lines.map(next);
  }

  /** Makes tokens of further lines, given in their order. */
  sequence(numberOf = (key: string): number => this.#numbers.get(key) ?? OTHER): (line: string) => LineToken {
    let before = "";
    return (line) => {
      const from = indentLength(line);
      const to = trimmedLength(line);
      if (to <= from) return { bare: BLANK, number: BLANK, indent: "" };
      const indent = line.slice(0, from);
      const bare = this.#bares.get(line.slice(from, to)) ?? OTHER;
      const shared = before === indent ? from : sharedLength(before, indent);
      const number =
        bare === OTHER ? OTHER : numberOf(`${bare} ${before.slice(shared)} ${from - shared} ${indent.slice(shared)}`);
      before = indent;
      return { bare, number, indent };
    };
  }
}

/** White space that editors add and drop: spaces and tabs, nothing else. */
function isWhite(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function indentLength(line: string): number {
  let at = 0;
  while (at < line.length && isWhite(line.charCodeAt(at))) at += 1;
  return at;
}

function trimmedLength(line: string): number {
  let end = line.length;
  while (end > 0 && isWhite(line.charCodeAt(end - 1))) end -= 1;
  return end;
}

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
