import { LineIndex } from "./line-index.ts";
import { newlineOf } from "./newline.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** Indexes kept, the ones used last: with 128 KB each at most, 4 MB. */
const MAX_INDEXES = 32;

const indexes = new Map<string, LineIndex>();

/** The line index of a file of that identity: the one it has from an earlier call, or a new one. */
export function lineIndexOf(key: string, encoding: TextEncoding): LineIndex {
  const name = `${key}:${encoding.unit === 1 ? "" : encoding.name}`;
  const index = indexes.get(name) ?? new LineIndex(newlineOf(encoding));
  indexes.delete(name);
  indexes.set(name, index);
  const [oldest] = indexes.keys();
  if (indexes.size > MAX_INDEXES && oldest !== undefined) indexes.delete(oldest);
  return index;
}
