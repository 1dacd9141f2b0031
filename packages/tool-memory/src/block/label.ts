import { escapeInvisible, toPromptJson } from "../text/escape-invisible.ts";
import { refuse, type Refusal } from "../text/refusal.ts";
import type { MemoryLimits } from "./memory-limits.ts";

const part = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} _.:-]*(?<! )";
const grammar = new RegExp(`^${part}(?:/${part})*$`, "u");

/** A valid label. */
export interface Label {
  /** The label as shown: composed (NFC). */
  readonly text: string;
  /** Identifies the block: compatibility forms and case are folded, so that `Persona` cannot pose as `persona`. */
  readonly key: string;
}

/** Parses a label, or refuses it. */
export function toLabel(value: string, limits: Pick<MemoryLimits, "labelChars">): Label | Refusal {
  const text = value.normalize("NFC");
  if (text.length === 0 || text.length > limits.labelChars) {
    return refuse(
      "invalid_label",
      `Label refused: it has ${text.length} characters, allowed are 1 to ${limits.labelChars}; choose a short name such as user/preferences`,
    );
  }
  if (!grammar.test(text)) {
    return refuse(
      "invalid_label",
      `Label refused: ${quote(text)} is not a name, allowed are letters and digits, then also space _ - . : and parts separated by /, such as user/preferences; choose such a name`,
    );
  }
  return { text, key: toKey(text) };
}

/**
 * Refuses the label of a new block when it could pass for another label; `undefined` when it could not. Blocks of earlier
 * versions keep such labels and are found by them.
 */
export function checkNewLabel(label: string): Refusal | undefined {
  const reason = whyMisleading(label);
  if (reason === undefined) return undefined;
  return refuse(
    "invalid_label",
    `Label refused: ${quote(label)} could pass for another label, as ${escapeInvisible(reason)}; allowed are words of one script that look like no other, such as user/preferences; choose such a name`,
  );
}

/** A label as errors and answers name it: quoted, with invisible characters escaped. */
export function quote(label: string): string {
  return toPromptJson(label);
}

/** The key of a label: equal for labels that differ only in case or compatibility form. */
export function toKey(label: string): string {
  return label.normalize("NFKC").toLowerCase().normalize("NFC");
}

/**
 * Scripts of which a word may be made, those of one row together. Left out are scripts whose letters are mostly look-alikes of
 * Latin ones, such as Lisu, Cherokee and Canadian syllabics, and historic ones. The rows with Latin are the "highly
 * restrictive" combinations of Unicode Technical Standard 39.
 */
const ROWS = [
  "Latin Han Hiragana Katakana",
  "Latin Han Bopomofo",
  "Latin Han Hangul",
  ..."Cyrillic Greek Armenian Georgian Hebrew Arabic Syriac Thaana Nko Ethiopic".split(" "),
  ..."Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala".split(" "),
  ..."Thai Lao Tibetan Myanmar Khmer Mongolian Yi Javanese Balinese Sundanese Meetei_Mayek Ol_Chiki Adlam".split(" "),
];

let made: readonly RegExp[] | undefined;

/** An expression for each row. They are made when the first one is needed: it takes 5 ms, as long as migrating a new database. */
function wordsOfOneScript(): readonly RegExp[] {
  made ??= ROWS.map((row) => {
    const scripts = row.split(" ").map((script) => `\\p{Script_Extensions=${script}}`);
    return new RegExp(`^[${scripts.join("")}\\p{Script_Extensions=Common}\\p{Script=Inherited}]+$`, "u");
  });
  return made;
}

/** Letters that look like a Latin one. Latin letters with marks, which show, are not among them. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    // Cyrillic
    "аa еe оo рp сc уy хx ѕs іi јj ԁd ԛq ԝw һh ӏl ѵv",
    "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ЅS ІI ЈJ ԚQ ԜW ӀI ҮY",
    // Greek
    "αa ιi κk νv οo ρp υu χx ϲc ϳj",
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ",
    // Armenian
    "ոn սu օo հh ցg զq յj",
    "ՍU ՕO ՏS ԼL",
    // Latin
    "ıi ȷj ɑa ɡg ɩi ʋu ĸk",
  ]
    .join(" ")
    .split(" ")
    .map(([letter = "", latin = ""]) => [letter, latin] as const),
);

/** Small capitals and phonetic letters, which pose as other Latin letters. */
const PHONETIC =
  /[\u0251\u0261\u0262\u026A\u0274\u0280\u028F\u0299\u029C\u029F\u1D00-\u1DBF\uA720-\uA7FF\uAB30-\uAB6F]|[\u{10780}-\u{107BF}]|[\u{1DF00}-\u{1DFFF}]/u;

/** The Latin letters that a label looks like. */
export function toLatinLook(label: string): string {
  return Array.from(label, (letter) => LOOK_ALIKES.get(letter) ?? letter).join("");
}

/**
 * Describes how a label could pass for another one; `undefined` when it could not. A word is written in one script, and not only
 * in letters that look like those of another.
 */
export function whyMisleading(label: string): string | undefined {
  if (/ {2}/.test(label)) return "it has two spaces in a row";
  const hidden = /\p{Default_Ignorable_Code_Point}/u.exec(label)?.[0];
  if (hidden !== undefined) return `it holds the invisible character ${nameOf(hidden)}`;
  if (/\p{M}{4}/u.test(label.normalize("NFD"))) return "it has more than three marks on one letter";
  for (const [word] of label.normalize("NFKC").matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!wordsOfOneScript().some((row) => row.test(word)))
      return `"${word}" is not written in one script in general use`;
    const phonetic = PHONETIC.exec(word)?.[0];
    if (phonetic !== undefined) return `"${word}" holds the phonetic letter ${nameOf(phonetic)}`;
    const letters = word.replace(/[^\p{L}]/gu, "");
    const isForeign = letters !== "" && !/\p{Script=Latin}/u.test(letters);
    for (const shown of isForeign ? [letters, letters.toLowerCase()] : []) {
      const look = toLatinLook(shown);
      if (/^[a-z]+$/i.test(look)) return `"${word}" looks like "${look}" in Latin letters`;
    }
  }
  return undefined;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
