/**
 * Control, bidirectional and line-breaking characters: they could make one line of output look like two, or like
 * another.
 */
const FORGING = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const FORGING_HERE = new RegExp(FORGING.source);

/** The same for text lines: everything above is escaped, except a tab. */
const FORGING_IN_TEXT = new RegExp(FORGING.source.replace("\\u0000-\\u001f", "\\u0000-\\u0008\\u000a-\\u001f"), "g");

/**
 * A path as one unmistakable word of output: written as it is, or as a JSON string when it holds anything that could be
 * taken for the end of the path, for another line or for a note of the tool.
 */
export function printablePath(path: string): string {
  const plain = path !== "" && !/^["[\s]|[\s]$|:/.test(path) && !FORGING_HERE.test(path);
  return plain ? path : escapeForging(JSON.stringify(path), FORGING);
}

/** Paths named in a note. */
const MAX_NAMED = 5;

/** The first of some paths, and how many more there are. */
export function namedPaths(paths: readonly string[], count: number = paths.length): string {
  const named = paths.slice(0, MAX_NAMED).map(printablePath).join(", ");
  return count > MAX_NAMED ? `${named} and ${count - MAX_NAMED} more` : named;
}

/** A line of a file's text with everything escaped that could forge another line of output. Tabs stay. */
export function printableText(text: string): string {
  return escapeForging(text, FORGING_IN_TEXT);
}

/** A path as it was asked for, for use inside a sentence: always quoted, at most about 200 characters. */
export function quotedPath(path: string): string {
  return escapeForging(JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path), FORGING);
}

function escapeForging(text: string, pattern: RegExp): string {
  return text.replace(pattern, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
