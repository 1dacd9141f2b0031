import micromatch from "micromatch";
import { FilesError } from "../error/files-error.ts";

const MAX_LENGTH = 500;
/** Limit for stars in a name: the cost of backtracking grows with their power. */
const MAX_STARS = 3;
/** `**` a pattern may hold. */
const MAX_GLOBSTARS = 3;
/** Patterns that alternatives in braces may stand for. */
const MAX_ALTERNATIVES = 64;

/**
 * Checks a glob from a model and makes it one that cannot climb, cannot explode and has its apparent meaning: `*`, `?`,
 * `**`, `[abc]` and `{a,b}` are special, every other character stands for itself.
 *
 * @throws {FilesError} Code `invalid_pattern`.
 */
export function globPattern(pattern: string, attempt: string): string {
  const invalid = (found: string) => new FilesError(`${attempt}: the pattern ${found}`, { code: "invalid_pattern" });
  if (pattern === "") throw invalid("is empty, leave it out for all files");
  if (pattern.length > MAX_LENGTH) throw invalid(`is ${pattern.length} characters long, allowed are ${MAX_LENGTH}`);
  if (/[\0-\x1f]/.test(pattern) || !pattern.isWellFormed()) throw invalid("holds control characters");
  if (pattern.startsWith("/") || /^[a-z]:/i.test(pattern))
    throw invalid("is absolute, allowed are patterns relative to path");
  if (pattern.includes(".."))
    throw invalid('holds "..", which is not allowed in a pattern; use path to choose a directory');
  if (pattern.startsWith("!"))
    throw invalid('begins with "!", negated patterns are not supported; list more and choose');
  if (/\{[^}]*\{/.test(pattern)) throw invalid("has braces in braces, allowed is one level");
  const alternatives = (pattern.match(/\{[^}]*\}/g) ?? []).reduce(
    (product, group) => product * group.split(",").length,
    1,
  );
  if (alternatives > MAX_ALTERNATIVES)
    throw invalid(`stands for ${alternatives} patterns, allowed are ${MAX_ALTERNATIVES}`);
  for (const name of pattern.split("/")) {
    if (name !== "**" && name.split("*").length - 1 > MAX_STARS)
      throw invalid(`has more than ${MAX_STARS} stars in one name`);
  }
  if ((pattern.match(/\*\*/g) ?? []).length > MAX_GLOBSTARS) throw invalid(`has more than ${MAX_GLOBSTARS} "**"`);
  const checked = literalElsewhere(
    pattern
      .replace(/^(?:\.\/+)+/, "")
      .replace(/\/{2,}/g, "/")
      // What is in a directory, not a file of its name.
      .replace(/\/(?:\*\*)?$/, "/**/*"),
  );
  return checked.includes("/") ? asEngineEnters(checked) : checked;
}

/**
 * Rewrites what keeps the engine from entering a directory. For `a?/x` it does not enter `ab`, for `a[^\u0000]/x` it does. An
 * escaped bracket at the end makes it take the whole of `a/\[x\]` for a directory, which a set there does not.
 */
function asEngineEnters(pattern: string): string {
  return pattern.replace(/\\([\]}])(?=$|[,}])|\\[\s\S]|\[[^\]]*\]|\?/g, (token, closing: string | undefined) =>
    closing === undefined ? (token === "?" ? String.raw`[^\u0000]` : token) : `[\\${closing}]`,
  );
}

/**
 * Takes the special meaning from everything but stars, question marks, closed sets and closed braces. Escaped are the
 * characters alone whose escapes the engine also takes away from the directory a pattern begins with.
 */
function literalElsewhere(pattern: string): string {
  const tokens = /\\[^/]|\[[!^]?[^\]/\\[]+\](\+?)|\{[^{}\\[\]()]*,[^{}\\[\]()]*\}|[\s\S]/g;
  return pattern.replace(tokens, (token, plus: string | undefined) => {
    if (token.length === 1) return /[\\()[\]{}|!]/.test(token) ? `\\${token}` : token;
    if (token.startsWith("\\")) return /[*?|[\](){}!\\]/.test(token.charAt(1)) ? token : token.charAt(1);
    if (token.startsWith("{")) return token.replace(/[|!]/g, "\\$&");
    // After a set a plus would be a quantifier.
    return token.slice(0, token.length - (plus?.length ?? 0)).replace(/^\[!/, "[^") + (plus ? "[+]" : "");
  });
}

/** As the glob engine reads a pattern: it has the same options, and the matcher behind it is the same. */
const OPTIONS = { dot: true, matchBase: true, noext: true, posix: true, strictSlashes: false };

/** Matches paths from the directory that is listed. */
interface PathMatcher {
  matches(path: string): boolean;
  /** Whether files of a directory, which ends with a slash, or below it may match. */
  mayHold(directory: string): boolean;
}

export function pathMatcher(pattern: string): PathMatcher {
  const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
  const expressions = micromatch
    .braces(anywhere, { expand: true, nodupes: true, keepEscaping: true })
    .map((expanded) => ({
      base: baseOf(expanded),
      depth: expanded.includes("**") ? Infinity : expanded.split("/").length,
      expression: micromatch.makeRe(expanded, OPTIONS),
    }));
  return {
    matches(path) {
      const name = toGlobName(path);
      return expressions.some(({ base, expression }) => name.startsWith(base) && expression.test(name));
    },
    mayHold(directory) {
      const name = toGlobName(directory);
      const level = name.split("/").length;
      return expressions.some(({ base, depth }) => level <= depth && (name.startsWith(base) || base.startsWith(name)));
    },
  };
}

/** How every path begins that the engine looks at for a pattern: with the directory before the first wildcard. */
function baseOf(pattern: string): string {
  const { base, isGlob } = micromatch.scan(pattern);
  return isGlob && base !== "" ? `${base.replace(/\\(.)/g, "$1")}/` : "";
}

/** A character no name is likely to hold: the last plane's private use area. */
const MARK = "\u{10fff0}";
const BREAKS = ["\n", "\r", "\u2028", "\u2029", MARK];
const UNSEEN = new RegExp(`[${BREAKS.join("")}]`, "gu");
const MARKED = new RegExp(`${MARK}([0-4])`, "gu");

/** A name for the glob engine, whose wildcards match no line break: such characters are marked. Undone by {@link fromGlobName}. */
export function toGlobName(name: string): string {
  return name.replace(UNSEEN, (character) => MARK + BREAKS.indexOf(character));
}

/** The name, or the path of names, that {@link toGlobName} marked. */
export function fromGlobName(marked: string): string {
  return marked.includes(MARK) ? marked.replace(MARKED, (_, index: string) => BREAKS[Number(index)] ?? "") : marked;
}

/** Hints on the intended meaning of a pattern without matches, for a search and a listing alike. */
export function patternHints(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  if (/[@+?!*]\(/.test(pattern))
    return ["the pattern holds @(…) or the like, which is taken as it stands; write alternatives as {a,b}"];
  if (/,/.test(pattern.replace(/\{[^{}]*\}/g, "")))
    return ["the pattern holds a comma, which is taken as it stands; write alternatives as {a,b}"];
  if (pattern.includes("\\"))
    return ["the pattern holds a backslash, after which a character stands for itself; names are separated by a slash"];
  return pattern.includes("|") ? ["the pattern holds |, which is taken as it stands; write alternatives as {a,b}"] : [];
}
