import type { PatternText } from "./pattern-text.ts";
import { propertySet } from "./unicode-property.ts";

const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;
const CLASSES: Readonly<Record<string, string>> = { d: String.raw`\p{Nd}`, w: WORD, s: String.raw`\p{White_Space}` };
const [BEFORE, NOT_BEFORE, AFTER, NOT_AFTER] = [`(?<=${WORD})`, `(?<!${WORD})`, `(?=${WORD})`, `(?!${WORD})`];
/** Not beside a byte that is no UTF-8. */
const BESIDE_TEXT = String.raw`(?<![\udc80-\udcff])(?![\udc80-\udcff])`;

const BOUNDARIES: Readonly<Record<string, string>> = {
  b: `(?:${BEFORE}${NOT_AFTER}|${NOT_BEFORE}${AFTER})`,
  B: `(?:${BESIDE_TEXT}(?:${BEFORE}${AFTER}|${NOT_BEFORE}${NOT_AFTER}))`,
  "b{start}": `(?:${NOT_BEFORE}${AFTER})`,
  "<": `(?:${NOT_BEFORE}${AFTER})`,
  "b{end}": `(?:${BEFORE}${NOT_AFTER})`,
  ">": `(?:${BEFORE}${NOT_AFTER})`,
  "b{start-half}": String.raw`(?:(?<![\udc80-\udcff])${NOT_BEFORE})`,
  "b{end-half}": String.raw`(?:(?![\udc80-\udcff])${NOT_AFTER})`,
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** The meaning of an escape: a character, members of a set, or a place between characters. */
export type Escape =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "set"; readonly members: string; readonly negated: boolean }
  | { readonly kind: "place"; readonly source: string };

/** Reads an escape, whose backslash was taken. */
export function readEscape(pattern: PatternText, inSet: boolean): Escape {
  const boundary = inSet ? undefined : pattern.match(/b\{(?:start|end)(?:-half)?\}|[bB<>]/y)?.[0];
  if (boundary !== undefined) return { kind: "place", source: BOUNDARIES[boundary]! };
  if (!inSet && pattern.take("A"))
    return { kind: "place", source: pattern.multiline ? String.raw`(?<![^])` : String.raw`(?<![^\n])` };
  if (!inSet && pattern.multiline && pattern.take("z")) return { kind: "place", source: "(?![^])" };
  const letter = pattern.character();
  if (letter === "") throw pattern.refuse("ends in a backslash");
  const members = CLASSES[letter.toLowerCase()];
  if (members !== undefined) return { kind: "set", members, negated: letter !== letter.toLowerCase() };
  if (letter === "p" || letter === "P") {
    const [, one, braced] = pattern.match(/(\p{L})|\{([^{}]*)\}/uy) ?? [];
    const property = propertySet(braced ?? one ?? "");
    if (property === undefined)
      throw pattern.refuse(`has the property ${JSON.stringify(braced ?? one)}, which the engine in use does not know`);
    return { kind: "set", members: property, negated: letter === "P" };
  }
  const code = CONTROLS[letter] ?? codeOf(letter, pattern);
  pattern.lineBreak(code);
  return { kind: "character", code };
}

function codeOf(letter: string, pattern: PatternText): number {
  const digits = { x: 2, u: 4, U: 8 }[letter];
  if (digits !== undefined) {
    const [, braced, plain] =
      pattern.match(new RegExp(String.raw`\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{${digits}})`, "y")) ?? [];
    const code = Number.parseInt(braced ?? plain ?? "", 16);
    if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return code;
    throw pattern.refuse(`has \\${letter} without the number of a character`);
  }
  if (/[0-9k]/.test(letter)) throw pattern.refuse("has a back-reference, which is not supported");
  if (/^[\0-\x7f]$/.test(letter) && !/[A-Za-z<>]/.test(letter)) return letter.codePointAt(0)!;
  throw pattern.refuse(`has \\${letter}, which the engine in use does not support`);
}
