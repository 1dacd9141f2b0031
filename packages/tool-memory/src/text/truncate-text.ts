/** The first `maxChars` UTF-16 code units of a text; one fewer rather than half of a surrogate pair. */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, Math.max(maxChars, 0));
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
