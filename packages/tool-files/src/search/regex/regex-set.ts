import { type PatternFlags, type PatternText, written } from "./pattern-text.ts";
import { readEscape } from "./regex-escape.ts";

/** Invalid UTF-8 bytes, as `escapedText` writes them: no class holds them. */
const NO_TEXT = String.raw`\udc80-\udcff`;
/** Sets in sets. */
const MAX_DEPTH = 100;
/** Classes of POSIX: of ASCII only, as in Rust. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: String.raw`\0-\x7f`,
  blank: String.raw`\t\x20`,
  cntrl: String.raw`\0-\x1f\x7f`,
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: String.raw`\t-\r\x20`,
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** Members of a set, all characters but these if negated, as a set of JavaScript's flag `v`. */
export function setOf(members: string, negated: boolean, multiline: boolean): string {
  // A carriage return may end a line, so on a line no class holds one.
  const without = multiline ? NO_TEXT : String.raw`${NO_TEXT}\r\n`;
  return `[${negated ? `[^${members}]` : `[${members}]`}--[${without}]]`;
}

/** Reads a set, whose bracket was taken. */
export function readSet(pattern: PatternText, flags: PatternFlags): string {
  return setOf(readMembers(pattern, flags, 0), false, pattern.multiline);
}

/** Reads the contents of brackets. Operations have all the same rank and are carried out from left to right. */
function readMembers(pattern: PatternText, flags: PatternFlags, depth: number): string {
  if (depth > MAX_DEPTH) throw pattern.refuse(`has more than ${MAX_DEPTH} sets in sets`);
  const negated = pattern.take("^");
  let items = "";
  let [left, operation]: [string, string] = ["", ""];
  const combined = () => (operation === "" ? `[${items}]` : combine(left, operation, `[${items}]`));
  pattern.skipSpace(flags);
  while (pattern.take("-")) items += "\\-";
  if (items === "" && pattern.take("]")) items = "\\]";
  for (;;) {
    pattern.skipSpace(flags);
    const [found] = pattern.match(/&&|--|~~/y) ?? [];
    if (found !== undefined) {
      [left, operation, items] = [combined(), found, ""];
      continue;
    }
    if (pattern.ended) throw pattern.refuse("has a set without an end");
    if (pattern.take("]")) return negated ? `[^${combined()}]` : combined();
    items += readItem(pattern, flags, depth);
  }
}

function combine(left: string, operation: string, right: string): string {
  return operation === "~~" ? `[[${left}--${right}][${right}--${left}]]` : `[${left}${operation}${right}]`;
}

function readItem(pattern: PatternText, flags: PatternFlags, depth: number): string {
  const [, not, name = ""] =
    pattern.match(new RegExp(String.raw`\[:(\^?)(${Object.keys(POSIX).join("|")}):\]`, "y")) ?? [];
  if (POSIX[name] !== undefined) return not === "^" ? `[^${POSIX[name]}]` : `[${POSIX[name]}]`;
  if (pattern.take("[")) return readMembers(pattern, flags, depth + 1);
  const first = readMember(pattern);
  pattern.skipSpace(flags);
  const { at } = pattern;
  if (!pattern.take("-")) return typeof first === "string" ? first : written(first);
  pattern.skipSpace(flags);
  if (pattern.next === "]" || pattern.next === "-" || pattern.next === "") {
    pattern.at = at;
    if (pattern.next === "-" && pattern.text[at + 1] === "-") return typeof first === "string" ? first : written(first);
    pattern.at = at + 1;
    return `${typeof first === "string" ? first : written(first)}\\-`;
  }
  const last = readMember(pattern);
  if (typeof first === "string" || typeof last === "string") throw pattern.refuse("has a range that ends in a class");
  if (first > last) throw pattern.refuse("has a range whose start is behind its end");
  return `${written(first)}-${written(last)}`;
}

/** The code of a character, or a class. */
function readMember(pattern: PatternText): number | string {
  const character = pattern.character();
  if (character !== "\\") {
    const code = character.codePointAt(0)!;
    pattern.lineBreak(code);
    return code;
  }
  const escape = readEscape(pattern, true);
  if (escape.kind === "character") return escape.code;
  if (escape.kind === "set") return escape.negated ? `[^${escape.members}]` : `[${escape.members}]`;
  throw pattern.refuse("has a boundary in a set");
}
