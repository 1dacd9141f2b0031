import type { MemoryHit } from "../block/memory-block.ts";
import {
  type Candidate,
  type Candidates,
  type CandidateSearch,
  DENSE_CANDIDATES,
  GUESSED,
  hiddenBlocks,
  NEIGHBOUR_DISTANCE,
  type SearchedVector,
  toFilterConditions,
} from "../database/candidate.ts";
import { type FoundBlock, type FoundRow, selectFound, toFoundBlock } from "../rows/block-rows.ts";
import { rankHits } from "../search/ranking.ts";
import { closestTerms, firstLetters, toMisspelt } from "../text/closest-terms.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import type { Connection } from "./connection.ts";
import type { IndexedWords } from "./indexed-words.ts";
import { damaged, intactColumn, sumOf } from "./row-sums.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { toVector, type VectorCache } from "./vector-cache.ts";

/** Caches of one database for its searches. */
interface SearchCache {
  readonly vectors: VectorCache;
  readonly words: IndexedWords;
}

/**
 * The best blocks of a search. All of it runs here, in the thread that has the database open: the host's is free meanwhile, and
 * nothing but the hits has to cross over. The connection must be in a transaction, so that all statements see the same rows.
 */
export function findBlocks(
  db: Connection,
  cache: SearchCache,
  owner: string,
  asked: CandidateSearch,
): readonly MemoryHit[] {
  const search = toSearch(db, cache, owner, asked);
  if (search === undefined) return [];
  const { ids, toHits } = rankHits(asked, findCandidates(search));
  return toHits(selectBlocks(search, ids));
}

/** The blocks that share rare words with a query, in the order of how rare: a third of the time of {@link findBlocks}. */
export function findBlocksByWords(
  db: Connection,
  cache: SearchCache,
  owner: string,
  asked: CandidateSearch,
): readonly FoundBlock[] {
  const search = toSearch(db, cache, owner, asked);
  if (search === undefined) return [];
  const terms = new Map(lookUp(search, [...new Set(toSearchTerms(asked.query))], 1));
  const ids = new Set(selectLexical(search, terms).map(([, , blockId]) => blockId));
  return selectBlocks(search, [...ids].slice(0, asked.limit));
}

function selectBlocks({ db, owner }: Search, ids: readonly string[]): readonly FoundBlock[] {
  return db.all<FoundRow>(selectFound(sqliteDialect), [owner, JSON.stringify(ids)]).map(toFoundBlock);
}

/** A search of an owner's memory, `undefined` when it is empty. */
function toSearch(db: Connection, cache: SearchCache, owner: string, asked: CandidateSearch): Search | undefined {
  const [corpus] = db.all<Corpus>(
    `SELECT ${intactColumn("owner", "number")} AS number, passages, blocks, length, first_passage AS first, last_passage AS last FROM dispatch_memory.owner
     WHERE owner = $1`,
    [owner],
  );
  if (corpus === undefined || corpus.passages === 0) return undefined;
  const { filter, superseded } = asked;
  const wanted = toFilterConditions(filter, "$3");
  const allowed = [
    superseded ? "" : ` AND NOT EXISTS (${hiddenBlocks("gone.block_id = passage.block_id")})`,
    wanted &&
      ` AND EXISTS (SELECT 1 FROM dispatch_memory.block WHERE owner = $1 AND id = passage.block_id AND ${wanted})`,
  ].join("");
  const latest = db.list<[id: number, words: string]>(
    `SELECT passage.id, ' ' || words || ' ' FROM dispatch_memory.passage
     WHERE passage.id > (SELECT last FROM dispatch_memory.word_index) AND owner = $1 AND length > 0 ORDER BY passage.id`,
    [owner],
  );
  const params = (values: unknown) => [owner, JSON.stringify(values), JSON.stringify(filter)];
  return { ...asked, db, cache, owner, corpus, latest, wanted: wanted && ` AND ${wanted}`, allowed, params };
}

/** The numbers of an owner's memory. */
interface Corpus {
  /** The owner's number, with which the entries of the index of words begin. */
  readonly number: number;
  readonly passages: number;
  readonly blocks: number;
  readonly length: number;
  readonly first: number;
  readonly last: number;
}

