import { isBelow, type Trust, TIERS } from "../block/memory-block.ts";
import type { Candidate, Candidates, CandidateSearch, SearchedVector } from "../database/candidate.ts";
import type { FoundBlock, RankedHit, SequencedBlock } from "../database/ranked-hit.ts";
import { toSearchTerms, toTermCode, toTermCodes } from "../text/search-terms.ts";

/** Number of additional blocks that are read, so that among blocks of equal score the tier and the last change decide. */
const TIES = 20;

/** So many times more blocks are ranked than are wanted, because several may state the same. */
const REPEATS = 4;

/** Maximum number of labels of blocks that state the same. */
const MAX_NAMED = 10;

/** The ranking of a search, while its blocks are not yet read. */
interface Ranking {
  /** The ids of the blocks to read. */
  readonly ids: readonly string[];
  /** The hits, best first, from those blocks, which may be in any order. */
  readonly toHits: (blocks: readonly SequencedBlock[]) => readonly RankedHit[];
}

/** Ranks the candidates of a search; then, from their blocks, puts newer notes first and decides between equals. */
export function rankHits({ query, vector, limit }: CandidateSearch, candidates: Candidates): Ranking {
  const { terms, blocks: ranked } = rankCandidates(candidates, vector, REPEATS * limit + TIES);
  return {
    ids: ranked.map(({ blockId }) => blockId),
    toHits(blocks) {
      const byId = new Map(blocks.map((block) => [block.id, block]));
      const found = ranked.flatMap((one) => {
        const read = byId.get(one.blockId);
        if (read === undefined) return [];
        const { seq, ...block } = read;
        return { ...one, block, seq };
      });
      const dated = found.map(({ score, codes, seq, block: { label, content, updatedAt, trust, validFrom } }) => {
        return { text: `${label} ${content}`, codes, trust, score, validFrom, updatedAt, seq };
      });
      const scores = preferNewer(query, terms, dated);
      const sorted = found
        .map((one, at) => ({ ...one, score: scores[at] ?? one.score }))
        .toSorted(
          (a, b) =>
            Number(b.isNamed) - Number(a.isNamed) ||
            b.score - a.score ||
            TIERS.indexOf(a.block.tier) - TIERS.indexOf(b.block.tier) ||
            b.seq - a.seq ||
            compare(b.block.updatedAt, a.block.updatedAt) ||
            compare(a.block.id, b.block.id),
        );
      return standForRepeats(sorted, limit).map(({ shown, similar }) => {
        const { block, score, lexical, cosine, bonus, passages } = shown;
        // On a server the block may have changed since its passages were read.
        const inside = passages.filter(([, end]) => end <= block.content.length);
        return { block, score, lexical, cosine, bonus, passages: inside, ...(similar.count > 0 && { similar }) };
      });
    },
  };
}

/** A hit before the repeats of its statement are left out. */
interface Stated {
  readonly block: FoundBlock;
  readonly score: number;
  readonly seq: number;
  readonly isNamed: boolean;
}

/**
 * The best hits, at most `limit`, where each stands for others that state the same, in its tier and with its trust: the newest is shown. A
 * repeat is left out only where another statement needs its place.
 */
