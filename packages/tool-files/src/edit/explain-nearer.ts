import type { LineNumbers } from "../text/line-numbers.ts";
import type { EditMatch, EditSearch } from "./edit-match.ts";
import type { EditableText } from "./editable-text.ts";
import { ASIDE, lineNumbers } from "./explain-ambiguity.ts";
import { describeRegion } from "./explain-not-found.ts";
import { nearerLines } from "./nearer-lines.ts";

/**
 * Reports that a text was found by ignoring a difference while other lines are nearer to it except for changed words:
 * these may be meant. `undefined` if there are none, or no difference was ignored.
 */
export function explainNearer(
  file: EditableText,
  { tier, view, wanted }: EditSearch,
  place: EditMatch,
  numbers: LineNumbers,
): string | undefined {
  if (ASIDE[tier] === "") return undefined;
  const lines = view.text.slice(file.markLength).split("\n");
  const old = wanted.replace(/\n$/, "").split("\n");
  const [at] = lineNumbers(view.text, [place]);
  const nearer = nearerLines(lines, old, at!);
  if (nearer === undefined) return undefined;
  const shown = (some: readonly string[]) => some.map((line) => file.toText(line));
  const region = describeRegion(shown(lines), shown(old), nearer, file.toText(wanted), numbers);
  return `${ASIDE[tier]}is at line ${numbers.of(at!)} (${numbers.based}), but other lines have more of it exactly and may be meant, nothing was changed; copy old_text from the file as it is now:\n${region}`;
}
