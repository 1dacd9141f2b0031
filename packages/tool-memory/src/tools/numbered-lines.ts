import { escapeUnseen, toEscape } from "../text/escape-unseen.ts";

/**
 * Lines of a text, each after its number in six places and a tab, so that no line can pose as anything else. What would
 * start a line of its own, or cannot be seen, is escaped as in JSON; of a text that may not be believed also `<`, `>` and `\`.
 */
export function toNumberedLines(lines: readonly string[], first: number, believed: boolean): string {
  const escape = (line: string): string => escapeUnseen(believed ? line : line.replace(/[<>\\]/g, toEscape));
  return lines.map((line, at) => `${String(first + at).padStart(6)}\t${escape(line)}`).join("\n");
}

/** A text in which the escapes of {@link toNumberedLines} stand for what they escaped. */
export function fromEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
