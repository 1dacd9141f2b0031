import { GUESSED, type Breadth } from "../database/candidate.ts";
import { closestTerms, firstLetters, toMisspelt } from "../text/closest-terms.ts";
import type { Connection } from "./connection.ts";
import type { IndexedWords } from "./indexed-words.ts";

/** The numbers of an owner's memory. */
export interface Corpus {
  /** The owner's number, with which the entries of the index of words begin. */
  readonly number: number;
  /** Number of passages. */
  readonly passages: number;
  /** Number of blocks. */
  readonly blocks: number;
  /** Number of terms of all passages. */
  readonly length: number;
  /** The id of the first passage. */
  readonly first: number;
  /** The id of the last passage. */
  readonly last: number;
}

/** A word that is in some passage. */
export interface Term {
  /** Its inverse document frequency. */
  readonly idf: number;
  /** 1 for a word of the query, less for one that a misspelt word of it may be. */
  readonly weight: number;
  /** The passages that have it. */
  readonly ids: readonly number[];
}

/** The words of an owner's memory: the index, and the latest passages, which it does not have yet. */
export interface OwnWords {
  readonly db: Connection;
  readonly index: IndexedWords;
  readonly corpus: Corpus;
  readonly latest: Latest;
}

/** The words of a query. */
interface Asked {
  readonly tokens: readonly string[];
  readonly breadth: Breadth;
}

/** An owner's latest passages, which the index does not have yet: their ids and their words. */
export type Latest = readonly (readonly [id: number, words: ReadonlySet<string>])[];

/** The owner's passages that are not in the index yet. */
export function readLatest(db: Connection, index: IndexedWords, owner: string): Latest {
  const rows = db.list<[id: number, words: string]>(
    `SELECT passage.id, words FROM dispatch_memory.passage
     WHERE passage.id > (SELECT last FROM dispatch_memory.word_index) AND owner = $1 AND length > 0 ORDER BY passage.id`,
    [owner],
  );
  return rows.map(([id, words]) => [id, index.split(id, words)]);
}

/** The words of a query that are in some passage. */
export function readTerms(own: OwnWords, { tokens, breadth }: Asked): ReadonlyMap<string, Term> {
  return new Map(lookUp(own, breadth, [...new Set(tokens)], 1));
}

/** Adds to the words that were found those that the others may be misspellings of. */
export function addGuesses(
  own: OwnWords,
  { tokens, breadth }: Asked,
  found: ReadonlyMap<string, Term>,
): ReadonlyMap<string, Term> {
  const misspelt = breadth.vocabulary === 0 ? [] : toMisspelt(tokens, found);
  const guesses = misspelt.flatMap((token) =>
    closestTerms(token, readVocabulary(own, firstLetters(token), breadth.vocabulary)),
  );
  return new Map([...lookUp(own, breadth, guesses, GUESSED), ...found]);
}

function lookUp(
  { db, index, corpus: { number, passages, first, last }, latest }: OwnWords,
  { matches }: Breadth,
  words: readonly string[],
  weight: number,
): readonly (readonly [word: string, term: Term])[] {
  if (words.length === 0) return [];
  const lists = index.read(
    db,
    words.map((word) => `${number}.${word}`),
    matches,
  );
  return words.flatMap((word, at) => {
    const indexed = lists[at] ?? [];
    const late = latest.filter(([, its]) => its.has(word)).map(([id]) => id);
    const ids = late.length === 0 ? indexed : [...indexed, ...late];
    if (ids.length === 0) return [];
    const covered = (indexed.at(-1) ?? last) - first + 1;
    const estimate = Math.min((indexed.length * (last - first + 1)) / covered, passages);
    const documents = indexed.length < matches ? ids.length : estimate;
    const idf = Math.log(1 + (passages - documents + 0.5) / (documents + 0.5));
    return [[word, { idf, weight, ids }] as const];
  });
}

/** The words of an owner's passages that begin with one of some letters. */
function readVocabulary(
  { db, index, corpus: { number }, latest }: OwnWords,
  letters: readonly string[],
  limit: number,
): readonly string[] {
  return letters.flatMap((letter) => {
    const indexed = index.vocabulary(db, number, letter, limit);
    return [
      ...new Set([...indexed, ...latest.flatMap(([, its]) => [...its].filter((word) => word.startsWith(letter)))]),
    ];
  });
}
