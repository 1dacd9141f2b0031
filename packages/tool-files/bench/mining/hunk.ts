import { diffArrays, structuredPatch } from "diff";
import type { FileChange } from "./file-change.ts";

/** One changed place in a file's history, with the lines around it: the edit that a model would send. */
export interface Hunk {
  /** Where it is from, for a report. */
  readonly source: string;
  /** Lines of the file before. The last is empty if the file ends with a line feed. */
  readonly file: readonly string[];
  /** First line of the hunk, 0-based. */
  readonly start: number;
  /** Its lines before. */
  readonly old: readonly string[];
  /** Whether the line feed after the last line is part of the replaced text. */
  readonly closed: boolean;
  /** Its lines after. */
  readonly now: readonly string[];
  /** For each line of {@link Hunk.now}, which line of {@link Hunk.old} it is, or stands for. */
  readonly steps: readonly HunkStep[];
}

/** Where a line of the new text comes from. */
interface HunkStep {
  /** Whether it is that line. Otherwise it only stands where that line was, or comes after it. */
  readonly kept: boolean;
  /** A line of the old text. */
  readonly line: number;
}

const MAX_LINES = 60;

/** The hunks of a change that are there once and have two lines that are not blank. */
export function hunksOf({ source, before, after }: FileChange): Hunk[] {
  // Models send as much as diffs show, or less.
  const context = [3, 3, 1, 0][before.length % 4]!;
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, { context, maxEditLength: 3000 });
  const file = before.split("\n");
  return (patch?.hunks ?? []).flatMap(({ oldStart, oldLines, lines }, index) => {
    const old = lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1));
    const now = lines.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1));
    const start = oldStart - 1;
    if (oldLines < 2 || oldLines > MAX_LINES || lines.some((line) => line.startsWith("\\"))) return [];
    const closed = now.length === 0 || (index + start) % 2 === 0;
    const text = old.join("\n");
    const unique = before.indexOf(text) === before.lastIndexOf(text);
    const rich = old.filter((line) => line.trim() !== "").length >= 2 && now.join("\n") !== text;
    // A last line that gave up its line feed is no hunk of whole lines.
    const whole = file.slice(start, start + old.length).join("\n") === text && start + old.length < file.length;
    return unique && rich && whole ? [{ source, file, start, old, now, closed, steps: stepsOf(old, now) }] : [];
  });
}

function stepsOf(old: readonly string[], now: readonly string[]): HunkStep[] {
  const steps: HunkStep[] = [];
  let line = 0;
  let removed = 0;
  for (const change of diffArrays([...old], [...now])) {
    if (change.removed) {
      removed = change.count;
      line += change.count;
      continue;
    }
    for (let nth = 0; nth < change.count; nth += 1) {
      if (!change.added) steps.push({ kept: true, line: line + nth });
      else if (removed > 0) steps.push({ kept: false, line: Math.min(line - removed + nth, line - 1) });
      else steps.push({ kept: false, line: Math.max(0, line - 1) });
    }
    if (!change.added) line += change.count;
    removed = 0;
  }
  return steps;
}
