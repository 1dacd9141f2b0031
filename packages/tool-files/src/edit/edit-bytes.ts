import { diffArrays } from "diff";
import { FilesError } from "../error/files-error.ts";
import { type FirstLine, LineNumbers } from "../text/line-numbers.ts";
import { dotsForLines, hasDots, missingLines, omittedLines } from "../text/omitted-lines.ts";
import { textOffsets } from "../text/text-offsets.ts";
import { MAX_EDIT_BYTES } from "../version/content-version.ts";
import {
  type EditMatch,
  type EditSearch,
  findEditMatches,
  type IndentChange,
  LINE_NUMBER,
  type MatchTier,
  MAX_PLACES,
  retab,
  type TabChange,
} from "./edit-match.ts";
import { editableText, type EditableText } from "./editable-text.ts";
import { explainAmbiguity, explainNearer, explainNotFound } from "./explain-failure.ts";

export interface Edit {
  /** The text to replace. Must occur exactly once when this edit is made. */
  readonly old_text: string;
  readonly new_text: string;
  /** Whether to replace every place, found as it is or with other line ends. Default false. */
  readonly replace_all?: boolean | undefined;
}

/** How a file is read. */
export interface EditSettings {
  /** The encoding of the file. Default: UTF-8 or UTF-16, recognised by its bytes. */
  readonly encoding?: string | undefined;
  /** The number of its first line, for errors. Default 0. */
  readonly firstLine?: FirstLine | undefined;
  /** The line end where the file has none left. Default: that of its first line, else LF. */
  readonly lineEnd?: string | undefined;
}

export interface AppliedEdit {
  /** How its old text was found. */
  readonly tier: MatchTier;
  /** Whether line feeds of its new text were written as CRLF, as their surroundings are. */
  readonly crlf: boolean;
  /** How its new text was indented. Only in the tier `indentation`. */
  readonly indent: IndentChange | undefined;
  /** How tabs and spaces of its new text were exchanged. Only in the tier `indentation`. */
  readonly tabs?: TabChange | undefined;
  /** How many places were replaced. */
  readonly places: number;
}

export interface EditedBytes {
  /** The new bytes. Outside the replaced places they are the old ones. */
  readonly bytes: Buffer;
  /** One for each edit. */
  readonly applied: readonly AppliedEdit[];
}

/** Units of a file that is looked at for lines that a comment of dots stands for. */
const MAX_UNITS = 4 * 1024 * 1024;
/** Models send an empty text to create a file, or to insert one. */
const EMPTY_ADVICE =
  "; create_file makes a new file, write_file replaces one, and an edit that inserts has the text beside it in both texts";

/**
 * Applies edits in order, each to the result of the one before, all or none. Bytes outside the replaced text are not
 * decoded and stay as they are. See {@link MatchTier} for how a text is found and {@link editReplacement} for the
 * written text.
 *
 * @throws {FilesError} When one cannot be applied; codes `invalid_edit`, `omitted_text`, `text_not_found`,
 * `text_ambiguous`, `not_encodable`, `unknown_encoding`. The message begins with `attempt` and names the edit.
 */
export function editBytes(
  original: Buffer,
  edits: readonly Edit[],
  attempt: string,
  { encoding, firstLine, lineEnd }: EditSettings = {},
): EditedBytes {
  assertEdits(edits, attempt);
  const numbers = new LineNumbers(firstLine);
  const unchanged = editableText(original, encoding);
  const usual = lineEnd ?? firstLineEnd(unchanged.units);
  let text = unchanged;
  const applied: AppliedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const which = `${attempt}: edits[${index}]`;
    const { written, ...how } = applyEdit(text, edit, which, { original: unchanged, numbers, lineEnd: usual });
    text = written;
    applied.push(how);
  }
  if (edits.some(({ old_text, new_text }) => hasDots(new_text) && !hasDots(old_text)))
    assertNoLinesLost(unchanged, text, attempt);
  return { bytes: text.toBytes(text.units), applied };
}

