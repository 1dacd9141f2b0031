import { DatabaseSync } from "node:sqlite";

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
