import { toTermCode } from "../text/search-terms.ts";
import type { Connection } from "./connection.ts";
import { checkSums } from "./row-sums.ts";

/** Number of ids and words that are kept: a few MB. */
const MAX_KEPT = 200_000;

/** Reads the index of words through a cache, which holds until the index changes: once in many writes. */
export class IndexedWords {
  #generation = -1;
  #kept = new Map<string, readonly number[]>();
  #vocabularies = new Map<string, readonly string[]>();
  #count = 0;

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

/**
 * Compares the rows that searches read with their sources: passages with the texts of their blocks, the index of words with the
 * words of the passages. SQLite's own check knows nothing of either. Describes the first difference; `undefined` for none.
 */
export function checkWords(db: Connection): string | undefined {
  checkSums(db);
  const bare = db.list(
    `SELECT 1 FROM dispatch_memory.block WHERE NOT EXISTS (SELECT 1 FROM dispatch_memory.passage
       WHERE passage.owner = block.owner AND passage.block_id = block.id) LIMIT 1`,
  );
  return bare.length > 0 ? "a block has no passages" : (checkPassages(db) ?? checkIndex(db));
}

/** Each passage is as it was written, also where the index lacks its words; those of a block follow one another and cover its text. */
function checkPassages(db: Connection): string | undefined {
  let wrong: string | undefined;
  let [block, end, chars] = ["", 0, 0];
  const isWhole = (): boolean => end === chars;
  db.each<[id: string, content: string | null, start: number, end: number, length: number, words: string]>(
    `SELECT passage.owner || ' ' || block_id, iif(ordinal = 0, content, NULL), start, "end",
       intact(length, passage.sum, passage.owner, block_id, ordinal, start, "end", length, words), words
     FROM dispatch_memory.passage
       LEFT JOIN dispatch_memory.block ON block.owner = passage.owner AND block.id = passage.block_id
     ORDER BY passage.owner, block_id, ordinal`,
    ([id, content, start, upTo, length, words]) => {
      const begins = id !== block;
      if (begins && !isWhole()) wrong ??= "passages of a block do not cover its text";
      if (begins) [block, end, chars] = [id, 0, content?.length ?? -1];
      if (start !== end || upTo < start) wrong ??= "passages of a block do not follow one another";
      if (length !== countWords(words)) wrong ??= "a passage has another number of words than it says";
      end = upTo;
    },
  );
  return wrong ?? (isWhole() ? undefined : "passages of a block do not cover its text");
}

/** Whether index and passages have the same words: their number and the sum of their codes. */
function checkIndex(db: Connection): string | undefined {
  const [range] = db.list<[last: number, newest: number | null]>(
    `SELECT last, (SELECT seq FROM dispatch_memory.sqlite_sequence WHERE name = 'passage') FROM dispatch_memory.word_index`,
  );
  if (range === undefined || range[0] > (range[1] ?? 0)) return "the index of words ends at a passage that never was";
  const [inIndex, inPassages] = [new Sum(), new Sum()];
  db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.entries USING fts5vocab(dispatch_memory, word, instance)");
  db.each<[term: string, id: number]>("SELECT term, doc FROM temp.entries", ([term, id]) => inIndex.add(term, id));
  db.each<[number: number, id: number, words: string]>(
    `SELECT owner.number, passage.id, words FROM dispatch_memory.passage
       JOIN dispatch_memory.owner ON owner.owner = passage.owner
     WHERE passage.length > 0 AND passage.id <= (SELECT last FROM dispatch_memory.word_index)`,
    ([number, id, words]) => {
      for (const word of new Set(words.split(" "))) inPassages.add(`${number}.${word}`, id);
    },
  );
  return inIndex.equals(inPassages) ? undefined : "the index of words has others than the passages";
}

function countWords(words: string): number {
  return words === "" ? 0 : words.split(" ").length;
}

/** Sums up entries in any order. */
class Sum {
  #count = 0;
  #codes = 0;

  add(term: string, passage: number): void {
    this.#count += 1;
    this.#codes = (this.#codes + Math.imul(toTermCode(term) ^ Math.imul(passage, 0x9e_37_79_b1), 0x85_eb_ca_6b)) | 0;
  }

  equals(other: Sum): boolean {
    return this.#count === other.#count && this.#codes === other.#codes;
  }
}
