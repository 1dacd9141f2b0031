const CONTEXT = 3;

/** A text and what its header line calls it: a name without line breaks. */
export interface DiffSide {
  /** Stands in the header. */
  readonly name: string;
  /** The text. */
  readonly text: string;
}

/**
 * The change from one text to another as a unified diff: one hunk with three lines of context, empty when nothing
 * changed. Not always the smallest diff: between the first and the last changed line everything counts as changed, so
 * its cost grows with the length of the texts alone.
 */
export function toUnifiedDiff(before: DiffSide, after: DiffSide): string {
  if (before.text === after.text) return "";
  const old = toLines(before.text);
  const now = toLines(after.text);
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const from = Math.max(0, head - CONTEXT);
  const keep = Math.min(tail, CONTEXT);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + keep).map((line) => ` ${line}`),
  ];
  const range = (length: number): string => {
    const count = length - tail + keep - from;
    return `${count === 0 ? from : from + 1},${count}`;
  };
  return [
    `--- ${before.name}`,
    `+++ ${after.name}`,
    `@@ -${range(old.length)} +${range(now.length)} @@`,
    ...lines,
  ].join("\n");
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}
