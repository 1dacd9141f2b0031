import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from "diff";

/** Lines of context around each change. */
const CONTEXT = 3;

/** Bounds the time for two very different texts, which an agent can propose. Their diff replaces all lines. */
const MAX_CHANGED_LINES = 500;

/** A text and its name in the header of a diff. */
export interface DiffSide {
  /** The name, without line breaks. */
  readonly name: string;
  /** The text. */
  readonly text: string;
}

/**
 * The change from one text to another as a unified diff: one hunk for each changed region, with three lines of context. Empty
 * when nothing changed. Lines are separated by `\n`, so a line break at the end of a text is an empty last line.
 */
export function toUnifiedDiff(before: DiffSide, after: DiffSide): string {
  if (before.text === after.text) return "";
  const [old, now] = [toLines(before.text), toLines(after.text)];
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES };
  const patch = structuredPatch(before.name, after.name, old.join(""), now.join(""), undefined, undefined, options);
  const names = { oldFileName: before.name, newFileName: after.name, oldHeader: undefined, newHeader: undefined };
  return formatPatch(patch ?? { ...names, hunks: [replaceAll(old, now)] }, FILE_HEADERS_ONLY).slice(0, -1);
}

function replaceAll(old: readonly string[], now: readonly string[]): StructuredPatchHunk {
  const toHunkLines = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line.slice(0, -1));
  const lines = [...toHunkLines("-", old), ...toHunkLines("+", now)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
}

/** The lines of a text, each with a line break. */
function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").map((line) => `${line}\n`);
}
