import {
  toFilterConditions,
  type Breadth,
  type Candidate,
  type Candidates,
  type CandidateSearch,
  DENSE_CANDIDATES,
  GUESSED,
  NEIGHBOUR_DISTANCE,
  type SearchedVector,
  hiddenBlocks,
} from "../database/candidate.ts";
import {
  type FoundBlock,
  foundColumns,
  type FoundRow,
  type RankedHit,
  selectSequenced,
  toFoundBlock,
  toSequencedBlock,
} from "../database/ranked-hit.ts";
import { rankHits } from "../search/ranking.ts";
import { closestTerms, firstLetters, toMisspelt } from "../text/closest-terms.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import type { Connection } from "./connection.ts";
import type { IndexedWords } from "./indexed-words.ts";
import { damaged, intactColumn, sumOf } from "./row-sums.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { toVector, type VectorCache } from "./vector-cache.ts";

/**
 * The best blocks of a search. All of it runs here, in the thread that has the database open: the host's is free meanwhile, and
 * nothing but the hits has to cross over. The connection must be in a transaction, so that all statements see the same rows.
 */
export function findBlocks(
  db: Connection,
  cache: SearchCache,
  owner: string,
  asked: CandidateSearch,
): readonly RankedHit[] {
  const { ids, toHits } = rankHits(asked, findCandidates(db, cache, owner, withTokens(asked)));
  const found = db.all<FoundRow & { readonly seq: number }>(selectSequenced(sqliteDialect), [
    owner,
    JSON.stringify(ids),
  ]);
  return toHits(found.map(toSequencedBlock));
}

/** The blocks that share rare words with a query, in the order of how rare. */
export function findBlocksByWords(
  db: Connection,
  index: IndexedWords,
  owner: string,
  asked: CandidateSearch,
): readonly FoundBlock[] {
  const ids = findByWords(db, index, owner, withTokens(asked));
  const found = db.all<FoundRow>(
    `SELECT ${foundColumns(sqliteDialect)} FROM json_each($2) AS listed
       CROSS JOIN dispatch_memory.block ON block.owner = $1 AND block.id = listed.value`,
    [owner, JSON.stringify(ids)],
  );
  return found.map(toFoundBlock);
}

function withTokens(asked: CandidateSearch): TokenSearch {
  return { ...asked, tokens: toSearchTerms(asked.query) };
}

/** A search for candidates, with the words of the query as `toSearchTerms` gives them. */
interface TokenSearch extends CandidateSearch {
  readonly tokens: readonly string[];
}

