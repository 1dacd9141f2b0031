import { toKey } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import { toPassages } from "../block/passage.ts";
import type { SimilarBlock } from "../block/write-result.ts";
import { BRIEF } from "../database/candidate.ts";
import type { Database } from "../database/database.ts";
import type { FoundBlock } from "../database/ranked-hit.ts";
import { isShort, sameSubjectAs } from "./same-subject.ts";

/** The parts of a new block that are compared. */
type NewBlock = Pick<MemoryBlock, "label" | "content">;

/** Maximum number of reported blocks. */
const MAX_SIMILAR = 3;
/** Maximum number of blocks that are compared. */
const MAX_COMPARED = 6;
/** Lowest reported likeness: two of three words are the same. Paraphrases are not detected. */
const MIN_LIKENESS = 0.66;
/** The same for short notes, where a few equal words can hide that the subject is another. */
const MIN_LIKENESS_SHORT = 0.85;

/** Number of words that are searched for: the first, among which the subject is, and the longest, which tend to be rare. */
const FIRST_WORDS = 6;
const LONGEST_WORDS = 6;
/** A longer run of letters is none that a search should have: encoded data, mostly. In UTF-16 code units. */
const MAX_WORD_CHARS = 40;

/**
 * Finds blocks that are nearly equal to a new one, or that are about the same subject: a search with the new block's first
 * passage, ranked by the words that texts and labels share.
 */
export async function findSimilar(sql: Database, owner: string, block: NewBlock): Promise<readonly SimilarBlock[]> {
  const first = toPassages(block.content)[0];
  const words = [...wordsOf(block.content.slice(first?.start, first?.end))].filter(
    ({ length }) => length <= MAX_WORD_CHARS,
  );
  const longest = words.slice(FIRST_WORDS).toSorted((a, b) => b.length - a.length);
  const query = [...words.slice(0, FIRST_WORDS), ...longest.slice(0, LONGEST_WORDS)].join(" ");
  if (query === "") return [];
  // Likeness is counted in words. A vector would cost more than the write: the new block's is not made yet.
  const found = await sql.searchWords(owner, {
    query,
    key: "",
    limit: MAX_COMPARED,
    filter: {},
    superseded: false,
    vector: undefined,
    breadth: BRIEF,
  });
  const toLikeness = likenessTo(block);
  const isSameSubject = sameSubjectAs(block);
  return found
    .filter(({ label }) => toKey(label) !== toKey(block.label))
    .map((other) => ({ other, likeness: toLikeness(other) }))
    .filter(({ other, likeness }) => {
      const least = isShort(block) && isShort(other) ? MIN_LIKENESS_SHORT : MIN_LIKENESS;
      return likeness >= least || isSameSubject(other);
    })
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_SIMILAR)
    .map(({ other: { label, source, trust, content }, likeness }) => {
      return { label, source, trust, likeness, preview: content.slice(0, 80).toWellFormed() };
    });
}

/** How like a block others are, in texts and labels: 0 to 1; 1 for equal texts. */
function likenessTo({ label, content }: NewBlock): (other: FoundBlock) => number {
  const own = { label: wordsOf(label), content: wordsOf(content) };
  return (other) => {
    if (content === other.content) return 1;
    const texts = overlap(own.content, wordsOf(other.content));
    const labels = overlap(own.label, wordsOf(other.label));
    return Math.round(Math.min(0.85 * texts + 0.15 * labels, 0.99) * 100) / 100;
  };
}

/** Dice's coefficient: twice the number of shared words, divided by the number of words of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * [...a].filter((word) => b.has(word)).length) / Math.max(a.size + b.size, 1);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}
