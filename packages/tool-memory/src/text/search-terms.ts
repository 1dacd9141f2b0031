import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemEnglish } from "@orama/stemmers/english";
import { stemmer as stemGreek } from "@orama/stemmers/greek";
import { stemmer as stemHindi } from "@orama/stemmers/indian";
import { stemmer as stemRussian } from "@orama/stemmers/russian";

/** Stop words: those of nearly every English text, which say little about it. */
const STOP_WORDS = new Set(
  "a about after again all am an and any are as at be because been before being but by can could did do does doing don for from further had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our ours out over own s same she should so some such t than that the their theirs them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours".split(
    " ",
  ),
);

/** Longer runs of letters are no words that a person searches for: encoded data, mostly. In characters. */
const MAX_TERM_CHARS = 64;

/** Identifiers of more parts are hashes and the like: their parts mean nothing. */
const MAX_PARTS = 8;

/** Scripts that put no space between words, with the length of the pieces that stand for words. */
const UNSPACED = [
  { script: String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3005`, length: 2 },
  { script: String.raw`\p{Script=Hangul}`, length: 2 },
  { script: String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}`, length: 3 },
] as const;

/** Stems by script. Where a script writes many languages, the stems of the most frequent one serve them all. */
const STEMS: readonly (readonly [script: RegExp, stem: (word: string) => string])[] = [
  [/^\p{Script=Latin}/u, stemEnglish],
  [/^\p{Script=Cyrillic}/u, stemRussian],
  [/^\p{Script=Arabic}/u, stemArabic],
  [/^\p{Script=Greek}/u, stemGreek],
  [/^\p{Script=Devanagari}/u, stemHindi],
];

/** A letter, mark or digit of a script; some have symbols too. */
const letterOf = (script: string): string => `(?:(?=[\\p{L}\\p{M}\\p{N}])[${script}])`;
const unspaced = UNSPACED.map(({ script }) => script).join("");
/** A run of one unspaced script, or a word or identifier of the others. */
const RUN = new RegExp(
  `${UNSPACED.map(({ script }) => `(${letterOf(script)}${letterOf(`${script}\\p{M}`)}*)`).join("|")}|((?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}_])+)`,
  "gu",
);

/** Letters with marks that readers leave out: accents and vowel points. Those of other scripts make other letters. */
const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;

/** Where the groups of an identifier meet: `max_tokens`, `utf8`. */
const GROUP_JOINT = /_+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
/** Where the words of a group meet: `getUserById`, `HTTPServer`. */
const WORD_JOINT = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * The terms that a text is found by, in their order, repeated as often as they occur. A query has the same terms. Every
 * storage uses these, so that all rank alike.
 *
 * - Compatibility forms, case and accents are folded: `Ｃａｆé` is `cafe`.
 * - Words are stemmed by their script: Latin as English, Cyrillic as Russian, Arabic, Greek, Devanagari as Hindi. The most
 *   frequent English words are left out.
 * - Chinese, Japanese and Korean become pairs of characters, Thai, Lao, Khmer, Burmese and Tibetan triples: these scripts
 *   put no space between words, or, in Korean, join words with their endings.
 * - An identifier is found by its parts and as a whole: `getUserById` by `user`, `get_user_by_id` and `getuserbyid`.
 */
export function toSearchTerms(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [, ...groups] of text
    .normalize("NFKC")
    .replaceAll(/['’]s(?!\p{L})/gu, "")
    .matchAll(RUN)) {
    const kind = groups.findIndex((group) => group !== undefined);
    const run = groups[kind] ?? "";
    const pieces = UNSPACED[kind];
    if (pieces === undefined) addKnownWords(terms, run);
    else addPieces(terms, run.toLowerCase(), pieces.length);
  }
  return terms;
}

function addPieces(terms: string[], run: string, length: number): void {
  const chars = Array.from(run);
  for (let at = 0; at === 0 || at + length <= chars.length; at += 1) terms.push(chars.slice(at, at + length).join(""));
}

/** Number of runs whose terms are kept: stemming takes most of a search's and a write's time in this process. */
const MAX_KNOWN = 10_000;
/** Longer runs are rare. In UTF-16 code units. */
const MAX_KNOWN_LENGTH = 24;
const known = new Map<string, readonly string[]>();

function addKnownWords(terms: string[], run: string): void {
  if (run.length > MAX_KNOWN_LENGTH) return addWords(terms, run);
  let made = known.get(run);
  if (made === undefined) {
    const own: string[] = [];
    addWords(own, run);
    made = own;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(run, made);
  }
  for (const term of made) terms.push(term);
}

function addWords(terms: string[], run: string): void {
  const groups = run.split(GROUP_JOINT).filter((group) => group !== "");
  const parts = groups.map((group) => group.split(WORD_JOINT));
  const whole = groups.join("");
  if (parts.flat().length > MAX_PARTS) return addWord(terms, whole);
  for (const [at, words] of parts.entries()) {
    for (const word of words) addWord(terms, word);
    if (words.length > 1) addWord(terms, groups[at] ?? "");
  }
  if (groups.length > 1) addWord(terms, whole);
}

function addWord(terms: string[], word: string): void {
  // Before the costly folding, which shortens a word to a third at most.
  if (word.length > 3 * MAX_TERM_CHARS || !/[\p{L}\p{N}]/u.test(word)) return;
  const folded = word.normalize("NFD").replaceAll(MARKED, "$1").normalize("NFC").toLowerCase();
  if (folded === "" || folded.length > MAX_TERM_CHARS) return;
  if (STOP_WORDS.has(folded)) return;
  const stem = STEMS.find(([script]) => script.test(folded))?.[1];
  terms.push(stem?.(folded) || folded);
}

const SPACE = 32;
/** The constants of FNV-1a, 32 bits. */
const FNV_OFFSET = 0x81_1c_9d_c5 | 0;
const FNV_PRIME = 0x01_00_01_93;

/**
 * Search terms, given with a space between, as numbers: equal terms have equal numbers. Ranking a few thousand terms takes a
 * fraction of the time that their texts would. Two different terms have the same number once in four thousand million; one
 * term is then counted for another.
 */
export function toTermCodes(words: string): readonly number[] {
  const codes: number[] = [];
  let hash = FNV_OFFSET;
  let isInWord = false;
  for (let at = 0; at < words.length; at++) {
    const unit = words.charCodeAt(at);
    if (unit !== SPACE) {
      hash = Math.imul(hash ^ unit, FNV_PRIME);
      isInWord = true;
    } else if (isInWord) {
      codes.push(hash);
      hash = FNV_OFFSET;
      isInWord = false;
    }
  }
  if (isInWord) codes.push(hash);
  return codes;
}

/** The number of one search term. */
export function toTermCode(term: string): number {
  return toTermCodes(term)[0] ?? 0;
}
