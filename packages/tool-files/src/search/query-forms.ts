import { FilesError } from "../error/files-error.ts";
import { utf32Forms } from "../text/encoding-name.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import type { SearchQuery } from "./search-request.ts";

/** Loads the tables of all encodings, which takes longer than the event loop may wait. */
const formsThread = new ThreadPool(1);

/** A byte order mark, and bytes that no UTF-8 text holds: a NUL, or a piece of a character without the rest. */
const FOREIGN = [
  String.raw`\x{FEFF}`,
  String.raw`(?-u:\x00)`,
  String.raw`(?-u:^[\x80-\xbf]|[\x00-\x7f][\x80-\xbf]|[\xc0-\xff](?:[\x00-\x7f\xc0-\xff]|$))`,
  String.raw`(?-u:[\xc0-\xdf][\x80-\xbf][\x80-\xbf]|[\xe0-\xff][\x80-\xbf](?:[\x00-\x7f\xc0-\xff]|$))`,
  String.raw`(?-u:[\xe0-\xef][\x80-\xbf]{3}|[\xf0-\xff][\x80-\xbf]{2}(?:[\x00-\x7f\xc0-\xff]|$)|[\xf0-\xff][\x80-\xbf]{4})`,
];

/**
 * The bytes by which a text may stand in a file in another encoding than UTF-8. `undefined`: they cannot be listed, because
 * the query is a regular expression, or ignores the case of letters beyond ASCII.
 */
export async function otherForms(
  { text, isRegex, ignoreCase }: SearchQuery,
  signal: AbortSignal,
): Promise<readonly Uint8Array[] | undefined> {
  if (isRegex || (ignoreCase && !isAscii(text))) return undefined;
  if (!isAscii(text)) return formsThread.run("encodedForms", text, signal);
  // In all others ASCII is the same.
  const wide = Buffer.from(text, "utf16le");
  return [wide, Buffer.from(wide).swap16(), ...utf32Forms(text)];
}

/** Whether a text is the same in nearly all encodings. */
function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Patterns for ripgrep: one of them is in every file that the query may match once the file is decoded. */
export function proposingPatterns(query: SearchQuery, forms: readonly Uint8Array[] | undefined): string[] {
  return [query.isRegex ? query.text : escapedLiteral(query.text), ...(forms?.map(bytePattern) ?? FOREIGN)];
}

function bytePattern(bytes: Uint8Array): string {
  return `(?-u:${Buffer.from(bytes).toString("hex").replace(/../g, "\\x$&")})`;
}

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
