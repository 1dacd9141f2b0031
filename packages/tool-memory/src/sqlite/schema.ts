import { sharedTables, toSqlite } from "../database/tables.ts";
import { addSums } from "./row-sums.ts";

/** Number of passages that the index of words may lack. Searches read as many more, writes merge the index that much less often. */
const UNINDEXED_PASSAGES = 64;

/** The version of the first schema. Files of lower versions were made before the first release. */
export const FIRST_SCHEMA = 6;

/**
 * The schema by version. A published migration never changes. `owner` leads every key, as on a server.
 *
 * A passage is a piece of a block's text. Its words are those of `toSearchTerms`, so the index `word` needs no rules of its own: each
 * entry is the owner's number, a dot and a word, so that a search reads one owner's passages only. The index holds no texts and
 * no positions.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE dispatch_memory.owner (
       number INTEGER PRIMARY KEY,
       owner TEXT NOT NULL UNIQUE,
       seq INTEGER NOT NULL DEFAULT 0,
       hash TEXT NOT NULL DEFAULT '',
       blocks INTEGER NOT NULL DEFAULT 0,
       characters INTEGER NOT NULL DEFAULT 0,
       day TEXT NOT NULL DEFAULT '1970-01-01',
       day_events INTEGER NOT NULL DEFAULT 0,
       day_chars INTEGER NOT NULL DEFAULT 0,
       passages INTEGER NOT NULL DEFAULT 0,
       length INTEGER NOT NULL DEFAULT 0,
       first_passage INTEGER,
       last_passage INTEGER
     ) STRICT`,
    ...sharedTables.map(toSqlite),
    `ALTER TABLE dispatch_memory.block ADD COLUMN series TEXT`,
    `ALTER TABLE dispatch_memory.block ADD COLUMN place INTEGER NOT NULL DEFAULT 1`,
    ...addSums("owner"),
    ...addSums("block"),
    ...addSums("mutation"),
    `CREATE INDEX dispatch_memory.block_series ON block (owner, series, place) WHERE series IS NOT NULL`,
    // Each index costs a write a page. Those of no tier but core, and of labels in the history, earned less than that.
    `CREATE INDEX dispatch_memory.block_core ON block (owner) WHERE tier = 'core'`,
    `CREATE INDEX dispatch_memory.event_block ON event (owner, block_id, seq, key)`,
    `CREATE TABLE dispatch_memory.passage (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       owner TEXT NOT NULL,
       block_id TEXT NOT NULL,
       ordinal INTEGER NOT NULL,
       start INTEGER NOT NULL,
       "end" INTEGER NOT NULL,
       length INTEGER NOT NULL,
       words TEXT NOT NULL,
       sum INTEGER NOT NULL,
       FOREIGN KEY (owner, block_id) REFERENCES block (owner, id) ON DELETE CASCADE
     ) STRICT`,
    `CREATE INDEX dispatch_memory.passage_block ON passage (owner, block_id, ordinal)`,
    `CREATE VIRTUAL TABLE dispatch_memory.word USING fts5 (
       words, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~'"
     )`,
    // Passages up to `last` are in the index `word`. Later ones are few, and searches read them one by one: a merge of the
    // index for each write would cost a write more than all else. `generation` changes with the index.
    `CREATE TABLE dispatch_memory.word_index (
       number INTEGER PRIMARY KEY CHECK (number = 1),
       last INTEGER NOT NULL,
       generation INTEGER NOT NULL
     ) STRICT`,
    `INSERT INTO dispatch_memory.word_index VALUES (1, 0, 0)`,
    `CREATE TRIGGER dispatch_memory.passage_added AFTER INSERT ON passage BEGIN
       UPDATE owner SET passages = passages + 1, length = length + new.length,
         first_passage = coalesce(first_passage, new.id), last_passage = new.id WHERE owner = new.owner;
     END`,
    `CREATE TRIGGER dispatch_memory.passage_removed AFTER DELETE ON passage BEGIN
       UPDATE owner SET passages = passages - 1, length = length - old.length WHERE owner = old.owner;
       INSERT INTO word (word, rowid, words) SELECT 'delete', old.id, ${toEntries("old")}
         WHERE old.length > 0 AND old.id <= (SELECT last FROM word_index);
       UPDATE word_index SET generation = generation + 1 WHERE old.id <= last;
     END`,
    `CREATE TRIGGER dispatch_memory.passage_indexed AFTER INSERT ON passage
     WHEN new.id >= (SELECT last FROM word_index) + ${UNINDEXED_PASSAGES} BEGIN
       INSERT INTO word (rowid, words) SELECT id, ${toEntries("passage")} FROM passage
         WHERE id > (SELECT last FROM word_index) AND length > 0 ORDER BY id;
       UPDATE word_index SET last = new.id, generation = generation + 1;
     END`,
    // A vector's numbers as 16-bit integers, little-endian, 10,000 times their value.
    `CREATE TABLE dispatch_memory.embedding (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       owner TEXT NOT NULL,
       space INTEGER NOT NULL,
       passage INTEGER NOT NULL REFERENCES passage (id) ON DELETE CASCADE,
       vector BLOB NOT NULL,
       UNIQUE (passage, space)
     ) STRICT`,
    `CREATE INDEX dispatch_memory.embedding_space ON embedding (owner, space)`,
    `CREATE TABLE dispatch_memory.embedding_claim (
       owner TEXT NOT NULL,
       space INTEGER NOT NULL,
       passage INTEGER NOT NULL REFERENCES passage (id) ON DELETE CASCADE,
       until TEXT NOT NULL,
       PRIMARY KEY (owner, space, passage)
     ) STRICT`,
    `CREATE INDEX dispatch_memory.embedding_claim_passage ON embedding_claim (passage)`,
    // Fixed statistics make every memory use the same plans: most rows of a database can be one owner's.
    `ANALYZE dispatch_memory`,
    ...toStatistics({
      block: {
        sqlite_autoindex_block_1: "100000 100000 1",
        sqlite_autoindex_block_2: "100000 100000 1",
        block_series: "100000 100000 100 1",
        block_core: "100 100",
      },
      passage: { passage_block: "100000 100000 1 1" },
      event: { sqlite_autoindex_event_1: "100000 100000 1", event_block: "100000 100000 10 1 1" },
      embedding: { sqlite_autoindex_embedding_1: "100000 1 1", embedding_space: "100000 100000 100000" },
      supersession: { sqlite_autoindex_supersession_1: "1000 1000 1 1", supersession_by: "1000 1000 1" },
    }),
    // The connection that made them reads them.
    `ANALYZE dispatch_memory.sqlite_schema`,
  ],
];

/** Statements that set the planner's statistics: for each index, its rows, then the rows of equal first columns, and so on. */
function toStatistics(tables: Readonly<Record<string, Readonly<Record<string, string>>>>): readonly string[] {
  return Object.entries(tables).flatMap(([table, indexes]) =>
    Object.entries(indexes).map(
      ([index, rows]) =>
        `INSERT INTO dispatch_memory.sqlite_stat1 (tbl, idx, stat) VALUES ('${table}', '${index}', '${rows}')`,
    ),
  );
}

/** Statements that rebuild the index of words. Its own commands leave words in it that no passage has any more. */
export const REBUILD_WORDS = `
  INSERT INTO dispatch_memory.word (word) VALUES ('delete-all');
  INSERT INTO dispatch_memory.word (rowid, words) SELECT id, ${toEntries("passage", "dispatch_memory.")} FROM dispatch_memory.passage
    WHERE length > 0 ORDER BY id;
  UPDATE dispatch_memory.word_index SET generation = generation + 1,
    last = max(last, coalesce((SELECT max(id) FROM dispatch_memory.passage), 0))`;

/**
 * The index that finds an owner's passages after a given one, which only vectors need: a memory without an embedder is spared
 * the writing of it.
 */
export const INDEX_FOR_VECTORS: readonly string[] = [
  `CREATE INDEX dispatch_memory.passage_owner ON passage (owner, id)`,
  ...toStatistics({ passage: { passage_owner: "100000 100000 1" } }),
];

/** The words of a passage as entries of the index. */
function toEntries(row: "new" | "old" | "passage", schema = ""): string {
  return `replace(' ' || ${row}.words, ' ', ' ' || (SELECT number FROM ${schema}owner AS known WHERE known.owner = ${row}.owner) || '.')`;
}