/** A search of an owner's memory. */
interface Search extends CandidateSearch {
  readonly db: Connection;
  readonly cache: SearchCache;
  readonly owner: string;
  readonly corpus: Corpus;
  /** The owner's latest passages, which the index of words does not have yet: their ids, and their words between spaces. */
  readonly latest: readonly (readonly [id: number, words: string])[];
  /** Conditions, each after an AND, that the options set for a row of `block`; `$1` is the owner, `$3` the filter. */
  readonly wanted: string;
  /** The same for a row of `passage`. */
  readonly allowed: string;
  /** The parameters of a statement with such conditions, whose `$2` is a JSON array. */
  readonly params: (values: unknown) => readonly string[];
}

/** A word that is in some passage. */
interface Term {
  readonly idf: number;
  /** 1 for a word of the query, less for one that a misspelt word of it may be. */
  readonly weight: number;
  readonly ids: readonly number[];
}

/** A passage as it is read. */
type Detail = readonly [
  id: number,
  blockId: string,
  ordinal: number,
  start: number,
  end: number,
  length: number,
  words: string,
  series: string | null,
  place: number,
  vector: Uint8Array | null,
  sum: number,
];

/** How many more passages than are needed are taken from the cache, whose bytes order them nearly as their vectors do. */
const OVERSAMPLING = 2;

/** How many more passages than are needed are looked at where several have the same words. */
const MAX_TIES = 4;

function findCandidates(search: Search): Candidates {
  const { breadth, corpus, vector } = search;
  const tokens = toSearchTerms(search.query);
  const exact = new Map(lookUp(search, [...new Set(tokens)], 1));
  const named = selectNamed(search);
  const literal = exact.size > 0 ? [] : selectLiteral(search);
  const misspelt = literal.length > 0 || breadth.vocabulary === 0 ? [] : toMisspelt(tokens, exact);
  const guesses = misspelt.flatMap((token) => closestTerms(token, readVocabulary(search, firstLetters(token))));
  const terms = new Map([...lookUp(search, guesses, GUESSED), ...exact]);
  const legs = [selectLexical(search, terms).map(([id]) => id), selectDense(search), named];
  const matched = new Set([...legs.flat(), ...literal]);
  const leaders = new Set([...literal, ...legs.flatMap((leg) => leg.slice(0, breadth.leaders))]);
  const details = selectDetails(search, [...matched, ...selectNeighbours(search, [...leaders])]);
  checkIndexed(details, terms, breadth.matches);
  const namedBlocks = new Set(details.filter(([id]) => named.includes(id)).map(([, blockId]) => blockId));
  return {
    terms: new Map(Array.from(terms, ([word, { idf, weight }]) => [word, idf * weight])),
    passageLength: corpus.length / corpus.passages,
    blockLength: corpus.length / Math.max(corpus.blocks, 1),
    passages: details.map(([id, blockId, ordinal, start, end, length, words, series, place, stored]): Candidate => {
      const cosine = toCosine(vector, stored);
      const found = { isLiteral: literal.includes(id), isMatched: matched.has(id), isNamed: namedBlocks.has(blockId) };
      return { id, blockId, ordinal, start, end, series, place, length, words, cosine, ...found };
    }),
  };
}

