import type { MemoryBlock } from "../block/memory-block.ts";
import { toPassages } from "../block/passage.ts";
import type { SimilarBlock } from "../block/write-result.ts";
import type { Database } from "../database/database.ts";
import { searchBlocks } from "./search-blocks.ts";

/** Maximum number of reported blocks. */
const MAX_SIMILAR = 3;
/** Lowest reported likeness: two of three words are the same. Paraphrases are not detected. */
const MIN_LIKENESS = 0.66;

/** Number of words that are searched for. */
const QUERY_WORDS = 8;

/**
 * Finds blocks that are nearly equal to a new one: a search with the new block's first passage, ranked by the words that
 * texts and labels share.
 */
export async function findSimilar(sql: Database, owner: string, block: MemoryBlock): Promise<readonly SimilarBlock[]> {
  const first = toPassages(block.content)[0];
  const words = wordsOf(block.content.slice(first?.start, first?.end));
  // Of near-duplicates, most words are shared: a few of the longest, which tend to be rare, find them as well as all.
  const query = [...words]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, QUERY_WORDS)
    .join(" ");
  if (query === "") return [];
  // Likeness is counted in words. A vector would cost more than the write: the new block's is not made yet.
  const vector = { missing: "only words are compared", degraded: false };
  const found = await searchBlocks(sql, owner, {
    query,
    key: "",
    limit: 5,
    filter: {},
    superseded: false,
    vector,
  });
  return found
    .filter(({ id }) => id !== block.id)
    .map((other) => ({
      label: other.label,
      source: other.source,
      trust: other.trust,
      likeness: likenessOf(block, other),
      preview: other.content.slice(0, 80).toWellFormed(),
    }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_SIMILAR);
}

function likenessOf(a: MemoryBlock, b: MemoryBlock): number {
  if (a.content === b.content) return 1;
  const texts = overlap(wordsOf(a.content), wordsOf(b.content));
  const labels = overlap(wordsOf(a.label), wordsOf(b.label));
  return Math.round(Math.min(0.85 * texts + 0.15 * labels, 0.99) * 100) / 100;
}

/** Dice's coefficient: twice the number of shared words, divided by the number of words of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return (2 * shared) / Math.max(a.size + b.size, 1);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}
