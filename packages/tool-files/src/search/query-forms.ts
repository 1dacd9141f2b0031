import { utf32Forms } from "../text/encoded-forms.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import { escapedLiteral } from "./javascript-regex.ts";
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
