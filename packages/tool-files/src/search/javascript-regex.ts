import { FilesError } from "../error/files-error.ts";
import type { SearchQuery } from "./search-request.ts";

/** What a model has to know about an expression that was not read by ripgrep, in an answer. */
export const JAVASCRIPT_NOTE =
  "the query was read as a regular expression of JavaScript, not Rust: \\w, \\d and \\b know ASCII only, [[:alpha:]] and && in a set are plain characters, look-around works";

/**
 * The query as a regular expression of JavaScript. Line feeds end the lines of what it is used on.
 *
 * @throws {FilesError} Code `invalid_regex`.
 */
export function javaScriptRegex({ text, isRegex, ignoreCase }: SearchQuery, attempt: string): RegExp {
  // The parameter's description names this flag; JavaScript has it only behind the expression.
  const insensitive = isRegex && text.startsWith("(?i)");
  const source = isRegex ? text.slice(insensitive ? "(?i)".length : 0) : escapedLiteral(text);
  try {
    return new RegExp(source, ignoreCase || insensitive ? "imu" : "mu");
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, "");
    throw new FilesError(
      `${attempt}: the regular expression is read by JavaScript here, with the flags mu, and is invalid there: ${reason}; flags such as (?s) or (?i:a), (?P<name>a), \\A, \\z and \\< are not supported, \\p{Greek} is \\p{sc=Greek}, and only characters with a meaning are escaped`,
      { code: "invalid_regex" },
    );
  }
}

/** A regular expression for a text, in both dialects. A line feed in it stands for any line end. */
export function escapedLiteral(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&").replace(/\r?\n/g, "\\r?\\n");
}
