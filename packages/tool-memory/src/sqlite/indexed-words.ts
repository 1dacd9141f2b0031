import type { Connection } from "./connection.ts";

/** Number of ids and words that are kept: a few MB. */
const MAX_KEPT = 200_000;

/** Number of passages whose words are kept, a few times the number that the index may lack. */
const MAX_SPLIT = 256;

/** Reads the index of words through a cache, which holds until the index changes: once in many writes. */
export class IndexedWords {
  #generation = -1;
  #kept = new Map<string, readonly number[]>();
  #vocabularies = new Map<string, readonly string[]>();
  #count = 0;
  #split = new Map<number, ReadonlySet<string>>();

  /** The words of a passage that the index does not have yet. */
  split(id: number, words: string): ReadonlySet<string> {
    const known = this.#split.get(id);
    if (known !== undefined) return known;
    const split = new Set(words.split(" "));
    if (this.#split.size >= MAX_SPLIT) this.#split.clear();
    this.#split.set(id, split);
    return split;
  }

  /**
   * The passages that each of some entries of the index is for, oldest first.
   *
   * @param limit the maximum number for an entry.
   */
  read(db: Connection, entries: readonly string[], limit: number): readonly (readonly number[])[] {
    const [index] = db.list<[generation: number]>("SELECT generation FROM dispatch_memory.word_index");
    if (index?.[0] !== this.#generation) this.clear();
    this.#generation = index?.[0] ?? -1;
    const missing = entries.filter((entry) => !this.#kept.has(toKey(entry, limit)));
    const found = new Map(missing.length === 0 ? [] : select(db, missing, limit));
    const lists = entries.map((entry) => this.#kept.get(toKey(entry, limit)) ?? found.get(entry) ?? []);
    for (const [entry, ids] of found) {
      if (this.#count + ids.length > MAX_KEPT) this.clear();
      this.#kept.set(toKey(entry, limit), ids);
      this.#count += ids.length + 1;
    }
    return lists;
  }

  /** The words in the index whose entries begin so, at most `limit`, without that owner's number. After `read`, of the same index. */
  vocabulary(db: Connection, number: number, letter: string, limit: number): readonly string[] {
    const from = `${number}.${letter}`;
    const known = this.#vocabularies.get(from);
    if (known !== undefined) return known;
    db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(dispatch_memory, word, row)");
    const found = db.list<[term: string]>(
      `SELECT term FROM temp.vocabulary WHERE term >= $1 AND term < $2 LIMIT ${limit}`,
      [from, `${from}\u{10ffff}`],
    );
    const words = found.map(([term]) => term.slice(`${number}.`.length));
    if (this.#count + words.length > MAX_KEPT) this.clear();
    this.#vocabularies.set(from, words);
    this.#count += words.length + 1;
    return words;
  }

  /** Empties the cache. */
  clear(): void {
    this.#kept = new Map();
    this.#vocabularies = new Map();
    this.#count = 0;
    this.#split.clear();
  }
}

function toKey(entry: string, limit: number): string {
  return `${limit} ${entry}`;
}

function select(
  db: Connection,
  entries: readonly string[],
  limit: number,
): readonly (readonly [string, readonly number[]])[] {
  const found = db.list<[at: number, ids: string]>(
    `SELECT asked.key, (SELECT json_group_array(rowid) FROM
       (SELECT rowid FROM dispatch_memory.word WHERE word MATCH asked.value LIMIT ${limit}))
     FROM json_each($1) AS asked`,
    [JSON.stringify(entries.map((entry) => `"${entry.replaceAll('"', '""')}"`))],
  );
  return found.map(([at, ids]) => [entries[at] ?? "", JSON.parse(ids) as readonly number[]]);
}