/** Refuses edits that no file can take; code `invalid_edit`. */
export function assertEdits(edits: readonly Edit[], attempt: string): void {
  for (const [index, { old_text, new_text }] of edits.entries()) {
    const invalid = (found: string, advice = "") =>
      new FilesError(`${attempt}: edits[${index}]${found}, nothing was changed${advice}`, { code: "invalid_edit" });
    if (old_text === "") throw invalid(".old_text is empty, it has to be text of the file", EMPTY_ADVICE);
    if (old_text === new_text) throw invalid(".new_text is the same as old_text");
    if (!old_text.isWellFormed() || !new_text.isWellFormed())
      throw invalid(" holds half a surrogate pair, send whole characters");
  }
}

function applyEdit(
  text: EditableText,
  { old_text, new_text, replace_all }: Edit,
  which: string,
  {
    original,
    numbers,
    lineEnd,
  }: { readonly original: EditableText; readonly numbers: LineNumbers; readonly lineEnd: string },
): AppliedEdit & { written: EditableText } {
  const old = text.toUnits(old_text, `${which}.old_text`);
  const newUnits = text.toUnits(new_text, `${which}.new_text`);
  assertNothingOmitted(text, old_text, new_text, which);
  assertWhole(text, old, which);
  const search = findEditMatches(text, old);
  const [place] = search?.places ?? [];
  if (search === undefined || place === undefined) {
    const before = original.units !== text.units && findEditMatches(original, old) !== undefined;
    const shown = text.toText(text.units.slice(text.markLength)).replaceAll("\r\n", "\n");
    throw notFound(which, explainNotFound(shown, old_text.replaceAll("\r\n", "\n"), { before, numbers }));
  }
  if (replace_all === true && search.places.length > 1 && (search.tier === "exact" || search.tier === "line_ends"))
    return replaceAll(text, search, newUnits, which);
  if (search.places.length > 1)
    throw new FilesError(`${which}.old_text ${explainAmbiguity(text, search, numbers)}`, { code: "text_ambiguous" });
  // Lines as they were sent may be there too, changed.
  const sent = place.tabs === undefined ? search : { ...search, wanted: old.replaceAll("\r\n", "\n") };
  const nearer = explainNearer(text, sent, place, numbers);
  if (nearer !== undefined) throw new FilesError(`${which}.old_text ${nearer}`, { code: "text_ambiguous" });
  if (cutsWord(search, place))
    throw notFound(which, "It is there only with a longer word at its end, the line was changed: send it as it is now");
  const given = place.tabs === undefined ? withoutNumbers(newUnits, search, which) : retab(newUnits, place.tabs);
  const piece = editReplacement(text.units, search, place, given, lineEnd);
  if (piece === undefined)
    throw notFound(which, "It is there with less indentation, and a line of new_text has too little to lose as much");
  const { view } = search;
  const written = text.replaced(view.toOriginal(place.from), view.toOriginal(place.to), piece);
  const crlf = piece.includes("\r\n") && !newUnits.includes("\r");
  return { tier: search.tier, crlf, indent: place.indent, tabs: place.tabs, written, places: 1 };
}

/** Refuses a new text with a line that stands for text which was left out, unless the file or the old text has that line. */
function assertNothingOmitted(file: EditableText, oldText: string, newText: string, which: string): void {
  const added = missingLines(omittedLines(newText), oldText);
  const [line] = missingLines(added, file.units, (one) => file.toUnits(one, `${which}.new_text`));
  if (line === undefined) return;
  throw new FilesError(
    `${which}.new_text has the line ${JSON.stringify(line)}, which stands for text that was left out, nothing was changed; old_text and new_text hold only the lines that change, or send all of the text`,
    { code: "omitted_text" },
  );
}

