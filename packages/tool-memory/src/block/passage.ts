/** A piece of a text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Passage {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
}

/** With 500, short messages stay whole, and long ones are scored by their best part. */
const MAX_CHARS = 500;

/** Keeps a text of short lines from being cut into tiny passages. */
const MIN_CHARS = 250;

/** Places to cut after, in order of preference: line breaks, ends of sentences, spaces. */
const ENDS = [/\n+/g, /[.!?…][)"'\]»”’]*\s+|[。！？]+/gu, /\s+/g] as const;

/**
 * Splits a text into passages, in order and without gaps. Cuts from the start, so an addition at the end changes only the
 * last passage.
 */
export function toPassages(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  while (text.length - start > MAX_CHARS) {
    const end = start + cutOf(text.slice(start, start + MAX_CHARS));
    passages.push({ start, end });
    start = end;
  }
  if (start < text.length || passages.length === 0) passages.push({ start, end: text.length });
  return passages;
}

function cutOf(window: string): number {
  for (const end of ENDS) {
    let cut = 0;
    for (const found of window.matchAll(end)) cut = found.index + found[0].length;
    if (cut >= MIN_CHARS) return cut;
  }
  return window.isWellFormed() ? window.length : window.length - 1;
}
