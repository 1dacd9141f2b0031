import { BinaryFileError } from "../error/files-error.ts";
import { asBuffer } from "../text/as-buffer.ts";
import type { FirstLine } from "../text/line-numbers.ts";
import { countLineFeeds } from "../text/newline.ts";
import { assertStated, detectEncoding } from "../text/text-encoding.ts";
import { binaryReason } from "../text/text-kind.ts";
import { contentVersion } from "../version/content-version.ts";
import { unifiedDiff } from "../version/unified-diff.ts";
import type { ChangedFile } from "../version/version-conflict.ts";
import type { AppliedEdit } from "./applied-edit.ts";
import { editBytes, type Edit } from "./edit-bytes.ts";
import { mergeEdits } from "./merge-edits.ts";

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
