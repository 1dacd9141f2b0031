import { structuredPatch } from "diff";

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 2;
/** Changed lines up to which the shortest diff is looked for: that takes time with the square of them. */
const MAX_CHANGED_LINES = 500;

/** The changes from one text to another as rows of a unified diff, with `@@` between hunks. */
export function textDiff(before: string, after: string): readonly string[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_CHANGED_LINES };
  const patch = structuredPatch("", "", closed(before), closed(after), "", "", options);
  if (patch === undefined) return [...linesOf(before, "-"), ...linesOf(after, "+")];
  return patch.hunks.flatMap(({ lines }, index) => [...(index === 0 ? [] : ["@@"]), ...lines]);
}

function linesOf(text: string, sign: string): readonly string[] {
  const lines = closed(text).split("\n").slice(0, -1);
  return lines.map((line) => `${sign}${line}`);
}

/** Ends the last line, so that a missing line break is no change. */
function closed(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
