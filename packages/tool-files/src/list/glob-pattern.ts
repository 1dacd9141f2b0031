import fastGlob from "fast-glob";
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
  // An escaped bracket at the end makes fast-glob take the whole of `a/\[x\]` for a directory, which a set there does not.
  return checked.includes("/") ? checked.replace(/\\([\]}])(?=$|[,}])/g, String.raw`[\$1]`) : checked;
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

/** As fast-glob reads a pattern. */
const OPTIONS = { dot: true, matchBase: true, noext: true, posix: true, strictSlashes: false };

/** Matches entries by their paths from the directory that is listed; that of a directory ends with a slash. */
interface PathMatcher {
  /** Whether an entry is in, or leads to, the directory before the first wildcard: no other can matter. */
  isOnTheWay(entry: string): boolean;
  /** Whether entries of a directory, or below it, may match. */
  mayHold(directory: string): boolean;
  /** Whether a file matches, or a directory, here without its slash. */
  matches(path: string): boolean;
}

/** The matcher of a pattern, whose parts fast-glob finds. Unless `recursive`, it matches only in the directory before the first wildcard. */
export function pathMatcher(pattern: string, recursive: boolean): PathMatcher {
  const tasks = fastGlob.generateTasks(pattern, { baseNameMatch: true, dot: true, extglob: false });
  const parts = tasks.flatMap(({ base: directory, positive }) => {
    const base = directory === "." ? "" : `${directory}/`;
    return positive.map((one) => ({
      base,
      depth: !recursive ? base.split("/").length : one.includes("**") ? Infinity : one.split("/").length,
      // With the flag, wildcards match a line end in a name.
      expression: new RegExp(micromatch.makeRe(one, OPTIONS).source, "s"),
    }));
  });
  return {
    isOnTheWay: (entry) => parts.some(({ base }) => entry.startsWith(base) || base.startsWith(entry)),
    mayHold(directory) {
      const level = directory.split("/").length;
      return parts.some(
        ({ base, depth }) => level <= depth && (directory.startsWith(base) || base.startsWith(directory)),
      );
    },
    matches: (path) => parts.some(({ base, expression }) => path.startsWith(base) && expression.test(path)),
  };
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
