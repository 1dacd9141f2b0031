import type { MemoryHit } from "../block/memory-block.ts";
import { toJsonText } from "../text/json-text.ts";
import { toShownHit } from "./read-text.ts";

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** A token for every four characters begun: about right for English, too few for many other languages. */
export const countByCharacters: CountTokens = (text) => Math.ceil(text.length / 4);

/** Stands for what is left out between two passages. */
const GAP = " […] ";

/**
 * As many hits as a budget has room for, as the tools print them: whole while they fit, of longer ones the best passages
 * in their order. What has no room at all is left out.
 */
export function fitHits(
  hits: readonly MemoryHit[],
  budget: number,
  countTokens: CountTokens,
): { readonly hits: readonly MemoryHit[]; readonly omitted: number } {
  // The text around the blocks, and a comma for each, counted as a token.
  let room =
    budget - countTokens(toJsonText({ blocks: [], note: "0 more blocks match; there was no room for them" })) - 1;
  const fitted: MemoryHit[] = [];
  for (const hit of hits) {
    const cost = (shown: MemoryHit): number => countTokens(toJsonText(toShownHit(shown))) + 1;
    const shown = cost(hit) <= room ? hit : cutHit(hit, (cut) => cost(cut) <= room);
    if (shown === undefined) continue;
    fitted.push(shown);
    room -= cost(shown);
  }
  return { hits: fitted, omitted: hits.length - fitted.length };
}

/** The hit with as many of its best passages as fit; `undefined` when not even one does. */
function cutHit(hit: MemoryHit, fits: (cut: MemoryHit) => boolean): MemoryHit | undefined {
  let best: MemoryHit | undefined;
  const chosen: (readonly [start: number, end: number])[] = [];
  for (const passage of hit.passages ?? []) {
    const spans = [...chosen, passage].toSorted(([a], [b]) => a - b);
    const cut = withSpans(hit, spans);
    if (!fits(cut)) continue;
    chosen.push(passage);
    best = cut;
  }
  return best;
}

function withSpans(hit: MemoryHit, spans: readonly (readonly [start: number, end: number])[]): MemoryHit {
  let content = "";
  let kept = 0;
  let last = 0;
  for (const [start, end] of spans) {
    content += (start > last ? GAP : "") + hit.content.slice(start, end);
    kept += end - start;
    last = end;
  }
  if (last < hit.content.length) content += GAP;
  return { ...hit, content: content.trim(), omitted: hit.content.length - kept };
}
