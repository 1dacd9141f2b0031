import { isBelow, type Trust } from "../block/provenance.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { tellsOfChange } from "../text/tells-of-change.ts";
import { toTermCode } from "../text/term-codes.ts";

/** A hit as far as its place depends on its age. */
export interface DatedHit {
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
export function preferNewer(
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
