import { type Edit, editBytes, type EditSettings, firstLineEnd } from "../edit/edit-bytes.ts";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import { asBuffer } from "../text/bytes.ts";
import { type FirstLine, LineNumbers } from "../text/line-numbers.ts";
import { detectEncoding } from "../text/text-encoding.ts";
import { unifiedDiff } from "../version/unified-diff.ts";
import type { PatchHunk } from "./parse-patch.ts";

/** Bytes of a file, counted once for each piece, that are worked on. */
const MAX_WORK = 256 * 1024 * 1024;
/** Places named when a piece is there several times. */
const MAX_NAMED = 20;

/**
 * Applies the pieces of a patch to the bytes of a file, from its beginning to its end. A piece is looked for after the
 * one before and, with headers, after their lines. Without a header it has to be there once; then it may differ as in
 * `edit_file`. Everything else stays, byte for byte.
 *
 * @throws {FilesError} Codes `text_not_found`, `text_ambiguous`, `binary_file`, `file_too_large`.
 */
export function patchBytes(bytes: Buffer, hunks: readonly PatchHunk[], attempt: string, firstLine?: FirstLine): Buffer {
  const numbers = new LineNumbers(firstLine);
  if (bytes.length * hunks.length > MAX_WORK)
    throw new FilesError(`${attempt}: it is too long for ${hunks.length} pieces, use edit_file`, {
      code: "file_too_large",
    });
  const settings: EditSettings = { firstLine, lineEnd: firstLineEnd(detectEncoding(bytes)?.decode(bytes) ?? "") };
  let now = bytes;
  let cursor = 0;
  for (const [index, hunk] of hunks.entries()) {
    const which = `${attempt}: piece ${index}`;
    const lines = linesOf(now, which);
    const { edit, next } = hunkEdit(lines, hunk, cursor, { which, numbers });
    if (edit.old_text !== edit.new_text)
      now = edit.old_text === "" ? added(now, edit, settings) : applied(now, edit, which, settings);
    cursor = next;
  }
  return now;
}

function applied(bytes: Buffer, edit: Edit, which: string, settings: EditSettings): Buffer {
  try {
    return editBytes(bytes, [edit], which, settings).bytes;
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    const message = error.message.replace("edits[0].old_text", "it").replaceAll("old_text", "the patch");
    throw new FilesError(message, { code: error.code, cause: error });
  }
}

/** A file that is empty, at first or by a piece before. */
function added(bytes: Buffer, { new_text }: Edit, { lineEnd = "\n" }: EditSettings): Buffer {
  const text = new_text.replaceAll("\n", lineEnd);
  return Buffer.concat([bytes, detectEncoding(bytes)?.encode(text) ?? Buffer.from(text)]);
}

/** The lines of a file with LF line ends; the last one is empty if the file ends with a line end. */
function linesOf(bytes: Buffer, which: string): readonly string[] {
  const encoding = detectEncoding(bytes);
  if (encoding === undefined) throw new BinaryFileError(`${which}: the file is binary, only text can be patched`);
  return encoding
    .decode(bytes)
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
}

interface HunkEdit {
  readonly edit: Edit;
  /** The line after the piece, once it is applied. */
  readonly next: number;
}

function hunkEdit(
  lines: readonly string[],
  { headers, old, now, atEnd }: PatchHunk,
  cursor: number,
  { which, numbers }: { readonly which: string; readonly numbers: LineNumbers },
): HunkEdit {
  let from = cursor;
  for (const header of headers) {
    const found = headerLines(lines, header.trim(), from);
    if (found.length !== 1)
      throw new FilesError(
        `${which}: its header ${JSON.stringify(header.slice(0, 200))} is ${found.length === 0 ? "no line" : "the beginning of several lines"} of the file after line ${numbers.of(from)} (${numbers.based}), nothing was changed`,
        { code: found.length === 0 ? "text_not_found" : "text_ambiguous" },
      );
    from = found[0]!;
  }
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (old.length === 0) return insertion(lines, headers.length > 0 ? from + 1 : count, now);
  const places = placesOf(lines, old, from, count).filter((at) => !atEnd || at + old.length === count);
  const [first, ...others] = places;
  const text = (some: readonly string[]) => some.map((line) => `${line}\n`).join("");
  if (first === undefined) return { edit: { old_text: text(old), new_text: text(now) }, next: cursor };
  const named = places.slice(0, MAX_NAMED).map((place) => numbers.of(place));
  if (others.length > 0 && headers.length === 0)
    throw new FilesError(
      `${which}: it is there ${places.length} times, at lines ${named.join(", ")} (${numbers.based}), nothing was changed; add lines around it, or a line above it after @@`,
      { code: "text_ambiguous" },
    );
  return replacement(lines, first, old.length, now);
}

