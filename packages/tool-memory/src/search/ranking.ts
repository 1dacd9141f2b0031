import { type HitExplanation, isBelow, type MemoryHit, TIERS } from "../block/memory-block.ts";
import type { Candidate, Candidates, CandidateSearch, SearchedVector } from "../database/candidate.ts";
import type { FoundBlock } from "../rows/block-rows.ts";
import { toSearchTerms, toTermCode, toTermCodes } from "../text/search-terms.ts";

/** Number of additional blocks that are read, so that among blocks of equal score the tier and the last change decide. */
const TIES = 20;

/** So many times more blocks are ranked than are wanted, because several may state the same. */
const REPEATS = 4;

/** Maximum number of labels of blocks that state the same. */
const MAX_NAMED = 10;

/** The ranking of a search, while its blocks are not yet read. */
interface Ranking {
  readonly ids: readonly string[];
  /** The hits, best first, from those blocks, which may be in any order. */
  readonly toHits: (blocks: readonly FoundBlock[]) => readonly MemoryHit[];
}

/** Ranks the candidates of a search; then, from their blocks, puts newer notes first and decides between equals. */
export function rankHits({ query, vector, limit }: CandidateSearch, candidates: Candidates): Ranking {
  const terms = new Map(Array.from(candidates.terms, ([term, idf]) => [toTermCode(term), idf]));
  const weight = vector?.weight ?? 0;
  const weights = { lexical: 1 - weight, dense: weight };
  const missing = vector !== undefined && { missing: "the block has no vector yet" };
  const ranked = rankCandidates(candidates, terms, vector).slice(0, REPEATS * limit + TIES);
  return {
    ids: ranked.map(({ blockId }) => blockId),
    toHits(blocks) {
      const byId = new Map(blocks.map((block) => [block.id, block]));
      const found = ranked.flatMap((one) => {
        const block = byId.get(one.blockId);
        return block === undefined ? [] : [{ ...one, block }];
      });
      const scores = preferNewer(query, terms, found);
      const sorted = found
        .map((one, at) => ({ ...one, score: scores[at] ?? one.score }))
        .toSorted(
          (a, b) =>
            Number(b.isNamed) - Number(a.isNamed) ||
            b.score - a.score ||
            TIERS.indexOf(a.block.tier) - TIERS.indexOf(b.block.tier) ||
            b.block.seq - a.block.seq ||
            compare(b.block.updatedAt, a.block.updatedAt) ||
            compare(a.block.id, b.block.id),
        );
      return standForRepeats(sorted, limit).map(({ shown, score, similar }) => {
        const { lexical, dense, bonus } = shown;
        const { seq: _, ...block } = shown.block;
        const explain = { lexical, dense, weights, bonus, ...(dense === null && missing) };
        // On a server the block may have changed since its passages were read.
        const passages = shown.passages.filter(([, end]) => end <= block.content.length);
        return { ...block, score, explain, passages, ...(similar.count > 0 && { similar }) };
      });
    },
  };
}

/** A hit as ranked, with its block. */
interface Found extends Ranked {
  readonly block: FoundBlock;
}

/**
 * The best hits, at most `limit`, where each stands for others that state the same, in its tier and with its trust: the newest is shown. A
 * repeat is left out only where another statement needs its place.
 */