/** Those of some words that are in some passage. */
function lookUp(
  { db, cache, corpus: { number, passages, first, last }, latest, breadth: { matches } }: Search,
  words: readonly string[],
  weight: number,
): readonly (readonly [word: string, term: Term])[] {
  if (words.length === 0) return [];
  const entries = words.map((word) => `${number}.${word}`);
  const lists = cache.words.read(db, entries, matches);
  return words.flatMap((word, at) => {
    const indexed = lists[at] ?? [];
    const late = latest.filter(([, its]) => its.includes(` ${word} `)).map(([id]) => id);
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
function readVocabulary({ db, cache, corpus, latest, breadth }: Search, letters: readonly string[]): readonly string[] {
  const late = latest.flatMap(([, its]) => its.split(" "));
  return letters.flatMap((letter) => {
    const indexed = cache.words.vocabulary(db, corpus.number, letter, breadth.vocabulary);
    return [...new Set([...indexed, ...late.filter((word) => word.startsWith(letter))])];
  });
}

/** The passages with the rarest words of the query; of equal ones the shorter first. */
function selectLexical(search: Search, terms: ReadonlyMap<string, Term>): readonly AllowedPassage[] {
  const sums = new Map<number, number>();
  for (const { ids, idf } of terms.values()) for (const id of ids) sums.set(id, (sums.get(id) ?? 0) + idf);
  const sorted = Float64Array.from(sums.values()).toSorted();
  const { lexical } = search.breadth;
  for (let count = lexical; ; count *= 4) {
    const least = sorted.at(-Math.min(count, sorted.length)) ?? 0;
    const [above, equal]: [number[], number[]] = [[], []];
    for (const [id, sum] of sums) if (sum >= least) (sum === least ? equal : above).push(id);
    const found = selectAllowed(search, [...above, ...equal.slice(0, count * MAX_TIES)]);
    if (found.length < lexical && count < sorted.length) continue;
    const weightOf = (id: number): number => sums.get(id) ?? 0;
    return found
      .toSorted(([a, aLength], [b, bLength]) => weightOf(b) - weightOf(a) || aLength - bLength || a - b)
      .slice(0, lexical);
  }
}

/** A passage that the search's options allow. */
type AllowedPassage = readonly [id: number, length: number, blockId: string, isAllowed: number];

function selectAllowed({ db, allowed, params }: Search, ids: readonly number[]): readonly AllowedPassage[] {
  const rows = db.list<AllowedPassage>(
    `SELECT passage.id, passage.length, passage.block_id, true${allowed} FROM json_each($2) AS listed
       CROSS JOIN dispatch_memory.passage ON passage.id = listed.value
     WHERE passage.owner = $1`,
    params(ids),
  );
  if (rows.length < ids.length) throw damaged("the index of words has a passage that is not there");
  return rows.filter(([, , , isAllowed]) => isAllowed === 1);
}

/** The passages with the most similar vectors. */
function selectDense({ db, cache: { vectors }, owner, vector, allowed, params }: Search): readonly number[] {
  if (vector === undefined) return [];
  const { space, unit, floor } = vector;
  for (let count = DENSE_CANDIDATES * OVERSAMPLING; ; count *= 8) {
    const nearest = vectors.nearest(db, owner, space, unit, count).map(({ passage }) => passage);
    const rows = db.list<[id: number, vector: Uint8Array, isAllowed: number]>(
      `SELECT passage.id, embedding.vector, true${allowed}
       FROM dispatch_memory.embedding JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.id = embedding.passage
       WHERE embedding.space = $4 AND embedding.passage IN (SELECT value FROM json_each($2))`,
      [...params(nearest), space],
    );
    const there = new Set(rows.map(([id]) => id));
    if (there.size < nearest.length) vectors.remove(owner, space, new Set(nearest.filter((id) => !there.has(id))));
    const found = rows.filter(([, , isAllowed]) => isAllowed === 1);
    if (found.length < DENSE_CANDIDATES && nearest.length === count) continue;
    return found
      .map(([id, stored]) => ({ id, cosine: toCosine(vector, stored) ?? 0 }))
      .filter(({ cosine }) => cosine >= floor)
      .toSorted((a, b) => b.cosine - a.cosine || a.id - b.id)
      .slice(0, DENSE_CANDIDATES)
      .map(({ id }) => id);
  }
}

/** The first passage of the block whose label is the query. */
function selectNamed({ db, owner, key, filter, wanted }: Search): readonly number[] {
  const rows = db.list<[id: number]>(
    `SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
       ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
     WHERE block.owner = $1 AND block.key = $2${wanted}`,
    [owner, key, JSON.stringify(filter)],
  );
  return rows.flat();
}

/** The first passages of the blocks that contain the query literally. */
function selectLiteral({ db, owner, query, filter, allowed, breadth }: Search): readonly number[] {
  const rows = db.list<[id: number]>(
    `SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
       ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
     WHERE block.owner = $1 AND contains(block.label || ' ' || block.content, $2)${allowed}
     LIMIT ${breadth.lexical}`,
    [owner, query, JSON.stringify(filter)],
  );
  return rows.flat();
}

/** The first passages of the blocks near those of some passages, in their sequences. */
function selectNeighbours({ db, allowed, params }: Search, ids: readonly number[]): readonly number[] {
  const rows = db.list<[id: number]>(
    `SELECT DISTINCT passage.id FROM dispatch_memory.passage AS leader
       JOIN dispatch_memory.block ON block.owner = $1 AND block.id = leader.block_id
       JOIN dispatch_memory.block AS near ON near.owner = $1 AND near.series = block.series
         AND near.place BETWEEN block.place - ${NEIGHBOUR_DISTANCE} AND block.place + ${NEIGHBOUR_DISTANCE}
       JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.block_id = near.id AND passage.ordinal = 0
     WHERE leader.id IN (SELECT value FROM json_each($2))${allowed}`,
    params(ids),
  );
  return rows.flat();
}

/** Some passages, and the first ones of their blocks. */
function selectDetails({ db, owner, vector, breadth }: Search, ids: readonly number[]): readonly Detail[] {
  const others = db.list<[id: number]>(
    `SELECT other.id FROM json_each($2) AS listed CROSS JOIN dispatch_memory.passage AS found ON found.id = listed.value
       CROSS JOIN dispatch_memory.passage AS other ON other.owner = $1 AND other.block_id = found.block_id
         AND other.ordinal < ${breadth.blockPassages}
     WHERE found.owner = $1`,
    [owner, JSON.stringify(ids)],
  );
  const all = new Set([...ids, ...others.flat()]);
  const embedded =
    vector === undefined
      ? { column: "NULL", join: "" }
      : {
          column: "embedding.vector",
          join: "LEFT JOIN dispatch_memory.embedding ON embedding.passage = passage.id AND embedding.space = $3",
        };
  const details = db.list<Detail>(
    `SELECT passage.id, passage.block_id, passage.ordinal, passage.start, passage."end", passage.length, passage.words,
       block.series, block.place, ${embedded.column}, passage.sum
     FROM json_each($2) AS listed CROSS JOIN dispatch_memory.passage ON passage.id = listed.value
       CROSS JOIN dispatch_memory.block ON block.owner = $1 AND block.id = passage.block_id ${embedded.join}
     WHERE passage.owner = $1`,
    [owner, JSON.stringify([...all]), vector?.space ?? null],
  );
  if (details.length < all.size) throw damaged("a passage has no block");
  for (const [, blockId, ordinal, start, end, length, words, , , , sum] of details)
    if (sum !== sumOf([owner, blockId, ordinal, start, end, length, words]))
      throw damaged("a passage has another checksum than its values");
  return details;
}

/** The words of each passage are those that the index has it by. */
function checkIndexed(details: readonly Detail[], terms: ReadonlyMap<string, Term>, matches: number): void {
  const words = new Map(details.map(([id, , , , , , its]) => [id, ` ${its} `]));
  for (const [word, { ids }] of terms) {
    let found = 0;
    for (const id of ids) {
      const its = words.get(id);
      if (its === undefined) continue;
      if (!its.includes(` ${word} `)) throw damaged("the index of words has a passage by a word that it does not hold");
      found += 1;
    }
    if (ids.length >= matches) continue;
    for (const its of words.values()) if (its.includes(` ${word} `)) found -= 1;
    if (found !== 0) throw damaged("the index of words lacks a passage");
  }
}

/** The cosine of a query and a passage, `null` when one of the two has no vector. */
function toCosine(searched: SearchedVector | undefined, stored: Uint8Array | null): number | null {
  if (searched === undefined || stored === null) return null;
  const [a, b] = [searched.unit, toVector(stored)];
  // Both have length 1, that is 10,000, except for rounding: no sum of their products leaves 32 bits.
  let [even, odd] = [0, 0];
  const end = Math.min(a.length, b.length) & ~1;
  for (let at = 0; at < end; at += 2) {
    even = (even + Math.imul(a[at] as number, b[at] as number)) | 0;
    odd = (odd + Math.imul(a[at + 1] as number, b[at + 1] as number)) | 0;
  }
  if (end < a.length) even += Math.imul(a[end] as number, b[end] as number);
  return Math.min((even + odd) / 1e8, 1);
}
