import { lineComment } from "./doc-comment.ts";
import type { StubDetail, ToolStub } from "./tool-stub.ts";

/** How stubs are fitted into a limit. */
export interface StubLimit {
  /** The highest level of detail. */
  readonly detail: StubDetail;
  /** Limit of the whole text, in characters. A comment that counts the omissions stays even beyond it. */
  readonly maxChars: number;
  /** Whether bodies are left out. */
  readonly declarations: boolean;
  /** The beginning of the text. */
  readonly head: string;
  /** Explains how to learn the omitted parts. */
  readonly hint: string;
}

/**
 * The level of detail of one tool. A function in a list has a name and nothing else: only a declaration can stand
 * there.
 */
type Level = "omitted" | "listed" | StubDetail;

/** Characters of a line of names. */
const LINE_CHARS = 110;

/**
 * The source of stubs within a limit: first the names of all, then signatures, then documentation, each for as many of the
 * first as fit. Where not all names fit: those of the first, and the count of the rest.
 */
export function fitStubs(stubs: readonly ToolStub[], limit: StubLimit): string {
  const levels = levelsOf(limit);
  const printed = new Map<Level, readonly string[]>();
  const print = (level: Level): readonly string[] => {
    const parts = printed.get(level) ?? stubs.map((stub) => printStub(stub, level, limit.declarations));
    printed.set(level, parts);
    return parts;
  };
  /** The first `count` at a level, the others at the one below. */
  const source = (at: number, count: number): string => {
    const [level = "omitted", below = "omitted"] = [levels[at], levels[at - 1]];
    const stubbed = [
      level === "listed" ? [] : print(level).slice(0, count),
      isStub(below) ? print(below).slice(count) : [],
    ];
    const text = stubbed.flat().join("");
    const listed =
      level === "listed" ? print(level).slice(0, count) : below === "listed" ? print(below).slice(count) : [];
    const omitted = below === "omitted" ? stubs.length - count : 0;
    const isLess = listed.length + omitted > 0 || text !== print("full").join("");
    const lowest = count < stubs.length ? below : level;
    const note = isLess ? lineComment(`${missing(lowest, omitted, limit.declarations)}. ${limit.hint}`) : "";
    return limit.head + note + text + nameLines(listed);
  };
  const fits = (text: string): boolean => text.length <= limit.maxChars;

  const all = levels.findLastIndex((_, at) => at > 0 && fits(source(at, stubs.length)));
  if (all === levels.length - 1) return source(all, stubs.length);
  const next = Math.max(all, 0) + 1;
  return longestThatFits(stubs.length, (count) => source(next, count), fits);
}

/** From the least. */
function levelsOf({ detail, declarations }: StubLimit): readonly Level[] {
  const least: readonly Level[] = declarations ? ["omitted", "listed"] : ["omitted", "names"];
  if (detail === "names") return declarations ? [...least, "names"] : least;
  return detail === "full" ? [...least, "signatures", "full"] : [...least, "signatures"];
}

function isStub(level: Level): level is StubDetail {
  return level !== "omitted" && level !== "listed";
}

function printStub(stub: ToolStub, level: Level, isDeclaration: boolean): string {
  return isStub(level) ? stub.print(level, isDeclaration) : stub.identifier;
}

function missing(lowest: Level, omitted: number, declarations: boolean): string {
  switch (lowest) {
    case "omitted":
      return `${omitted} more functions ${declarations ? "are there that are not shown" : "are left out"}`;
    case "listed":
      return "Functions at the end stand here by their names alone";
    case "names":
      return "Some functions stand here without their types";
    case "signatures":
    case "full":
      return "Without the descriptions of fields";
  }
}

/** Names as lines of a comment. Each is an identifier. */
function nameLines(names: readonly string[]): string {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const word = index < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_CHARS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`// ${word}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The text of the most parts, up to `most`, that fits; the text of none when even that does not. Texts grow with parts. */
function longestThatFits(most: number, text: (parts: number) => string, fits: (text: string) => boolean): string {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text(middle))) low = middle;
    else high = middle - 1;
  }
  return text(low);
}
