import { asBuffer } from "../text/as-buffer.ts";
import type { FirstLine } from "../text/line-numbers.ts";
import { unifiedDiff } from "../version/unified-diff.ts";
import type { PatchHunk } from "./parse-patch.ts";
import { patchBytes } from "./patch-bytes.ts";

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
