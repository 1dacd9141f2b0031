/**
 * Text for a column or key that cannot hold NUL or half a surrogate pair. Different texts stay different: such a text, and one that begins with a quotation mark, is written as JSON.
 */
export function toColumn(text: string): string {
  return text.includes("\0") || text.startsWith('"') || !text.isWellFormed() ? JSON.stringify(text) : text;
}

/** The text that a column holds. */
export function fromColumn(column: string): string {
  return column.startsWith('"') ? String(JSON.parse(column)) : column;
}
