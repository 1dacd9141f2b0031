import { textOffsets } from "../text/text-offsets.ts";
import type { EditableText } from "./editable-text.ts";

/** Quotes, dashes and spaces that look like the one they begin with, and are replaced by it when texts are pasted or generated. */
const ALIKE: readonly (readonly [plain: string, others: string])[] = [
  ["'", "\u2018\u2019\u201b"],
  ['"', "\u201c\u201d\u201f"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
];
/** Any of them. */
export const UNUSUAL: RegExp = new RegExp(`[${ALIKE.map(([, others]) => others).join("")}]`, "g");
/** Places after which it is enough to know that a text is not unique. */
const MAX_FOUND = 1000;

/** A text with the plain quotes, dashes and spaces, and where its parts are in the text it was made of. */
interface PlainText {
  readonly text: string;
  /** Ends of the characters that became shorter: in the plain text, and how much shorter it is from there on. */
  readonly shifts: readonly { readonly at: number; readonly by: number }[];
}

/**
 * Looks for a text in units that differs from `wanted` in the kind of its quotes, dashes and spaces alone. Takes time linear in both.
 */
export function findAlike(
  file: EditableText,
  units: string,
  wanted: string,
): readonly { readonly from: number; readonly to: number }[] {
  const plainOf = new Map<string, string>();
  for (const [plain, others] of ALIKE) {
    for (const other of others) {
      const code = unitsOf(file, other);
      if (code !== undefined) plainOf.set(code, plain);
    }
  }
  const unusual = new RegExp(
    [...plainOf.keys()].map((code) => code.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"),
    "g",
  );
  if (plainOf.size === 0 || (!unusual.test(units) && !unusual.test(wanted))) return [];
  const [text, sought] = [units, wanted].map((some) => plainText(some, unusual, plainOf));
  const places: { from: number; to: number }[] = [];
  for (const at of textOffsets(text!.text, sought!.text)) {
    const from = originalOffset(text!, at);
    const to = originalOffset(text!, at + sought!.text.length);
    if (file.isWhole(units, from, to)) places.push({ from, to });
    if (places.length === MAX_FOUND) break;
  }
  return places;
}

function unitsOf(file: EditableText, character: string): string | undefined {
  try {
    return file.toUnits(character, "");
  } catch {
    // Its encoding lacks the character.
    return undefined;
  }
}

function plainText(units: string, unusual: RegExp, plainOf: ReadonlyMap<string, string>): PlainText {
  const shifts: { at: number; by: number }[] = [];
  let by = 0;
  const text = units.replace(unusual, (code, offset: number) => {
    by += code.length - 1;
    if (code.length > 1) shifts.push({ at: offset + code.length - by, by });
    return plainOf.get(code) ?? code;
  });
  return { text, shifts };
}

function originalOffset({ shifts }: PlainText, at: number): number {
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shifts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return at + (shifts[low - 1]?.by ?? 0);
}