function standForRepeats<Hit extends Stated>(sorted: readonly Hit[], limit: number) {
  const groups = new Map<string, Hit[]>();
  for (const hit of sorted) {
    const { id, content, tier, trust } = hit.block;
    const statement = sorted.length <= limit || hit.isNamed ? undefined : toStatement(content, toSearchTerms);
    const key = statement === undefined ? id : `${tier} ${trust} ${statement}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  const places = Math.max(limit - groups.size, 0);
  const repeats = new Set(
    sorted.filter((hit) => ![...groups.values()].some(([first]) => first === hit)).slice(0, places),
  );
  const shown = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.filter((hit, at) => at === 0 || !repeats.has(hit));
    if (first === undefined) return [];
    const newest = [first, ...others].toSorted((a, b) => b.seq - a.seq)[0] ?? first;
    const labels = [first, ...others].filter((hit) => hit !== newest).map(({ block }) => block.label);
    const similar = { count: labels.length, labels: labels.slice(0, MAX_NAMED) };
    return [
      { at: sorted.indexOf(first), shown: { ...newest, score: first.score }, similar },
      ...group
        .filter((hit) => repeats.has(hit))
        .map((hit) => ({ at: sorted.indexOf(hit), shown: hit, similar: { count: 0, labels: [] } })),
    ];
  });
  return shown.toSorted((a, b) => a.at - b.at).slice(0, limit);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A block as ranked. */
interface RankedBlock {
  /** The id of the block. */
  readonly blockId: string;
  /** Whether the query is its label. */
  readonly isNamed: boolean;
  /** The score, 0 to 1, of four digits. */
  readonly score: number;
  /** The score by words. */
  readonly lexical: number;
  /** Cosine of its most similar passage, `null` for none. */
  readonly cosine: number | null;
  /** The part of the score that comes from neighbours. */
  readonly bonus: number;
  /** The codes of the search terms of its first passages. */
  readonly codes: readonly number[];
  /** The passages that were ranked, best first: where each begins and ends. */
  readonly passages: readonly (readonly [start: number, end: number])[];
}

/** The best blocks of a search. */
interface Ranked {
  /** The codes of the query's terms that are in some passage, each with its inverse document frequency. */
  readonly terms: ReadonlyMap<number, number>;
  /** The blocks, best first: the one whose label is the query, then by score. */
  readonly blocks: readonly RankedBlock[];
}

/**
 * The ranking formula, the same for all databases: `score = (1 - weight) * words + weight * cosine`, each scaled to 0 to 1
 * within the query (convex fusion: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A block
 * without a vector is scored by words only. Neighbours in the same sequence add a bonus.
 *
 * @param limit maximum number of blocks.
 */
function rankCandidates(candidates: Candidates, vector: SearchedVector | undefined, limit: number): Ranked {
  const { weight, floor } = vector ?? { weight: 0, floor: 0 };
  const toSense = toScale(candidates, floor);
  const blocks = scoreWords(candidates);
  const most = Math.max(...blocks.map(({ words }) => words), 0);
  const mix = (words: number, cosine: number | null): number => {
    const lexical = most === 0 ? 0 : words / most;
    return (1 - weight) * lexical + weight * (cosine === null ? lexical : toSense(cosine));
  };
  const scored = blocks.map((block) => {
    const cosine = highest(block.passages);
    const { series, place } = block.passages[0]?.passage ?? { series: null, place: 0 };
    return { block, cosine, score: mix(block.words, cosine), series, place };
  });
  const bonuses = liftNeighbours(scored);
  const worth = ({ passage, words }: ScoredPassage): number => mix(words, passage.cosine);
  const ranked = scored
    .map((one, at) => {
      const bonus = bonuses[at] ?? 0;
      const isNamed = one.block.passages.some(({ passage }) => passage.isNamed);
      return { ...one, bonus, isNamed, score: round((one.score + bonus) / MOST) };
    })
    .filter(({ bonus, block }) => bonus !== 0 || block.passages.some(({ passage }) => passage.isMatched))
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.score - a.score)
    .slice(0, limit)
    .map(({ block: { blockId, passages, codes, words }, isNamed, cosine, score, bonus }): RankedBlock => ({
      blockId,
      isNamed,
      score,
      lexical: round(words),
      cosine: cosine === null ? null : round(cosine),
      bonus: round(bonus / MOST),
      codes,
      passages: passages
        .toSorted((a, b) => worth(b) - worth(a) || a.passage.ordinal - b.passage.ordinal)
        .map(({ passage: { start, end } }) => [start, end] as const),
    }));
  const terms = new Map(Array.from(candidates.terms, ([term, idf]) => [toTermCode(term), idf]));
  return { terms, blocks: ranked };
}

/** Scales cosines to 0 to 1 by the lowest and the highest. */
function toScale({ passages }: Candidates, floor: number): (cosine: number) => number {
  const cosines = passages.map(({ cosine }) => cosine).filter((cosine) => cosine !== null);
  const [low, high] = [Math.min(...cosines), Math.max(...cosines)];
  return (cosine) => (high > low ? (cosine - low) / (high - low) : Number(cosine >= floor));
}

function highest(passages: readonly ScoredPassage[]): number | null {
  const cosines = passages.map(({ passage }) => passage.cosine).filter((cosine) => cosine !== null);
  return cosines.length === 0 ? null : Math.max(...cosines);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** A passage with its score by words. */
interface ScoredPassage {
  readonly passage: Candidate;
  /** BM25, or 1 when it contains the query literally. */
  readonly words: number;
}

/** A block with its score by words: of the whole, of the best passage, and of related terms. */
interface ScoredBlock {
  readonly blockId: string;
  /** At least one. */
  readonly passages: readonly ScoredPassage[];
  /** The codes of the terms of its passages. */
  readonly codes: readonly number[];
  /** Number of its terms. */
  readonly length: number;
  readonly words: number;
}

/** How much the whole block counts; the rest is its best passage. A best passage alone favours long texts, which have more of them. */
const WHOLE = 0.7;

/** How much the length of a passage counts in BM25. Blocks, whose lengths differ more, are scored by all of it. */
const PASSAGE_B = 0.75;
const BLOCK_B = 1;

/** How much the terms count that the best blocks have in common. */
const RELATED = 0.15;

/** Scores blocks by the query's terms, and by terms of those blocks that score best. */
function scoreWords({ terms, passageLength, blockLength, passages }: Candidates): readonly ScoredBlock[] {
  const weights = [...terms.values()];
  const places = new Map(Array.from(terms.keys(), (term, at) => [toTermCode(term), at]));
  const blocks = groupByBlock(passages).map((group): ScoredBlock => {
    const counts = new Uint32Array(weights.length);
    let codes: readonly number[] = [];
    let [length, best, isLiteral] = [0, 0, false];
    const scored = group.map((passage) => {
      const own = new Uint32Array(weights.length);
      const found = toTermCodes(passage.words);
      codes = codes.length === 0 ? found : codes.concat(found);
      for (const code of found) {
        const place = places.get(code);
        if (place !== undefined) own[place] = (own[place] ?? 0) + 1;
      }
      for (let at = 0; at < own.length; at++) counts[at] = (counts[at] ?? 0) + (own[at] ?? 0);
      const words = passage.isLiteral ? 1 : bm25(own, weights, passage.length / passageLength, PASSAGE_B);
      length += passage.length;
      best = Math.max(best, words);
      isLiteral ||= passage.isLiteral;
      return { passage, words };
    });
    const whole = isLiteral ? 1 : bm25(counts, weights, length / blockLength, BLOCK_B);
    const blockId = group[0]?.blockId ?? "";
    return { blockId, passages: scored, codes, length, words: WHOLE * whole + (1 - WHOLE) * best };
  });
  const related = toRelatedTerms(blocks, places);
  if (related === undefined) return blocks;
  return blocks.map((block, at) => {
    const more = bm25(related.countsOf(at), related.weights, block.length / blockLength, BLOCK_B);
    return { ...block, words: block.words + RELATED * more };
  });
}

function groupByBlock(passages: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups = new Map<string, Candidate[]>();
  for (const passage of passages) {
    const group = groups.get(passage.blockId);
    if (group === undefined) groups.set(passage.blockId, [passage]);
    else group.push(passage);
  }
  return [...groups.values()];
}

/** A block's terms and its score by the query's. */
interface CountedBlock {
  /** The codes of the terms of its passages, as often as they occur. */
  readonly codes: readonly number[];
  /** Number of its terms. */
  readonly length: number;
  /** The score by words. */
  readonly words: number;
}

/** Terms with their weights, and how often each is in a block. */
interface RelatedTerms {
  /** The weights. */
  readonly weights: readonly number[];
  /** How often each of the terms is in the block at a place of the list, in the order of the weights. */
  countsOf(block: number): ArrayLike<number>;
}

/** Number of best blocks whose terms are looked at. */
const BLOCKS = 10;

/** Number of terms that are taken. */
const TERMS = 20;

/**
 * Terms that the best blocks of a search share and the others lack, with their weights (pseudo-relevance feedback: Lavrenko
 * and Croft, "Relevance-Based Language Models", 2001). Frequencies are those among the candidates, so that nothing more is
 * read; a term of one block alone says nothing of others. `undefined` when there are none.
 */
function toRelatedTerms(
  blocks: readonly CountedBlock[],
  asked: ReadonlyMap<number, unknown>,
): RelatedTerms | undefined {
  const best = blocks
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
    .slice(0, BLOCKS);
  if (asked.size === 0 || best.length < 2) return undefined;
  const places = new Map<number, number>();
  for (const code of best.flatMap(({ codes }) => codes))
    if (!asked.has(code) && !places.has(code)) places.set(code, places.size);
  const found = blocks.map(({ codes }) => toPlaces(codes, places));
  const idfs = toIdfs(found, places.size);
  const likely = new Float64Array(places.size);
  const total = best.reduce((sum, { words }) => sum + words, 0);
  for (const { codes, length, words } of best) {
    for (const place of toPlaces(codes, places))
      likely[place] = (likely[place] ?? 0) + ((words / total) * (idfs[place] ?? 0)) / length;
  }
  const taken = [...likely.keys()]
    .filter((place) => (likely[place] ?? 0) > 0)
    .toSorted((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0))
    .slice(0, TERMS);
  if (taken.length === 0) return undefined;
  const most = likely[taken[0] ?? 0] ?? 1;
  const ranks = new Map(taken.map((place, rank) => [place, rank]));
  return {
    weights: taken.map((place) => ((likely[place] ?? 0) / most) * (idfs[place] ?? 0)),
    countsOf(block) {
      const counts = new Uint32Array(taken.length);
      for (const place of found[block] ?? []) {
        const rank = ranks.get(place);
        if (rank !== undefined) counts[rank] = (counts[rank] ?? 0) + 1;
      }
      return counts;
    },
  };
}

function toPlaces(codes: readonly number[], places: ReadonlyMap<number, number>): readonly number[] {
  const found: number[] = [];
  for (const code of codes) {
    const place = places.get(code);
    if (place !== undefined) found.push(place);
  }
  return found;
}

/** Inverse document frequencies of terms among some blocks; 0 for those of a single block. */
function toIdfs(blocks: readonly (readonly number[])[], terms: number): Float64Array {
  const counts = new Uint32Array(terms);
  const lastSeen = new Int32Array(terms).fill(-1);
  for (const [at, places] of blocks.entries()) {
    for (const place of places) {
      if (lastSeen[place] === at) continue;
      lastSeen[place] = at;
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  return Float64Array.from(counts, (count) =>
    count < 2 ? 0 : Math.log(1 + (blocks.length - count + 0.5) / (count + 0.5)),
  );
}

/** BM25's usual constant (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;

/**
 * BM25 of a text.
 *
 * @param counts how often each searched term is in the text.
 * @param weights the weights of the searched terms, in the same order.
 * @param length number of terms of the text, divided by the mean.
 * @param b how much the length counts, 0 to 1.
 */
function bm25(counts: ArrayLike<number>, weights: ArrayLike<number>, length: number, b: number): number {
  const scale = K1 * (1 - b + b * length);
  let score = 0;
  for (let at = 0; at < weights.length; at++) {
    const count = counts[at] ?? 0;
    if (count > 0) score += ((weights[at] ?? 0) * count * (K1 + 1)) / (count + scale);
  }
  return score;
}

/** An entry that may have a place in a sequence. */
interface SequenceEntry {
  /** The sequence, `null` for none. */
  readonly series: string | null;
  readonly place: number;
  /** 0 to 1. */
  readonly score: number;
}

/** How far an entry is lifted towards a better neighbour at distance 1, 2 and 3: an answer seldom repeats the question's words. */
const TOWARDS = [0.3, 0.15, 0.07] as const;

/** The part of the scores of both direct neighbours that an entry gets, better or not: a subject of several entries in a row counts more. */
const BESIDE = 0.1;

/** The highest sum of an entry's score and its bonus. */
const MOST = 1 + 2 * BESIDE;

/** The bonus of each entry for its neighbours, in the order of the entries. */
function liftNeighbours(entries: readonly SequenceEntry[]): readonly number[] {
  const sequences = new Map<string, Map<number, number>>();
  for (const { series, place, score } of entries) {
    if (series === null) continue;
    const places = sequences.get(series);
    if (places === undefined) sequences.set(series, new Map([[place, score]]));
    else places.set(place, score);
  }
  return entries.map(({ series, place, score }) => {
    const places = series === null ? undefined : sequences.get(series);
    if (places === undefined || places.size === 1) return 0;
    let bonus = 0;
    for (const [near, part] of TOWARDS.entries()) {
      const before = places.get(place - near - 1) ?? 0;
      const after = places.get(place + near + 1) ?? 0;
      bonus += part * (Math.max(score, before, after) - score);
      if (near === 0) bonus += BESIDE * (before + after);
    }
    return bonus;
  });
}

/** A hit as far as its place depends on its age. */
interface DatedHit {
  /** Its label and text. */
  readonly text: string;
  /** The codes of its search terms. */
  readonly codes: readonly number[];
  /** Since when its writer says it is true: ISO 8601, UTC. */
  readonly validFrom: string | undefined;
  /** The time of its last change, by the clock of that moment: ISO 8601, UTC. */
  readonly updatedAt: string;
  /** Its place in the history: of two that are true since the same time, the later written is newer. */
  readonly seq: number;
  /** How far its source is trusted. */
  readonly trust: Trust;
  /** The score. */
  readonly score: number;
}

/** Longer texts hold more than one fact, so none of them replaces another. */
const MAX_CHARS = 300;

/** Maximum number of hits that are compared. */
const MAX_HITS = 30;

/** The lowest score of a newer hit, as a part of the older one's. */
const LEAST_SCORE = 0.2;

/** The part of the weight of the older hit's query terms that a newer one must have too; less when it says that something changed. */
const SAME_SUBJECT = 0.9;
const SAME_SUBJECT_CHANGED = 0.4;

/** The lowest similarity of notes on one subject, 0 to 1. */
const LEAST_SIMILAR = 0.2;

/** The part of the highest similarity to older hits that another one must have to be compared, too. */
const AS_SIMILAR = 0.85;

/** Added to the score of the older hits. */
const AHEAD = 1e-4;

/** Words of questions about former times. */
const PAST =
  /(?<![\p{L}\p{N}])(?:used to|before|previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|first|old|older|early|earlier|past|früher|vorher|ursprünglich|antes|anterior|avant|ancien\p{L}*|раньше|прежн\p{L}+)(?![\p{L}\p{N}])|以前|最初|之前|原来|이전|예전/iu;

/** A name or number inside a question. */
const NAME = /(?<=\p{L}[^.!?]*\s)(?:\p{Lu}[\p{L}\p{N}'’-]*|[\p{L}-]*\p{N}[\p{L}\p{N}.-]*)/gu;

interface Dated {
  readonly at: number;
  readonly hit: DatedHit;
  readonly terms: ReadonlySet<number>;
  readonly isChange: boolean;
  /** Since when it is true, empty when it is not yet. */
  readonly since: string;
}

/**
 * The scores of hits after newer ones were put right before older ones of the same subject. A hit is compared with the older
 * one that is most like it, and is of the same subject when it has most of that one's words of the query (less if it says
 * that something changed) and all of the query's names that it has, and no less trusted. It gets the older one's score and no more, so a hit of
 * another subject moves back by one place at most.
 *
 * @param weights the codes of the query's terms that are found anywhere, with their weights.
 */
function preferNewer(
  query: string,
  weights: ReadonlyMap<number, number>,
  hits: readonly DatedHit[],
): readonly number[] {
  const scores = hits.map(({ score }) => score);
  if (PAST.test(query)) return scores;
  const names = new Set((query.match(NAME) ?? []).flatMap(toSearchTerms).map(toTermCode));
  const wanted = [...weights.keys()];
  const now = new Date().toISOString();
  const written = toWritten(hits, now);
  const dated = hits
    .slice(0, MAX_HITS)
    .map((hit, at) => ({ at, hit }))
    .filter(({ hit }) => hit.text.length <= MAX_CHARS)
    .map((one) => ({ ...one, terms: new Set(one.hit.codes) }))
    .filter(({ terms }) => wanted.some((term) => terms.has(term)))
    .map((one) => ({ ...one, isChange: tellsOfChange(one.hit.text) }))
    // A note that is not true yet replaces none: notes that are true go before it.
    .map((one) => ({ ...one, since: one.hit.validFrom ?? written.get(one.hit) ?? now }))
    .map((one) => ({ ...one, since: one.since > now ? "" : one.since }))
    .toSorted((a, b) => (a.since < b.since ? -1 : Number(a.since > b.since)) || a.hit.seq - b.hit.seq);
  const rarities = toRarities(dated);
  const lengths = new Map(dated.map((one) => [one, weightOf(one.terms, rarities)]));
  for (const [place, newer] of dated.entries()) {
    for (const older of mostSimilar(newer, dated.slice(0, place), rarities, lengths)) {
      if (!replaces(newer, older, weights, names)) continue;
      const ahead = Math.round(((scores[older.at] ?? 0) + AHEAD) * 1e4) / 1e4;
      scores[newer.at] = Math.min(Math.max(scores[newer.at] ?? 0, ahead), 1);
    }
  }
  return scores;
}

/** When each hit was written: at the latest when those written after it were, for a clock may have gone back. */
function toWritten(hits: readonly DatedHit[], now: string): ReadonlyMap<DatedHit, string> {
  const written = new Map<DatedHit, string>();
  let latest = now;
  for (const hit of hits.toSorted((a, b) => b.seq - a.seq)) {
    const time = hit.updatedAt < latest ? hit.updatedAt : latest;
    // A place in the history that is not known is no earliest one.
    written.set(hit, hit.seq === 0 && hit.updatedAt < now ? hit.updatedAt : time);
    latest = time;
  }
  return written;
}

function replaces(
  newer: Dated,
  older: Dated,
  weights: ReadonlyMap<number, number>,
  names: ReadonlySet<number>,
): boolean {
  const isSame = newer.since === older.since && (newer.since === "" || newer.hit.seq === older.hit.seq);
  if (isSame || newer.hit.score < LEAST_SCORE * older.hit.score) return false;
  if (isBelow(newer.hit.trust, older.hit.trust)) return false;
  const asked = [...weights.keys()].filter((term) => older.terms.has(term));
  const lacks = asked.filter((term) => !newer.terms.has(term));
  if (lacks.some((term) => names.has(term))) return false;
  // In a memory of few notes, frequencies say little: every term counts by itself, too.
  const shared = 1 - (lacks.length + weightOf(lacks, weights)) / (asked.length + weightOf(asked, weights));
  return shared >= (newer.isChange ? SAME_SUBJECT_CHANGED : SAME_SUBJECT);
}

/** The hits most similar to another by the rarity of their common terms. */
function mostSimilar(
  one: Dated,
  others: readonly Dated[],
  rarities: ReadonlyMap<number, number>,
  lengths: ReadonlyMap<Dated, number>,
): readonly Dated[] {
  const terms = Array.from(one.terms, (term) => [term, rarities.get(term) ?? 0] as const);
  const length = lengths.get(one) ?? 0;
  const compared = others.map((other) => {
    let shared = 0;
    for (const [term, rarity] of terms) if (other.terms.has(term)) shared += rarity;
    return { other, similarity: shared / Math.sqrt(length * (lengths.get(other) ?? 0)) };
  });
  const most = Math.max(...compared.map(({ similarity }) => similarity), 0);
  return compared
    .filter(({ similarity }) => similarity >= Math.max(AS_SIMILAR * most, LEAST_SIMILAR))
    .map(({ other }) => other);
}

function toRarities(dated: readonly Dated[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { terms } of dated) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(Array.from(counts, ([term, count]) => [term, Math.log(1 + dated.length / count)]));
}

function weightOf(terms: Iterable<number>, weights: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return sum;
}

/** Longer texts hold more than one statement. */
const MAX_STATEMENT_CHARS = 300;

/** An aside at the end of a note: "as of today", "they told me", without names or numbers. */
const ASIDE = /\s*[,;(–—-]\s*((?:\p{Ll}[\p{Ll}\p{M}'’]*\s+){1,3}\p{Ll}[\p{Ll}\p{M}'’]*)\s*[).!]*$/u;

/** Words that turn a statement into another. */
const TURNS =
  /(?<!\p{L})(?:not|no|never|none|nor|without|except|unless|if|but|instead|nicht|kein\p{L}*|nie|ohne|außer|wenn|aber|statt|nunca|sin|si|pero|pas|jamais|sans|sauf|mais|не|нет|без|если|но)(?!\p{L})/u;

/** At most so many words of an aside say anything. */
const MAX_SAYING = 1;

/**
 * What a short note states, the same for notes that differ by case, punctuation and an aside at the end; `undefined` for a longer one.
 *
 * @param termsOf the search terms of a text.
 */
function toStatement(text: string, termsOf: (text: string) => readonly string[]): string | undefined {
  if (text.length > MAX_STATEMENT_CHARS) return undefined;
  const [whole, aside = ""] = ASIDE.exec(text) ?? [""];
  const isAside = aside !== "" && !TURNS.test(aside) && termsOf(aside).length <= MAX_SAYING;
  const words = (isAside ? text.slice(0, -whole.length) : text)
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+|[^\s\p{P}]/gu);
  return words === null || words.length < 3 ? undefined : words.join(" ");
}

/** Words that announce a change, in some languages. */
const CHANGE =
  /(?<![\p{L}\p{N}])(?:now|no longer|any ?more|instead|since|from \p{L}+ on|as of|after all|new|newly|latest|moved?|moving|changed?|changes|switched|replaced|replaces|renamed|updated?|upgraded|raised|lowered|increased|reduced|cut|extended|corrected|correction|postponed|delayed|pushed|rescheduled|rebooked|migrated|relocated|took over|handed over|became|quit|sold|jetzt|nunmehr|neue?[rsnm]?|umgezogen|verlegt|verschoben|geändert|ersetzt|statt|seit|ab|nicht mehr|ahora|nuev[oa]s?|cambi\p{L}*|mud[óo]|desde|ya no|maintenant|désormais|nouve\p{L}*|chang\p{L}*|déménag\p{L}*|depuis|augmente|adesso|nuov[oaie]|agora|nov[oa]|теперь|нов\p{L}+|перее\p{L}+|смен\p{L}+|измен\p{L}+|вместо|больше не|τώρα|νέ[οαες]\p{L}*|άλλαξε|μετακόμισε|الآن|انتقل\p{L}*|تغير\p{L}*|جديد\p{L}*)(?![\p{L}\p{N}])|変更|変わ|新し|現在|今は|改为|改成|搬到|推迟|更新|变更|现在|新的|바뀌|바뀐|변경|옮겼|새로|이제|ใหม่|เปลี่ยน|ขึ้นเป็น|ตอนนี้/iu;

/** Whether a text says that something changed. */
export function tellsOfChange(text: string): boolean {
  return CHANGE.test(text);
}
