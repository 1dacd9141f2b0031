import type { Splice } from "./memory-event.ts";

/** `text` with `before` at `offset` replaced by `after`; `undefined` when the text at `offset` is not `before`. */
export function splice(text: string, { offset, before, after }: Splice): string | undefined {
  const end = offset + before.length;
  if (offset < 0 || end > text.length || text.slice(offset, end) !== before) return undefined;
  return text.slice(0, offset) + after + text.slice(end);
}
