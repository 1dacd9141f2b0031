import { FilesError } from "../error/files-error.ts";
import { dotsForLines, hasDots } from "../text/dots-omission.ts";
import { type FirstLine, LineNumbers } from "../text/line-numbers.ts";
import { missingLines, omittedLines } from "../text/omitted-lines.ts";
import { textOffsets } from "../text/text-offsets.ts";
import type { AppliedEdit } from "./applied-edit.ts";
import { findEditMatches, LINE_NUMBER, type EditMatch, type EditSearch } from "./edit-match.ts";
import { editReplacement, firstLineEnd } from "./edit-replacement.ts";
import { editableText, type EditableText } from "./editable-text.ts";
import { explainAmbiguity } from "./explain-ambiguity.ts";
import { explainNearer } from "./explain-nearer.ts";
import { explainNotFound } from "./explain-not-found.ts";
import { replaceAll } from "./replace-all.ts";
import { retab } from "./retab.ts";

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
