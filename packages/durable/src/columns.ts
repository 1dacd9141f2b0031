import { sha256 } from "@dispatch/tools-interface/internal";

/** Longest text of an index, in characters: two of four bytes each fit into a row of PostgreSQL's, and one into an address. */
const MAX_INDEXED_CHARS = 200;
const SHORTENED = "sha256:";

/** Texts that are no segment of an address: they would name another one. */
const NO_SEGMENT = /^\.{0,2}$/;

/**
 * Text for a column or key that cannot hold NUL or half a surrogate pair, or for a segment of an address. Different texts stay
 * different: such a text, and one that begins with a quotation mark, is written as JSON.
 */
export function toColumn(text: string): string {
  const isPlain = !text.includes("\0") && !text.startsWith('"') && text.isWellFormed() && !NO_SEGMENT.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** The text that a column holds. */
export function fromColumn(column: string): string {
  return column.startsWith('"') ? String(JSON.parse(column)) : column;
}

/** Text for a column or key that is only compared: long ones are shortened to their hash. Different texts stay different. */
export function toIndexed(text: string): string {
  const column = toColumn(text);
  const isLong = column.length > MAX_INDEXED_CHARS || column.startsWith(SHORTENED);
  return isLong ? SHORTENED + sha256(column) : column;
}
