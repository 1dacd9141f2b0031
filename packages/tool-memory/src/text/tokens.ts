import { stemmer } from "stemmer";

/** Words that stand in nearly every English text and tell little about it. */
const stopWords = new Set(
  "a about after again all am an and any are as at be because been before being but by can could did do does doing don for from further had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our ours out over own s same she should so some such t than that the their theirs them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours".split(
    " ",
  ),
);

/** The words of a text that searches compare, in their order: in lower case, English words as stems, without stop words. */
export function toTokens(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => stemmer(word));
}
