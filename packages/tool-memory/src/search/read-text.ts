import { fenceBlock } from "../block/fence-block.ts";
import type { MemoryHit } from "../block/memory-block.ts";
import { toJsonText } from "../text/json-text.ts";

/** What a search found, as a model reads it. */
export interface ReadText {
  /** The blocks, best first. */
  readonly blocks: readonly MemoryHit[];
  /** What is to be said besides. */
  readonly note?: string | undefined;
}

/** What a search found as text for a model: JSON in which no text can pose as another. */
export function toReadText({ blocks, note }: ReadText): string {
  return toJsonText({ blocks: blocks.map(toShownHit), ...(note !== undefined && { note }) });
}

/** A block as a model sees it: without the explanation, and with a word on what is left out. */
export function toShownHit({ explain: _, passages: __, omitted, ...block }: MemoryHit): object {
  if (omitted === undefined || omitted === 0) return fenceBlock(block);
  return fenceBlock({
    ...block,
    cut: `${omitted} characters are left out; to see the rest, read with this label as the query and limit 1`,
  });
}