/** The first line that a header is; where there is none, all that begin with it: `class A` stands for `class A(B):`. */
function headerLines(lines: readonly string[], header: string, from: number): readonly number[] {
  const begun: number[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!.trim();
    if (line === header) return [at];
    if (header !== "" && line.startsWith(header) && !/^\w/.test(line.slice(header.length, header.length + 1)))
      begun.push(at);
  }
  return begun;
}

function placesOf(lines: readonly string[], old: readonly string[], from: number, count: number): number[] {
  const places: number[] = [];
  for (let at = from; at + old.length <= count; at += 1) {
    if (lines[at] === old[0] && old.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}

function insertion(lines: readonly string[], at: number, now: readonly string[]): HunkEdit {
  if (at === 0) return { edit: { old_text: "", new_text: now.map((line) => `${line}\n`).join("") }, next: now.length };
  const { edit } = replacement(lines, at - 1, 1, [lines[at - 1]!, ...now]);
  return { edit, next: at + now.length };
}

/** The edit that replaces lines, with as many lines around them as make it unique. */
function replacement(lines: readonly string[], at: number, length: number, now: readonly string[]): HunkEdit {
  const all = lines.join("\n");
  let [before, after] = [at, at + length];
  const textOf = (some: readonly string[], last: number) =>
    some.join("\n") + (some.length > 0 && last < lines.length ? "\n" : "");
  let step = 1;
  while (!isUnique(all, textOf(lines.slice(before, after), after)) && (before > 0 || after < lines.length)) {
    before = Math.max(0, before - step);
    after = Math.min(lines.length, after + step);
    step *= 2;
  }
  const kept = [lines.slice(before, at), lines.slice(at + length, after)] as const;
  const changed = [...kept[0], ...now, ...kept[1]];
  const new_text =
    after < lines.length || kept[1].length === 0 ? changed.map((line) => `${line}\n`).join("") : changed.join("\n");
  return { edit: { old_text: textOf(lines.slice(before, after), after), new_text }, next: at + now.length };
}

function isUnique(text: string, piece: string): boolean {
  const first = text.indexOf(piece);
  return first !== -1 && text.indexOf(piece, first + 1) === -1;
}

/** Bytes of a file that is patched while nothing else is done. */
const MAX_QUICK_BYTES = 32 * 1024;
/** Pieces, and lines and characters of them, for which that holds. */
const MAX_QUICK_HUNKS = 8;
const MAX_QUICK_LINES = 200;
const MAX_QUICK_CHARS = 16 * 1024;

/** A file as it was read, and the pieces to change. It can be sent to a thread. */
export interface PatchRequest {
  readonly attempt: string;
  /** Path of the file, for the diff. */
  readonly path: string;
  readonly now: Buffer;
  readonly hunks: readonly PatchHunk[];
  /** The number of the file's first line, for errors. */
  readonly firstLine: FirstLine;
}

export interface Patched {
  readonly bytes: Buffer;
  readonly diff: string;
}

/** Patches a file in this thread. Throws as {@link patchBytes}. */
export function patched({ attempt, path, hunks, firstLine, ...request }: PatchRequest): Patched {
  const now = asBuffer(request.now);
  const bytes = patchBytes(now, hunks, attempt, firstLine);
  return { bytes, diff: unifiedDiff(path, now, bytes) };
}

/** Whether that takes a few milliseconds at most, in the worst case for its file and patch. */
export function isQuickPatch({ now, hunks }: PatchRequest): boolean {
  if (now.length > MAX_QUICK_BYTES || hunks.length > MAX_QUICK_HUNKS) return false;
  const lines = hunks.flatMap(({ headers, old, now: lasting }) => [headers, old, lasting]).flat();
  return lines.length <= MAX_QUICK_LINES && lines.reduce((sum, line) => sum + line.length, 0) <= MAX_QUICK_CHARS;
}