function standForRepeats(sorted: readonly Found[], limit: number) {
  const keys = sorted.map(({ isNamed, block: { id, content, tier, trust } }) => {
    const statement = sorted.length <= limit || isNamed ? undefined : toStatement(content);
    return statement === undefined ? id : `${tier} ${trust} ${statement}`;
  });
  let free = limit - new Set(keys).size;
  const groups = new Map<string, Found[]>();
  for (const [at, hit] of sorted.entries()) {
    const key = keys[at] ?? "";
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else if (free-- > 0) groups.set(hit.block.id, [hit]);
    else group.push(hit);
  }
  return [...groups.values()].slice(0, limit).map((group) => {
    const [shown] = group.toSorted((a, b) => b.block.seq - a.block.seq) as [Found];
    const labels = group.filter((hit) => hit !== shown).map(({ block }) => block.label);
    const score = group[0]?.score ?? 0;
    return { shown, score, similar: { count: labels.length, labels: labels.slice(0, MAX_NAMED) } };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A block as ranked by its passages. */
interface Ranked extends Pick<MemoryHit, "score">, Pick<HitExplanation, "lexical" | "dense" | "bonus"> {
  readonly blockId: string;
  /** Where its passages begin and end, best first. */
  readonly passages: readonly (readonly [start: number, end: number])[];
  /** Whether the query is its label. */
  readonly isNamed: boolean;
  /** The codes of the search terms of its passages, as often as they occur. */
  readonly codes: readonly number[];
}

/**
 * The ranking formula, the same for all databases: `score = (1 - weight) * words + weight * cosine`, each scaled to 0 to 1
 * within the query (convex fusion: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A block
 * without a vector is scored by words only. Neighbours in the same sequence add a bonus.
 *
 * @param terms the codes of the query's terms that are in some passage, each with its inverse document frequency.
 * @returns the blocks, best first: the one whose label is the query, then by score.
 */
function rankCandidates(
  candidates: Candidates,
  terms: ReadonlyMap<number, number>,
  vector: SearchedVector | undefined,
): readonly Ranked[] {
  const { weight, floor } = vector ?? { weight: 0, floor: 0 };
  const toSense = toScale(candidates, floor);
  const blocks = scoreWords(candidates, terms);
  const most = Math.max(...blocks.map(({ words }) => words), 0);
  const mix = (words: number, cosine: number | null): number => {
    const lexical = most === 0 ? 0 : words / most;
    return (1 - weight) * lexical + weight * (cosine === null ? lexical : toSense(cosine));
  };
  const scored = blocks.map((block) => {
    const cosines = block.passages.map(({ passage }) => passage.cosine).filter((cosine) => cosine !== null);
    const cosine = cosines.length === 0 ? null : Math.max(...cosines);
    return { ...block, cosine, score: mix(block.words, cosine) };
  });
  const bonuses = liftNeighbours(scored);
  return scored
    .map(({ passages, codes, words, cosine, blockId, score }, at) => {
      const bonus = bonuses[at] ?? 0;
      const worth = ({ passage, words: own }: ScoredPassage): number => mix(own, passage.cosine);
      return {
        blockId,
        codes,
        isNamed: passages.some(({ passage }) => passage.isNamed),
        isFound: bonus !== 0 || passages.some(({ passage }) => passage.isMatched),
        score: round((score + bonus) / MOST),
        lexical: round(words),
        dense: cosine === null ? null : round(cosine),
        bonus: round(bonus / MOST),
        passages: passages
          .toSorted((a, b) => worth(b) - worth(a) || a.passage.ordinal - b.passage.ordinal)
          .map(({ passage: { start, end } }) => [start, end] as const),
      };
    })
    .filter(({ isFound }) => isFound)
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.score - a.score);
}

/** Scales cosines to 0 to 1 by the lowest and the highest. */
function toScale({ passages }: Candidates, floor: number): (cosine: number) => number {
  const cosines = passages.map(({ cosine }) => cosine).filter((cosine) => cosine !== null);
  const [low, high] = [Math.min(...cosines), Math.max(...cosines)];
  return (cosine) => (high > low ? (cosine - low) / (high - low) : Number(cosine >= floor));
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** A passage with its score by words: BM25, or 1 when it contains the query literally. */
interface ScoredPassage {
  readonly passage: Candidate;
  readonly words: number;
}

/** A block with its score by words: of the whole, of the best passage, and of related terms. */
interface ScoredBlock extends Pick<Ranked, "blockId" | "codes">, Pick<Candidate, "series" | "place"> {
  readonly passages: readonly ScoredPassage[];
  /** Number of its terms, divided by the mean. */
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
function scoreWords(
  { passageLength, blockLength, passages }: Candidates,
  terms: ReadonlyMap<number, number>,
): readonly ScoredBlock[] {
  const blocks = groupByBlock(passages).map((group): ScoredBlock => {
    const { blockId, series, place } = group[0] as Candidate;
    const codes: number[] = [];
    const scored = group.map((passage) => {
      const own = toTermCodes(passage.words);
      for (const code of own) codes.push(code);
      return { passage, words: passage.isLiteral ? 1 : bm25(own, terms, passage.length / passageLength, PASSAGE_B) };
    });
    const length = group.reduce((sum, passage) => sum + passage.length, 0) / blockLength;
    const whole = group.some(({ isLiteral }) => isLiteral) ? 1 : bm25(codes, terms, length, BLOCK_B);
    const best = Math.max(...scored.map(({ words }) => words));
    return { blockId, series, place, passages: scored, codes, length, words: WHOLE * whole + (1 - WHOLE) * best };
  });
  const related = toRelatedTerms(blocks, terms);
  return blocks.map((block) => {
    return { ...block, words: block.words + RELATED * bm25(block.codes, related, block.length, BLOCK_B) };
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

/** Number of best blocks whose terms are looked at, and number of terms that are taken. */
const BLOCKS = 10;
const TERMS = 20;

/**
 * Terms that the best blocks of a search share and the others lack, with their weights (pseudo-relevance feedback: Lavrenko
 * and Croft, "Relevance-Based Language Models", 2001). Frequencies are those among the candidates, so that nothing more is
 * read; a term of one block alone says nothing of others.
 */
function toRelatedTerms(
  blocks: readonly ScoredBlock[],
  asked: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const best = blocks
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
    .slice(0, BLOCKS);
  if (asked.size === 0 || best.length < 2) return new Map();
  const found = new Map<number, { likely: number; blocks: number; last: ScoredBlock | undefined }>();
  for (const { codes, words, length } of best)
    for (const code of codes) {
      if (asked.has(code)) continue;
      const term = found.get(code) ?? { likely: 0, blocks: 0, last: undefined };
      term.likely += words / length;
      found.set(code, term);
    }
  for (const block of blocks)
    for (const code of block.codes) {
      const term = found.get(code);
      if (term === undefined || term.last === block) continue;
      term.last = block;
      term.blocks += 1;
    }
  const idfOf = (count: number): number => Math.log(1 + (blocks.length - count + 0.5) / (count + 0.5));
  const taken = [...found]
    .filter(([, term]) => term.blocks > 1)
    .map(([code, { likely, blocks: count }]) => ({ code, idf: idfOf(count), likely: likely * idfOf(count) }))
    .toSorted((a, b) => b.likely - a.likely)
    .slice(0, TERMS);
  return new Map(taken.map(({ code, idf, likely }) => [code, (likely / (taken[0]?.likely ?? 1)) * idf]));
}

/** BM25's usual constant (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;

/**
 * BM25 of a text.
 *
 * @param codes the codes of its terms, as often as they occur.
 * @param weights the codes of the searched terms with their weights.
 * @param length number of terms of the text, divided by the mean.
 * @param b how much the length counts, 0 to 1.
 */
function bm25(codes: readonly number[], weights: ReadonlyMap<number, number>, length: number, b: number): number {
  const counts = new Map<number, number>();
  for (const code of codes) if (weights.has(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const scale = K1 * (1 - b + b * length);
  let score = 0;
  for (const [code, count] of counts) score += ((weights.get(code) ?? 0) * count * (K1 + 1)) / (count + scale);
  return score;
}

/** How far a block is lifted towards a better neighbour at distance 1, 2 and 3: an answer seldom repeats the question's words. */
const TOWARDS = [0.3, 0.15, 0.07] as const;

/** The part of the scores of both direct neighbours that a block gets, better or not: a subject of several blocks in a row counts more. */
const BESIDE = 0.1;

/** The highest sum of a block's score and its bonus. */
const MOST = 1 + 2 * BESIDE;

/** The bonus of each block for its neighbours in its sequence. */
function liftNeighbours(
  blocks: readonly (Pick<Candidate, "series" | "place"> & { readonly score: number })[],
): readonly number[] {
  const scores = new Map(blocks.map(({ series, place, score }) => [`${place} ${series}`, score]));
  return blocks.map(({ series, place, score }) => {
    let bonus = 0;
    for (const [near, part] of series === null ? [] : TOWARDS.entries()) {
      const before = scores.get(`${place - near - 1} ${series}`) ?? 0;
      const after = scores.get(`${place + near + 1} ${series}`) ?? 0;
      bonus += part * (Math.max(score, before, after) - score);
      if (near === 0) bonus += BESIDE * (before + after);
    }
    return bonus;
  });
}

/** Longer texts hold more than one fact or statement, so none of them replaces another. */
const MAX_CHARS = 300;

/** Maximum number of hits that are compared. */
const MAX_HITS = 30;

/** The part of the weight of the older hit's query terms that a newer one must have too; less when it says that something changed. */
const SAME_SUBJECT = 0.9;
const SAME_SUBJECT_CHANGED = 0.4;

/** The part of the highest similarity to older hits that another one must have to be compared, too. */
const AS_SIMILAR = 0.85;

/** The lowest similarity of notes on one subject, 0 to 1. */
const LEAST_SIMILAR = 0.2;

/** Added to the score of the older hits. */
const AHEAD = 1e-4;

/** Words of questions about former times. */
const PAST =
  /(?<![\p{L}\p{N}])(?:used to|before|previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|first|old|older|early|earlier|past|früher|vorher|ursprünglich|antes|anterior|avant|ancien\p{L}*|раньше|прежн\p{L}+)(?![\p{L}\p{N}])|以前|最初|之前|原来|이전|예전/iu;

/** A name or number inside a question. */
const NAME = /(?<=\p{L}[^.!?]*\s)(?:\p{Lu}[\p{L}\p{N}'’-]*|[\p{L}-]*\p{N}[\p{L}\p{N}.-]*)/gu;

interface Dated {
  readonly hit: Found;
  readonly at: number;
  readonly terms: ReadonlySet<number>;
  /** Since when it is true, empty when it is not yet. */
  readonly since: string;
}

/**
 * The scores of hits after newer ones were put right before older ones of the same subject. A hit is compared with the older
 * one that is most like it, and is of the same subject when it has most of that one's words of the query (less if it says
 * that something changed) and all of the query's names that it has, and no less trusted. It gets the older one's score and no more, so a hit of
 * another subject moves back by one place at most.
 *
 * @param wanted the codes of the query's terms that are found anywhere, with their weights.
 */
function preferNewer(query: string, wanted: ReadonlyMap<number, number>, hits: readonly Found[]): readonly number[] {
  const scores = hits.map(({ score }) => score);
  if (PAST.test(query)) return scores;
  const names = new Set((query.match(NAME) ?? []).flatMap(toSearchTerms).map(toTermCode));
  const now = new Date().toISOString();
  const written = toWritten(hits, now);
  const dated = hits
    .slice(0, MAX_HITS)
    .map((hit, at): Dated => {
      // A note that is not true yet replaces none: notes that are true go before it.
      const since = hit.block.validFrom ?? written.get(hit) ?? now;
      return { hit, at, terms: new Set(hit.codes), since: since > now ? "" : since };
    })
    .filter(({ hit: { block } }) => block.label.length + block.content.length < MAX_CHARS)
    .filter(({ terms }) => [...wanted.keys()].some((term) => terms.has(term)))
    .toSorted((a, b) => compare(a.since, b.since) || a.hit.block.seq - b.hit.block.seq);
  const rarities = toRarities(dated);
  for (const [place, newer] of dated.entries()) {
    for (const older of mostSimilar(newer, dated.slice(0, place), rarities)) {
      if (!replaces(newer, older, wanted, names)) continue;
      const ahead = round((scores[older.at] ?? 0) + AHEAD);
      scores[newer.at] = Math.min(Math.max(scores[newer.at] ?? 0, ahead), 1);
    }
  }
  return scores;
}

/** When each hit was written: at the latest when those written after it were, for a clock may have gone back. */
function toWritten(hits: readonly Found[], now: string): ReadonlyMap<Found, string> {
  const written = new Map<Found, string>();
  let latest = now;
  for (const hit of hits.toSorted((a, b) => b.block.seq - a.block.seq)) {
    const { updatedAt, seq } = hit.block;
    const time = updatedAt < latest ? updatedAt : latest;
    // A place in the history that is not known is no earliest one.
    written.set(hit, seq === 0 && updatedAt < now ? updatedAt : time);
    latest = time;
  }
  return written;
}

function replaces(
  newer: Dated,
  older: Dated,
  wanted: ReadonlyMap<number, number>,
  names: ReadonlySet<number>,
): boolean {
  const [now, was] = [newer.hit.block, older.hit.block];
  if (newer.since === older.since && (newer.since === "" || now.seq === was.seq)) return false;
  if (isBelow(now.trust, was.trust)) return false;
  const asked = [...wanted.keys()].filter((term) => older.terms.has(term));
  const lacks = asked.filter((term) => !newer.terms.has(term));
  if (lacks.some((term) => names.has(term))) return false;
  // In a memory of few notes, frequencies say little: every term counts by itself, too.
  const weigh = (terms: readonly number[]): number => terms.length + weightOf(terms, wanted);
  const shared = 1 - weigh(lacks) / weigh(asked);
  const isChange = shared >= SAME_SUBJECT_CHANGED && tellsOfChange(`${now.label} ${now.content}`);
  return isChange || shared >= SAME_SUBJECT;
}

/** The hits most similar to another: the cosine of their terms by rarity. */
function mostSimilar(one: Dated, others: readonly Dated[], rarities: ReadonlyMap<number, number>): readonly Dated[] {
  const weigh = (terms: Iterable<number>): number => weightOf(terms, rarities);
  const compared = others.map((other) => {
    const shared = [...one.terms].filter((term) => other.terms.has(term));
    return { other, similarity: weigh(shared) / Math.sqrt(weigh(one.terms) * weigh(other.terms)) };
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

/** An aside at the end of a note: "as of today", "they told me", without names or numbers. */
const ASIDE = /\s*[,;(–—-]\s*((?:\p{Ll}[\p{Ll}\p{M}'’]*\s+){1,3}\p{Ll}[\p{Ll}\p{M}'’]*)\s*[).!]*$/u;

/** Words that turn a statement into another. */
const TURNS =
  /(?<!\p{L})(?:not|no|never|none|nor|without|except|unless|if|but|instead|nicht|kein\p{L}*|nie|ohne|außer|wenn|aber|statt|nunca|sin|si|pero|pas|jamais|sans|sauf|mais|не|нет|без|если|но)(?!\p{L})/u;

/** At most so many words of an aside say anything. */
const MAX_SAYING = 1;

/** What a short note states, the same for notes that differ by case, punctuation and an aside at the end; `undefined` for a longer one. */
function toStatement(text: string): string | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const [whole, aside = ""] = ASIDE.exec(text) ?? [""];
  const isAside = aside !== "" && !TURNS.test(aside) && toSearchTerms(aside).length <= MAX_SAYING;
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
