import { escapeInvisible, toEscape } from "../text/escape-invisible.ts";

/**
 * Numbers the lines of a text: a number of width six, a tab, the line, so that no line can imitate another part of a result.
 * Line separators and invisible characters are escaped as in JSON; in a text of low trust also `<`, `>` and `\`.
 */
export function toNumberedLines(lines: readonly string[], first: number, believed: boolean): string {
  const escape = (line: string): string => escapeInvisible(believed ? line : line.replace(/[<>\\]/g, toEscape));
  return lines.map((line, at) => `${String(first + at).padStart(6)}\t${escape(line)}`).join("\n");
}

/** Reverses the escapes of {@link toNumberedLines}. */
export function fromEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
