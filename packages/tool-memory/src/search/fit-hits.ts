import { toCaution } from "../block/caution.ts";
import type { MemoryHit } from "../block/memory-block.ts";
import { ageOf } from "../text/age-of.ts";
import { toPromptJson } from "../text/escape-invisible.ts";

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** One token for every four characters, rounded up: about right for English, too few for many other languages. */
export const countByChars: CountTokens = (text) => Math.ceil(text.length / 4);

/** Marks left-out text between two passages. */
const GAP = " […] ";

/**
 * Fits hits into a number of tokens, counted as the tools print them: each hit whole if it fits, otherwise its best passages
 * in their order. Hits of which no passage fits are left out.
 */
export function fitHits(
  hits: readonly MemoryHit[],
  maxTokens: number,
  countTokens: CountTokens,
): { readonly hits: readonly MemoryHit[]; readonly omitted: number } {
  // Reserves the text around the blocks, and one token for the comma after each.
  let room =
    maxTokens - countTokens(toPromptJson({ blocks: [], note: "0 more blocks match; there was no room for them" })) - 1;
  const fitted: MemoryHit[] = [];
  for (const hit of hits) {
    const cost = (shown: MemoryHit): number => countTokens(toPromptJson(toModelHit(shown))) + 1;
    const shown = cost(hit) <= room ? hit : cutHit(hit, (cut) => cost(cut) <= room);
    if (shown === undefined) continue;
    fitted.push(shown);
    room -= cost(shown);
  }
  return { hits: fitted, omitted: hits.length - fitted.length };
}

/** The hit cut to as many of its best passages as fit; `undefined` when none does. */
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

/** A hit as a model reads it: its label, text, age and source, a caution before a text of low trust, and a note on left-out text. */
export function toModelHit({
  label,
  content,
  updatedAt,
  validFrom,
  source,
  trust,
  scope,
  similar,
  omitted = 0,
}: MemoryHit): object {
  return {
    ...toCaution({ source, trust }),
    label,
    content,
    age: ageOf(updatedAt),
    ...(validFrom !== undefined && { valid_from: validFrom.slice(0, "2026-01-31".length) }),
    source,
    ...(scope !== undefined && { shared: scope }),
    ...(similar !== undefined && { similar: { say_the_same: similar.count, labels: similar.labels } }),
    ...(omitted > 0 && {
      cut: `${omitted} characters are left out; to see the rest, read with this label as the query and limit 1`,
    }),
  };
}
