import { stemmer } from "stemmer";

/** Words that stand in nearly every English sentence and tell nothing about a tool. */
const STOP_WORDS = new Set(
  "a about after again all am an and any are as at be because been before being but by can could did do does doing don for from further had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our ours out over own s same she should so some such t than that the their theirs them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours".split(
    " ",
  ),
);

/** Longer runs of letters are encoded data. In characters. */
const MAX_WORD_CHARS = 40;
/** Stems are kept: a catalogue repeats its words. */
const MAX_STEMS = 20_000;

/** Scripts that put no space between words, or join words with their endings: pairs of their characters stand for words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Where the parts of an identifier meet: `read_file`, `readFile`, `HTTPServer`, `base64`. */
const JOINT =
  /[^\p{L}\p{M}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

const stems = new Map<string, string>();

/**
 * The words that a tool is found by, in their order: the parts of identifiers, in lower case, without accents, stemmed as
 * English, without the most frequent English words. Chinese, Japanese, Korean, Thai and their like become pairs of characters.
 */
export function toSearchWords(text: string): readonly string[] {
  const words: string[] = [];
  const spaced = text.normalize("NFKC").replaceAll(UNSPACED, (run) => {
    const chars = Array.from(run);
    for (let at = 0; at === 0 || at + 1 < chars.length; at += 1) words.push(chars.slice(at, at + 2).join(""));
    return " ";
  });
  for (const part of spaced.replaceAll(/['’]s\b/gu, "").split(JOINT)) {
    if (part === "" || part.length > MAX_WORD_CHARS) continue;
    const word = part
      .normalize("NFD")
      .replaceAll(/\p{M}+/gu, "")
      .toLowerCase();
    if (word !== "" && !STOP_WORDS.has(word)) words.push(toStem(word));
  }
  return words;
}

function toStem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS) stems.clear();
  const stem = stemmer(word);
  stems.set(word, stem);
  return stem;
}