/** Refuses to replace what may be the second half of a character, such as `\\` of a Japanese one in Shift_JIS. */
function assertWhole(text: EditableText, old: string, which: string): void {
  const units = text.view.text;
  for (const at of textOffsets(units, old.replaceAll("\r\n", "\n"))) {
    if (!text.mayBeCut(units, at)) continue;
    throw new FilesError(
      `${which}.old_text may be the second half of a character, as the byte before it is in an unknown encoding, nothing was changed; state it with encoding, or begin old_text further left or right`,
      { code: "unknown_encoding" },
    );
  }
}

/** Refuses a comment of dots in place of lines that the file loses, as `write_file` does. */
function assertNoLinesLost(before: EditableText, after: EditableText, attempt: string): void {
  const textOf = (text: EditableText) => text.toText(text.units.slice(text.markLength));
  // A unit is a byte: a longer file has more characters than are looked at.
  const line = before.units.length > MAX_UNITS ? undefined : dotsForLines(textOf(after), textOf(before));
  if (line === undefined) return;
  throw new FilesError(
    `${attempt}: the line ${JSON.stringify(line)} stands for lines that the file would lose, nothing was changed; send them in new_text, or leave them out of old_text. If the comment is meant to be there, take the lines out first and add it by another call`,
    { code: "omitted_text" },
  );
}

/**
 * Whether a text begins as a line does and ends within a word: then that word was changed since. A word or two, or a
 * piece that begins within a line, are taken to be cut out on purpose.
 */
function cutsWord({ view: { text }, wanted }: EditSearch, { from, to }: EditMatch): boolean {
  const begins = from === 0 || text[from - 1] === "\n";
  if (!begins || !/\w$/.test(wanted) || !/\w/.test(text[to] ?? "")) return false;
  return /\n.*\w{3}$/.test(wanted) || (wanted.match(/\w+/g)?.length ?? 0) >= 4;
}

function withoutNumbers(newText: string, { tier }: EditSearch, which: string): string {
  if (tier !== "line_numbers") return newText;
  const lines = newText.split("\n").filter((line) => line !== "");
  const numbered = lines.filter((line) => /^\d+\t/.test(line)).length;
  if (numbered === 0) return newText;
  if (numbered === lines.length) return newText.replace(LINE_NUMBER, "");
  throw notFound(which, "It has the line numbers of read_file and new_text has them on some lines: leave them all out");
}

function notFound(which: string, reason: string): FilesError {
  return new FilesError(`${which}.old_text was not found, nothing was changed\n${reason}`, { code: "text_not_found" });
}

/**
 * Replaces every place that was found, from the first on; one that overlaps the place before it stays.
 *
 * @throws {FilesError} When there are 10,000 places or more (`text_ambiguous`), or the file would become longer than 8 MiB.
 */
function replaceAll(
  text: EditableText,
  search: EditSearch,
  newUnits: string,
  which: string,
): AppliedEdit & { written: EditableText } {
  const { view, places, tier } = search;
  if (places.length >= MAX_PLACES)
    throw new FilesError(
      `${which}.old_text is there ${MAX_PLACES} times or more, nothing was changed; use longer texts`,
      {
        code: "text_ambiguous",
      },
    );
  if (text.units.length + places.length * newUnits.length > MAX_EDIT_BYTES * 2)
    throw new FilesError(`${which} would make the file too long, allowed are ${MAX_EDIT_BYTES} bytes`, {
      code: "file_too_large",
    });
  const oneLine = !newUnits.includes("\n") && !search.wanted.includes("\n");
  const first = view.toOriginal(places[0]!.from);
  let [written, end, count, crlf] = ["", first, 0, false];
  for (const place of places) {
    const from = view.toOriginal(place.from);
    if (from < end) continue;
    const piece = oneLine
      ? newUnits
      : (editReplacement(text.units, search, place, newUnits, firstLineEnd(text.units)) ?? newUnits);
    written += text.units.slice(end, from) + piece;
    end = view.toOriginal(place.to);
    crlf ||= piece.includes("\r\n") && !newUnits.includes("\r");
    count += 1;
  }
  return { tier, crlf, indent: undefined, places: count, written: text.replaced(first, end, written) };
}

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
function editReplacement(
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
