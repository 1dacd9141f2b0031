import { DatabaseSync } from "node:sqlite";
import { stemmer } from "@orama/stemmers/english";

const stopWords = new Set(
  "i me my we our ours you your yours he him his she her hers it its they them their theirs what which who whom this that these those am is are was were be been being have has had having do does did doing a an the and but if or because as until while of at by for with about against between into through during before after above below to from up down in out on off over under again further then once here there when where why how all any both each few more most other some such no nor not only own same so than too very s t can will just don should now".split(
    " ",
  ),
);

/** Plain BM25 (k1 1.2; stemmed, stop words left out), the baseline of the other searches. Gives the positions of the texts, best first. */
export function plainBm25(texts: readonly string[], b = 0.75): (query: string) => readonly number[] {
  const documents = texts.map((text) => countsOf(toTerms(text)));
  const lengths = texts.map((text) => toTerms(text).length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  const frequency = countsOf(documents.flatMap((counts) => [...counts.keys()]));
  return (query) => {
    const terms = new Set(toTerms(query));
    const scores = documents.map((counts, at) => {
      let score = 0;
      for (const term of terms) {
        const tf = counts.get(term) ?? 0;
        const df = frequency.get(term) ?? 0;
        const length = 1 - b + (b * (lengths[at] ?? 0)) / average;
        score += (Math.log(1 + (texts.length - df + 0.5) / (df + 0.5)) * tf * 2.2) / (tf + 1.2 * length);
      }
      return score;
    });
    return scores.map((_, at) => at).toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  };
}

function toTerms(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => stemmer(word));
}

function countsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** SQLite's FTS5 as it comes: Porter stems, BM25, any word may match. Gives the positions of the texts, best first. */
export function plainFts5(texts: readonly string[]): (query: string) => readonly number[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE text USING fts5(body, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO text (rowid, body) VALUES (?, ?)");
  for (const [at, body] of texts.entries()) insert.run(at, body);
  const search = database.prepare("SELECT rowid AS at FROM text WHERE text MATCH ? ORDER BY rank LIMIT 10");
  return (query) => {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    return search.all(words.map((word) => `"${word}"`).join(" OR ")).map(({ at }) => Number(at));
  };
}
