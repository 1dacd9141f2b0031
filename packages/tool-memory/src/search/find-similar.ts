import { toKey } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { SimilarBlock } from "../block/memory-manager.ts";
import { toPassages } from "../block/passage.ts";
import { BRIEF } from "../database/candidate.ts";
import type { Database } from "../database/database.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { tellsOfChange } from "./ranking.ts";

/** The parts of a block that are compared. */
type Note = Pick<MemoryBlock, "label" | "content">;

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
export async function findSimilar(sql: Database, owner: string, block: Note): Promise<readonly SimilarBlock[]> {
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
function likenessTo({ label, content }: Note): (other: Note) => number {
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

/** Longer texts hold more than one fact. In UTF-16 code units. */
const MAX_CHARS = 300;

/** The least sum of the parts below for two notes of one subject. */
const ENOUGH = 2.3;
/** The part of its words. */
const WORDS = 1.5;
/** The part of the words of its label. */
const LABEL = 1;
/** Its first word, which is the subject more often than not. */
const FIRST = 1;
/** Added when the later note says that something changed. */
const CHANGE = 0.5;

/** Whether a note is short enough to hold a single fact. */
function isShort({ content }: Note): boolean {
  return content.length <= MAX_CHARS;
}

/**
 * Judges whether a later note is likely to be about the subject of an earlier one, with another value, by a rule without a model. The
 * numbers were chosen on 156 pairs of notes (92 % of 104 changed facts, 2 % of 52 pairs that only look alike); of 40 other pairs,
 * written before, it knows 75 % of the changed ones and takes 15 % of the rest for changed (`npx pnpm bench hints`).
 */
function sameSubjectAs(later: Note): (earlier: Note) => boolean {
  const said = new Set(toSearchTerms(later.content));
  const all = new Set([...said, ...toSearchTerms(later.label)]);
  const change = CHANGE * Number(tellsOfChange(later.content));
  return (earlier) => {
    if (!isShort(later) || !isShort(earlier)) return false;
    const terms = toSearchTerms(earlier.content);
    const [first] = terms;
    if (first === undefined) return false;
    const subject = FIRST * Number(said.has(first)) + LABEL * partIn(all, toSearchTerms(earlier.label));
    return subject + WORDS * partIn(said, terms) + change >= ENOUGH;
  };
}

function partIn(some: ReadonlySet<string>, terms: readonly string[]): number {
  const wanted = [...new Set(terms)];
  return wanted.length === 0 ? 0 : wanted.filter((term) => some.has(term)).length / wanted.length;
}