/** Caches of one database for its searches. */
interface SearchCache {
  readonly vectors: VectorCache;
  readonly words: IndexedWords;
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

/** A passage that the search's options allow. */
type AllowedPassage = readonly [id: number, length: number, blockId: string];

/** How many more passages than are needed are taken from the cache, whose bytes order them nearly as their vectors do. */
const OVERSAMPLING = 2;

/** How many more passages than are needed are looked at where several have the same words. */
const MAX_TIES = 4;

/** Finds candidates. The connection must be in a transaction, so that all statements see the same rows. */
function findCandidates(db: Connection, cache: SearchCache, owner: string, search: TokenSearch): Candidates {
  const corpus = readCorpus(db, owner);
  if (corpus === undefined) return { terms: new Map(), passageLength: 1, blockLength: 1, passages: [] };
  const own = { db, index: cache.words, corpus, latest: readLatest(db, cache.words, owner) };
  const exact = readTerms(own, search);
  const named = selectNamed(db, owner, search);
  const literal = exact.size > 0 ? [] : selectLiteral(db, owner, search);
  const terms = literal.length > 0 ? exact : addGuesses(own, search, exact);
  const legs = [selectLexical(db, owner, search, terms), selectDense(db, cache.vectors, owner, search), literal, named];
  const matched = new Set(legs.flat());
  const leaders = new Set(legs.flatMap((leg) => leg.slice(0, leg === literal ? Infinity : search.breadth.leaders)));
  const ids = new Set([...matched, ...selectNeighbours(db, owner, search, [...leaders])]);
  const isLiteral = new Set(literal);
  const details = selectDetails(db, owner, search, [...ids]);
  checkIndexed(details, terms, search.breadth.matches);
  const namedBlocks = new Set(details.filter(([id]) => named.includes(id)).map(([, blockId]) => blockId));
  const passages = details.map(
    ([id, blockId, ordinal, start, end, length, words, series, place, vector]): Candidate => ({
      id,
      blockId,
      ordinal,
      start,
      end,
      series,
      place,
      length,
      words,
      cosine: toCosineOf(search.vector, vector),
      isLiteral: isLiteral.has(id),
      isMatched: matched.has(id),
      isNamed: namedBlocks.has(blockId),
    }),
  );
  return {
    terms: new Map(Array.from(terms, ([word, { idf, weight }]) => [word, idf * weight])),
    passageLength: corpus.length / corpus.passages,
    blockLength: corpus.length / Math.max(corpus.blocks, 1),
    passages,
  };
}

/** The blocks of the passages that share the rarest words with a query, at most `limit`. */
function findByWords(db: Connection, index: IndexedWords, owner: string, search: TokenSearch): readonly string[] {
  const corpus = readCorpus(db, owner);
  if (corpus === undefined) return [];
  const terms = readTerms({ db, index, corpus, latest: readLatest(db, index, owner) }, search);
  const blocks = selectByWords(db, owner, search, terms).map(([, , blockId]) => blockId);
  return [...new Set(blocks)].slice(0, search.limit);
}

function readCorpus(db: Connection, owner: string): Corpus | undefined {
  const [corpus] = db.all<Corpus>(
    `SELECT ${intactColumn("owner", "number")} AS number, passages, blocks, length, first_passage AS first, last_passage AS last FROM dispatch_memory.owner
     WHERE owner = $1`,
    [owner],
  );
  return corpus === undefined || corpus.passages === 0 ? undefined : corpus;
}

function selectLexical(
  db: Connection,
  owner: string,
  search: TokenSearch,
  terms: ReadonlyMap<string, Term>,
): readonly number[] {
  return selectByWords(db, owner, search, terms).map(([id]) => id);
}

/** The passages with the rarest words of the query; of equal ones the shorter first. */
function selectByWords(
  db: Connection,
  owner: string,
  search: TokenSearch,
  terms: ReadonlyMap<string, Term>,
): readonly AllowedPassage[] {
  const sums = new Map<number, number>();
  for (const { ids, idf } of terms.values()) for (const id of ids) sums.set(id, (sums.get(id) ?? 0) + idf);
  const sorted = Float64Array.from(sums.values()).toSorted();
  const { lexical } = search.breadth;
  for (let count = lexical; ; count *= 4) {
    const least = sorted.at(-Math.min(count, sorted.length)) ?? 0;
    const [above, equal]: [number[], number[]] = [[], []];
    for (const [id, sum] of sums) if (sum >= least) (sum === least ? equal : above).push(id);
    const ids = [...above, ...equal.slice(0, count * MAX_TIES)];
    const found = selectAllowed(db, owner, search, ids);
    if (found.length < lexical && count < sorted.length) continue;
    const weightOf = (id: number): number => sums.get(id) ?? 0;
    return found
      .toSorted(([a, aLength], [b, bLength]) => weightOf(b) - weightOf(a) || aLength - bLength || a - b)
      .slice(0, lexical);
  }
}

/** The passages with the most similar vectors. */
function selectDense(db: Connection, cache: VectorCache, owner: string, search: TokenSearch): readonly number[] {
  if (search.vector === undefined) return [];
  const { space, unit, floor } = search.vector;
  for (let count = DENSE_CANDIDATES * OVERSAMPLING; ; count *= 8) {
    const nearest = cache.nearest(db, owner, space, unit, count).map(({ passage }) => passage);
    const rows = db.all<{ id: number; vector: Uint8Array; isAllowed: number }>(
      `SELECT passage.id, embedding.vector, ${toConditions(search)} AS "isAllowed"
       FROM dispatch_memory.embedding JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.id = embedding.passage
       WHERE embedding.space = $4 AND embedding.passage IN (SELECT value FROM json_each($2))`,
      [owner, JSON.stringify(nearest), JSON.stringify(search.filter), space],
    );
    const there = new Set(rows.map(({ id }) => id));
    if (there.size < nearest.length) cache.remove(owner, space, new Set(nearest.filter((id) => !there.has(id))));
    const allowed = rows.filter(({ isAllowed }) => isAllowed === 1);
    if (allowed.length < DENSE_CANDIDATES && nearest.length === count) continue;
    return allowed
      .map(({ id, vector }) => ({ id, cosine: toCosine(unit, toVector(vector)) }))
      .filter(({ cosine }) => cosine >= floor)
      .toSorted((a, b) => b.cosine - a.cosine || a.id - b.id)
      .slice(0, DENSE_CANDIDATES)
      .map(({ id }) => id);
  }
}

/** Those of some passages that the search's options allow. */
function selectAllowed(
  db: Connection,
  owner: string,
  search: TokenSearch,
  ids: readonly number[],
): readonly AllowedPassage[] {
  const rows = db.list<[...AllowedPassage, isAllowed: number]>(
    `SELECT passage.id, passage.length, passage.block_id, ${toConditions(search)} FROM json_each($2) AS listed
       CROSS JOIN dispatch_memory.passage ON passage.id = listed.value
     WHERE passage.owner = $1`,
    [owner, JSON.stringify(ids), JSON.stringify(search.filter)],
  );
  if (rows.length < ids.length) throw damaged("the index of words has a passage that is not there");
  return rows.flatMap(([id, length, blockId, isAllowed]) => (isAllowed === 1 ? [[id, length, blockId] as const] : []));
}

/** The conditions that a search's options set for a passage; `$1` is the owner, `$3` the filter. */
function toConditions({ filter, superseded }: TokenSearch): string {
  const wanted = toFilterConditions(filter, "$3");
  const isWanted = `EXISTS (SELECT 1 FROM dispatch_memory.block WHERE owner = $1 AND id = passage.block_id AND ${wanted})`;
  const notGone = `NOT EXISTS (${hiddenBlocks("gone.block_id = passage.block_id")})`;
  return [...(superseded ? [] : [notGone]), ...(wanted === "" ? [] : [isWanted]), "true"].join(" AND ");
}

/** The first passage of the block whose label is the query. */
function selectNamed(db: Connection, owner: string, { key, filter }: TokenSearch): readonly number[] {
  const wanted = toFilterConditions(filter, "$3");
  const rows = db.all<{ id: number }>(
    `SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
       ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
     WHERE block.owner = $1 AND block.key = $2${wanted === "" ? "" : ` AND ${wanted}`}`,
    [owner, key, JSON.stringify(filter)],
  );
  return rows.map(({ id }) => id);
}

/** The first passages of the blocks that contain the query literally. */
function selectLiteral(db: Connection, owner: string, search: TokenSearch): readonly number[] {
  const rows = db.all<{ id: number }>(
    `SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
       ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
     WHERE block.owner = $1 AND contains(block.label || ' ' || block.content, $2) AND ${toConditions(search)}
     LIMIT ${search.breadth.lexical}`,
    [owner, search.query, JSON.stringify(search.filter)],
  );
  return rows.map(({ id }) => id);
}

/** The first passages of the blocks near those of some passages, in their sequences. */
function selectNeighbours(
  db: Connection,
  owner: string,
  search: TokenSearch,
  ids: readonly number[],
): readonly number[] {
  const rows = db.list<[id: number]>(
    `SELECT DISTINCT passage.id FROM dispatch_memory.passage AS leader
       JOIN dispatch_memory.block ON block.owner = $1 AND block.id = leader.block_id
       JOIN dispatch_memory.block AS near ON near.owner = $1 AND near.series = block.series
         AND near.place BETWEEN block.place - ${NEIGHBOUR_DISTANCE} AND block.place + ${NEIGHBOUR_DISTANCE}
       JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.block_id = near.id AND passage.ordinal = 0
     WHERE leader.id IN (SELECT value FROM json_each($2)) AND ${toConditions(search)}`,
    [owner, JSON.stringify(ids), JSON.stringify(search.filter)],
  );
  return rows.map(([id]) => id);
}

/** Some passages, and the first ones of their blocks. */
function selectDetails(
  db: Connection,
  owner: string,
  { vector, breadth }: TokenSearch,
  ids: readonly number[],
): readonly Detail[] {
  const others = db.list<[id: number]>(
    `SELECT other.id FROM json_each($2) AS listed CROSS JOIN dispatch_memory.passage AS found ON found.id = listed.value
       CROSS JOIN dispatch_memory.passage AS other ON other.owner = $1 AND other.block_id = found.block_id
         AND other.ordinal < ${breadth.blockPassages}
     WHERE found.owner = $1`,
    [owner, JSON.stringify(ids)],
  );
  const all = new Set([...ids, ...others.map(([id]) => id)]);
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

function toCosineOf(searched: SearchedVector | undefined, vector: Uint8Array | null): number | null {
  return vector === null || searched === undefined ? null : toCosine(searched.unit, toVector(vector));
}

/** Both vectors have length 1, that is 10,000, except for rounding: no sum of their products leaves 32 bits. */
function toCosine(a: Int16Array, b: Int16Array): number {
  let [even, odd] = [0, 0];
  const end = Math.min(a.length, b.length) & ~1;
  for (let at = 0; at < end; at += 2) {
    even = (even + Math.imul(a[at] as number, b[at] as number)) | 0;
    odd = (odd + Math.imul(a[at + 1] as number, b[at + 1] as number)) | 0;
  }
  if (end < a.length) even += Math.imul(a[end] as number, b[end] as number);
  return Math.min((even + odd) / 1e8, 1);
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

/** A word that is in some passage. */
interface Term {
  readonly idf: number;
  /** 1 for a word of the query, less for one that a misspelt word of it may be. */
  readonly weight: number;
  readonly ids: readonly number[];
}

/** The words of an owner's memory: the index, and the latest passages, which it does not have yet. */
interface OwnWords {
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
type Latest = readonly (readonly [id: number, words: ReadonlySet<string>])[];

/** The owner's passages that are not in the index yet. */
function readLatest(db: Connection, index: IndexedWords, owner: string): Latest {
  const rows = db.list<[id: number, words: string]>(
    `SELECT passage.id, words FROM dispatch_memory.passage
     WHERE passage.id > (SELECT last FROM dispatch_memory.word_index) AND owner = $1 AND length > 0 ORDER BY passage.id`,
    [owner],
  );
  return rows.map(([id, words]) => [id, index.split(id, words)]);
}

/** The words of a query that are in some passage. */
function readTerms(own: OwnWords, { tokens, breadth }: Asked): ReadonlyMap<string, Term> {
  return new Map(lookUp(own, breadth, [...new Set(tokens)], 1));
}

/** Adds to the words that were found those that the others may be misspellings of. */
function addGuesses(
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
