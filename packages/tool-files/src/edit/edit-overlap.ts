import { diffArrays } from "diff";

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
