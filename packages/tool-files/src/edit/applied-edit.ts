import type { MatchTier } from "./edit-match.ts";
import type { IndentChange } from "./find-lines.ts";
import type { TabChange } from "./retab.ts";

export interface AppliedEdit {
  /** How its old text was found. */
  readonly tier: MatchTier;
  /** Whether line feeds of its new text were written as CRLF, as their surroundings are. */
  readonly crlf: boolean;
  /** How its new text was indented. Only in the tier `indentation`. */
  readonly indent: IndentChange | undefined;
  /** How tabs and spaces of its new text were exchanged. Only in the tier `indentation`. */
  readonly tabs?: TabChange | undefined;
  /** How many places were replaced. */
  readonly places: number;
}
