import { diffArrays } from "diff";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import { asBuffer } from "../text/bytes.ts";
import { countLineFeeds } from "../text/line-index.ts";
import type { FirstLine } from "../text/line-numbers.ts";
import { assertStated, detectEncoding } from "../text/text-encoding.ts";
import { binaryReason } from "../text/text-kind.ts";
import { contentVersion } from "../version/content-version.ts";
import { unifiedDiff } from "../version/unified-diff.ts";
import { type ChangedFile, versionConflict } from "../version/version-conflict.ts";
import { type AppliedEdit, type Edit, editBytes, type EditedBytes } from "./edit-bytes.ts";

/** Bytes of file and edits, the file counted once for each edit, that are worked on while nothing else is. */
const MAX_QUICK_BYTES = 32 * 1024;
/** Lines taken out and put in, whose comparison may take time that grows with their square. */
const MAX_QUICK_LINES = 400;

/** A file as it was read, and the edits to make. It can be sent to a thread. */
export interface EditRequest {
  readonly attempt: string;
  readonly path: string;
  readonly now: Buffer;
  readonly edits: readonly Edit[];
  /** The encoding of the file, if the caller states it: a name that `encodingName` gives. */
  readonly encoding?: string | undefined;
  /** The number of the file's first line, for errors. */
  readonly firstLine?: FirstLine;
  /** The version they were made for, if one was given. */
  readonly expected: Pick<ChangedFile, "ifVersion" | "base"> | undefined;
}

export interface EditOutcome {
  readonly bytes: Buffer;
  /** Their version, and that of the contents before. */
  readonly versions: readonly [before: string | undefined, now: string | undefined];
  /** One for each edit. */
  readonly applied: readonly AppliedEdit[];
  /** Whether the file was another version than the one that was given. */
  readonly merged: boolean;
  readonly diff: string;
}

/**
 * Applies edits to the contents of a file, without touching the disk.
 *
 * @throws {FilesError} When they cannot be applied. See {@link editBytes} and {@link mergeEdits}.
 */
export function makeEdit({ attempt, path, edits, encoding, firstLine, ...request }: EditRequest): EditOutcome {
  const now = asBuffer(request.now);
  const { expected } = request;
  const version = contentVersion(now);
  const merged = expected !== undefined && version !== expected.ifVersion;
  assertStated(now, encoding, attempt);
  if (detectEncoding(now, encoding) === undefined)
    throw new BinaryFileError(`${attempt}: ${binaryReason(now)}, edit_file edits text only`);
  const { bytes, applied } = merged
    ? mergeEdits(
        attempt,
        { ...expected, base: expected.base && asBuffer(expected.base), path, now, encoding },
        edits,
        firstLine,
      )
    : editBytes(now, edits, attempt, { encoding, firstLine });
  const diff = unifiedDiff(path, now, bytes, encoding);
  return { bytes, versions: [version, contentVersion(bytes)], applied, merged, diff };
}

/** Whether an edit takes a few milliseconds at most, in the worst case for its file and edits. */
export function isQuickEdit({ now, edits, encoding, expected }: EditRequest): boolean {
  const texts = edits.flatMap(({ old_text, new_text }) => [old_text, new_text]);
  const length = texts.reduce((sum, text) => sum + text.length, now.length * edits.length);
  // To load the table of an encoding takes long.
  if (length > MAX_QUICK_BYTES || encoding !== undefined) return false;
  const lines = texts.reduce((sum, text) => sum + lineCount(text), 0);
  if (lines > MAX_QUICK_LINES) return false;
  if (expected?.base === undefined || expected.ifVersion === contentVersion(now)) return true;
  return (
    now.length + expected.base.length <= MAX_QUICK_BYTES &&
    lines + countLineFeeds(now) + countLineFeeds(expected.base) <= MAX_QUICK_LINES
  );
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/**
 * Applies edits that were made for another version of a file: the three-way merge. They apply if each old text is in the
 * file as it is now, once and unchanged but for line ends, if they also apply to that version, and if they touch no line
 * that changed since. A version that is not known cannot be merged with.
 *
 * @throws {FilesError} Code `version_conflict`.
 */
function mergeEdits(
  attempt: string,
  file: ChangedFile & { readonly now: Buffer },
  edits: readonly Edit[],
  firstLine?: FirstLine,
): EditedBytes {
  const conflict = (why: string) => versionConflict(attempt, file, why);
  const { base, encoding } = file;
  const settings = { encoding, firstLine };
  if (base === undefined) throw conflict(", and that version is not known here, so the edits cannot be merged");
  const edited = orConflict(() => editBytes(file.now, edits, attempt, settings), "to the file as it is now", conflict);
  const loose = edited.applied.findIndex(({ tier }) => tier !== "exact" && tier !== "line_ends");
  if (loose !== -1) throw conflict(`, and edits[${loose}].old_text is in it with other white space only`);
  const wanted = orConflict(() => editBytes(base, edits, attempt, settings), "to that version", conflict);
  if (editsOverlap(base, file.now, wanted.bytes)) throw conflict(", and the edits touch lines that changed since");
  return edited;
}

function orConflict<T>(act: () => T, to: string, conflict: (why: string) => FilesError): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    const [reason = ""] = error.message.slice(error.message.indexOf("edits[")).split(/, nothing was changed|\n/);
    throw conflict(`, and the edits do not apply ${to}: ${reason}`);
  }
}

/** Lines put in or taken out above which two texts are not compared. */
const MAX_CHANGES = 2000;

/** Lines of a text that were taken out, and whether others were put in their place. Exclusive `end`. */
interface ChangedLines {
  readonly start: number;
  readonly end: number;
}

/**
 * Whether two changes of the same text touch each other's lines: one changes or takes out a line the other does too, puts
 * lines between lines the other replaces, or both put lines at the same place. Also true when there is too much to compare.
 */
export function editsOverlap(base: Buffer, one: Buffer, other: Buffer): boolean {
  const first = changedLines(base, one);
  const second = changedLines(base, other);
  if (first === undefined || second === undefined) return true;
  return first.some((mine) => second.some((theirs) => overlap(mine, theirs)));
}

function overlap(one: ChangedLines, other: ChangedLines): boolean {
  if (one.start === one.end && other.start === other.end) return one.start === other.start;
  return one.start < other.end && other.start < one.end;
}

function changedLines(before: Buffer, after: Buffer): ChangedLines[] | undefined {
  const [old, now] = [before, after].map((bytes) => bytes.toString("latin1").split("\n"));
  const changes = diffArrays(old!, now!, { maxEditLength: MAX_CHANGES });
  if (changes === undefined) return undefined;
  const lines: { start: number; end: number }[] = [];
  let at = 0;
  let open: { start: number; end: number } | undefined;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      open = undefined;
      at += count;
      continue;
    }
    if (open === undefined) lines.push((open = { start: at, end: at }));
    if (removed) open.end = at += count;
  }
  return lines;
}
