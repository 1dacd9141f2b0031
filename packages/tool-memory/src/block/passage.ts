/** A piece of a text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Passage {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
}

/** Most characters of a passage. With 500, short turns stay whole and long answers are scored by their best part. */
const MOST = 500;

/** No cut before this, so that a text of short lines does not fall into crumbs. */
const LEAST = 250;

/** What a text is best cut after, best first: a line, a sentence, a word. */
const ENDS = [/\n+/g, /[.!?…][)"'\]»”’]*\s+|[。！？]+/gu, /\s+/g] as const;

/**
 * The passages of a text, in order and without gaps. Cut from the start on, so that adding to a text changes its last
 * passage alone.
 */
export function toPassages(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  while (text.length - start > MOST) {
    const end = start + cutOf(text.slice(start, start + MOST));
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
    if (cut >= LEAST) return cut;
  }
  return window.isWellFormed() ? window.length : window.length - 1;
}
