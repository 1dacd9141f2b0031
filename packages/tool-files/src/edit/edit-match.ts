import { LineEndView } from "../text/line-end-view.ts";
import { textOffsets } from "../text/text-offsets.ts";
import type { EditableText } from "./editable-text.ts";
import { findAlike } from "./find-alike.ts";
import { findLines, isTelling, type IndentChange } from "./find-lines.ts";
import { retab, tabChanges, type TabChange } from "./retab.ts";

/**
 * How a text was found, strictest first: as it is; with other line ends; with other quotes, dashes and spaces, such as
 * a no-break space; with other trailing white space; with other indentation, by the same amount in every line, or by tabs
 * instead of spaces; without the line numbers that `read_file` prints. All other characters are the same in every tier.
 */
export type MatchTier = "exact" | "line_ends" | "characters" | "trailing_space" | "indentation" | "line_numbers";

/** The prefix that `read_file` puts before a line; an editor may have dropped the tab of an empty one. */
export const LINE_NUMBER = /^\d+(?:\t|$)/gm;

/** Places looked for before it is enough to know that a text is not unique. */
export const MAX_PLACES = 10_000;

/** A piece of {@link EditSearch.view}. */
export interface EditMatch {
  readonly from: number;
  readonly to: number;
  /** How the file is indented in comparison. Only in the tier `indentation`. */
  readonly indent?: IndentChange;
  /** Whether the file is indented by tabs, and the text by spaces, or the reverse. Only in the tier `indentation`. */
  readonly tabs?: TabChange;
}

/** The result of looking for a text: all places in the strictest tier that has one. */
export interface EditSearch {
  readonly tier: MatchTier;
  /** The view in which the places lie. */
  readonly view: LineEndView;
  /** At least one, at most {@link MAX_PLACES}. */
  readonly places: readonly EditMatch[];
  /** The text found, in units: as it stands in the view except for white space. */
  readonly wanted: string;
  /** Whether the text looked for had carriage returns of its own. */
  readonly carriageReturns: boolean;
}

/**
 * Looks for `old`, given in units, in one tier after the other until one has a place. Line ends do not tell two
 * places apart unless `old` has carriage returns: a model does not see them. `undefined`: there is none in any tier.
 */
export function findEditMatches(text: EditableText, old: string): EditSearch | undefined {
  const { units } = text;
  const carriageReturns = old.includes("\r");
  // Without a line feed there is no line end to be blind to.
  if (carriageReturns || !old.includes("\n")) {
    const places = occurrences(text, units, old);
    if (places.length === 1 || (carriageReturns && places.length > 1))
      return { tier: "exact", view: LineEndView.plain(units), places, wanted: old, carriageReturns };
  }
  const { view } = text;
  const wanted = old.replaceAll("\r\n", "\n");
  const found = { view, wanted, carriageReturns };
  const places = occurrences(text, view.text, wanted);
  const [first] = places;
  if (first !== undefined) {
    const same = units.slice(view.toOriginal(first.from), view.toOriginal(first.to)) === old;
    return { ...found, tier: same ? "exact" : "line_ends", places };
  }
  const alike = findAlike(text, view.text, wanted);
  if (alike.length > 0) return { ...found, tier: "characters", places: alike };
  const lines = findLines(view.text, text.markLength, wanted);
  if (lines.trailing.length > 0) return { ...found, tier: "trailing_space", places: lines.trailing };
  if (lines.indented.length > 0) return { ...found, tier: "indentation", places: lines.indented };
  const retabbed = retabbedMatches(text, view.text, wanted);
  if (retabbed !== undefined) return { ...found, ...retabbed, tier: "indentation" };
  const plain = withoutLineNumbers(wanted);
  if (plain === undefined) return undefined;
  const numbered = findLines(view.text, text.markLength, plain).trailing;
  return numbered.length === 0 ? undefined : { ...found, tier: "line_numbers", places: numbered, wanted: plain };
}

/** Where `wanted` is when its lines are indented by tabs instead of spaces, or the reverse, each to the same depth. */
function retabbedMatches(
  file: EditableText,
  text: string,
  wanted: string,
): Pick<EditSearch, "places" | "wanted"> | undefined {
  if (!isTelling(wanted.split("\n"))) return undefined;
  const forms = new Map(tabChanges(wanted).map((tabs) => [retab(wanted, tabs), tabs]));
  forms.delete(wanted);
  const found = [...forms].flatMap(([form, tabs]) =>
    findLines(text, file.markLength, form).trailing.map((place) => ({ form, place: { ...place, tabs } })),
  );
  const [first] = found;
  return first && { places: found.map(({ place }) => place), wanted: first.form };
}

/** A text without the line number and tab that `read_file` puts before each line. `undefined` unless all have them, in order. */
function withoutLineNumbers(text: string): string | undefined {
  const lines = text.replace(/\n$/, "").split("\n");
  const first = Number(/^\d+/.exec(text)?.[0]);
  const numbered = lines.every((line, index) => /^\d+(?=\t|$)/.exec(line)?.[0] === String(first + index));
  return numbered ? text.replace(LINE_NUMBER, "") : undefined;
}

/** Where `wanted` is, overlapping places included. */
function occurrences(text: EditableText, units: string, wanted: string): EditMatch[] {
  const places: EditMatch[] = [];
  for (const at of textOffsets(units, wanted)) {
    if (text.isWhole(units, at, at + wanted.length)) places.push({ from: at, to: at + wanted.length });
    if (places.length === MAX_PLACES) break;
  }
  return places;
}
