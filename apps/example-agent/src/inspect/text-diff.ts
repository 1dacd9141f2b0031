import { structuredPatch } from "diff";

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 2;

/** The changes from one text to another as rows of a unified diff, with `@@` between hunks. */
export function textDiff(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch("", "", closed(before), closed(after), "", "", { context: CONTEXT_LINES });
  return hunks.flatMap(({ lines }, index) => [...(index === 0 ? [] : ["@@"]), ...lines]);
}

/** Ends the last line, so that a missing line break is no change. */
function closed(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
