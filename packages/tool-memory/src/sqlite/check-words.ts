import { toTermCode } from "../text/term-codes.ts";
import type { Connection } from "./connection.ts";
import { checkSums } from "./row-sums.ts";

/**
 * Compares the rows that searches read with their sources: passages with the texts of their blocks, the index of words with the
 * words of the passages. SQLite's own check knows nothing of either. Describes the first difference; `undefined` for none.
 */
export function checkWords(db: Connection): string | undefined {
  checkSums(db);
  return checkPassages(db) ?? checkIndex(db);
}

/** The passages of a block follow one another, from its text's first character to the last. */
function checkPassages(db: Connection): string | undefined {
  let wrong: string | undefined;
  let [block, end, chars] = ["", 0, 0];
  const isWhole = (): boolean => end === chars;
  db.each<[id: string, content: string | null, start: number, end: number, length: number, words: string]>(
    `SELECT passage.owner || ' ' || block_id, iif(ordinal = 0, content, NULL), start, "end", length, words
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
