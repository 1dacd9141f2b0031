import { GUESSED, type Breadth } from "../database/candidate.ts";
import { closestTerms, firstLetters, toMisspelt } from "../text/closest-terms.ts";
import type { Connection } from "./connection.ts";

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

/** The words of a query. */
interface Asked {
  readonly tokens: readonly string[];
  readonly breadth: Breadth;
}

/** The words of a query that are in some passage. */
export function readTerms(db: Connection, corpus: Corpus, { tokens, breadth }: Asked): ReadonlyMap<string, Term> {
  return new Map(lookUp(db, corpus, breadth, [...new Set(tokens)], 1));
}

/** Adds to the words that were found those that the others may be misspellings of. */
export function addGuesses(
  db: Connection,
  corpus: Corpus,
  { tokens, breadth }: Asked,
  found: ReadonlyMap<string, Term>,
): ReadonlyMap<string, Term> {
  const misspelt = breadth.vocabulary === 0 ? [] : toMisspelt(tokens, found);
  const guesses = misspelt.flatMap((token) =>
    closestTerms(token, readVocabulary(db, corpus, firstLetters(token), breadth.vocabulary)),
  );
  return new Map([...lookUp(db, corpus, breadth, guesses, GUESSED), ...found]);
}

function lookUp(
  db: Connection,
  { number, passages, first, last }: Corpus,
  { matches }: Breadth,
  words: readonly string[],
  weight: number,
): readonly (readonly [word: string, term: Term])[] {
  if (words.length === 0) return [];
  const entries = words.map((word) => `"${number}.${word.replaceAll('"', '""')}"`);
  const found = db.list<[at: number, ids: string]>(
    `SELECT asked.key, (SELECT json_group_array(rowid) FROM
       (SELECT rowid FROM dispatch_memory.word WHERE word MATCH asked.value LIMIT ${matches}))
     FROM json_each($1) AS asked`,
    [JSON.stringify(entries)],
  );
  return found.flatMap(([at, list]) => {
    const ids = JSON.parse(list) as readonly number[];
    if (ids.length === 0) return [];
    const covered = (ids.at(-1) ?? last) - first + 1;
    const estimate = Math.min((ids.length * (last - first + 1)) / covered, passages);
    const documents = ids.length < matches ? ids.length : estimate;
    const idf = Math.log(1 + (passages - documents + 0.5) / (documents + 0.5));
    return [[words[at] ?? "", { idf, weight, ids }] as const];
  });
}

/** The words of an owner's passages that begin with one of some letters. */
function readVocabulary(
  db: Connection,
  { number }: Corpus,
  letters: readonly string[],
  limit: number,
): readonly string[] {
  db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(dispatch_memory, word, row)");
  return letters.flatMap((letter) => {
    const from = `${number}.${letter}`;
    const found = db.list<[term: string]>(
      `SELECT term FROM temp.vocabulary WHERE term >= $1 AND term < $2 LIMIT ${limit}`,
      [from, `${from}\u{10ffff}`],
    );
    return found.map(([term]) => term.slice(`${number}.`.length));
  });
}
