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
