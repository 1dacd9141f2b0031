import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from "diff";

/** Lines of context around each change. */
const CONTEXT = 3;

/** Bounds the time for two very different texts, which an agent can propose. Their diff replaces all lines. */
const MAX_CHANGED_LINES = 500;

/** A text and its name in the header of a diff. */
export interface DiffSide {
  /** The name, without line breaks. */
  readonly name: string;
  readonly text: string;
}

/**
 * The change from one text to another as a unified diff: one hunk for each changed region, with three lines of context. Empty
 * when nothing changed, unless it `isWhole`: then it is one hunk with every line. Lines are separated by `\n`, so a line break
 * at the end of a text is an empty last line.
 */
export function toUnifiedDiff(before: DiffSide, after: DiffSide, { isWhole = false } = {}): string {
  if (before.text === after.text && !isWhole) return "";
  const [old, now] = [toLines(before.text), toLines(after.text)];
  const context = isWhole ? Number.MAX_SAFE_INTEGER : CONTEXT;
  const options = { context, maxEditLength: MAX_CHANGED_LINES };
  const patch = structuredPatch(before.name, after.name, old.join(""), now.join(""), undefined, undefined, options);
  const names = { oldFileName: before.name, newFileName: after.name, oldHeader: undefined, newHeader: undefined };
  const hunks =
    before.text === after.text
      ? [toHunk(old, old, toHunkLines(" ", old))]
      : (patch?.hunks ?? [toHunk(old, now, [...toHunkLines("-", old), ...toHunkLines("+", now)])]);
  return formatPatch({ ...names, hunks }, FILE_HEADERS_ONLY).slice(0, -1);
}

function toHunkLines(sign: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => sign + line.slice(0, -1));
}

function toHunk(old: readonly string[], now: readonly string[], lines: readonly string[]): StructuredPatchHunk {
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines: [...lines] };
}

/** The lines of a text, each with a line break. */
function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").map((line) => `${line}\n`);
}
