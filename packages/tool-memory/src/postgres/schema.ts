import type { SqlQuery } from "../database/database.ts";
import { sharedTables } from "../database/tables.ts";

/** One step of the schema. A published migration never changes. */
export interface Migration {
  readonly statements: readonly string[];
  /**
   * The oldest schema that a package may have been written for and still work beside this one, in a deploy that replaces
   * processes one by one. Default: this one, so that older packages refuse the database.
   */
  readonly oldest?: number;
}

/** The number of the first schema. Databases of lower numbers were made before the first release. */
export const FIRST_SCHEMA = 7;

/** In order. */
export const migrations: readonly Migration[] = [
  {
    statements: [
      `CREATE TABLE dispatch_memory.owner (
         owner text PRIMARY KEY,
         seq bigint NOT NULL DEFAULT 0,
         hash text NOT NULL DEFAULT '',
         blocks integer NOT NULL DEFAULT 0,
         characters bigint NOT NULL DEFAULT 0,
         day date NOT NULL DEFAULT '1970-01-01',
         day_events integer NOT NULL DEFAULT 0,
         day_chars bigint NOT NULL DEFAULT 0
       )`,
      ...sharedTables,
      `CREATE INDEX event_key ON dispatch_memory.event (owner, key, seq)`,
      `CREATE INDEX event_block ON dispatch_memory.event (owner, block_id, seq)`,
      // No query plan depends on the values of these columns, and the planner's samples of them would outlive `forget`.
      withoutSamples("block", "label, key, content"),
      withoutSamples("event", 'label, key, was, "is", before, after, actor_id, session, reason'),
      withoutSamples(
        "mutation",
        "label, key, new_label, before, proposed, reason, actor_id, session, feedback, resolved_by",
      ),
      // What searches read. A passage is a piece of a block's text; its rows follow the block and are never the only copy of anything.
      // Vectors are in a table of their own (see `vector-store.ts`), because a database without pgvector has no type for them.
      `CREATE SEQUENCE dispatch_memory.passage_id AS bigint`,
      `CREATE TABLE dispatch_memory.passage (
         owner text NOT NULL,
         id bigint NOT NULL DEFAULT nextval('dispatch_memory.passage_id'),
         block_id text NOT NULL,
         ordinal integer NOT NULL,
         start integer NOT NULL,
         "end" integer NOT NULL,
         series text,
         place bigint NOT NULL,
         length integer NOT NULL,
         words tsvector NOT NULL,
         PRIMARY KEY (owner, id),
         FOREIGN KEY (owner, block_id) REFERENCES dispatch_memory.block (owner, id) ON DELETE CASCADE
       )`,
      // Without fastupdate a search never scans a backlog that only autovacuum would merge.
      `CREATE INDEX passage_words ON dispatch_memory.passage USING gin (words) WITH (fastupdate = off)`,
      `CREATE INDEX passage_block ON dispatch_memory.passage (owner, block_id, ordinal)`,
      `CREATE INDEX passage_series ON dispatch_memory.passage (owner, series, place) WHERE series IS NOT NULL`,
      // How many passages and words an owner has: BM25 needs both, and counting 100,000 rows takes longer than the rest of a search.
      `CREATE TABLE dispatch_memory.corpus (
         owner text PRIMARY KEY,
         passages bigint NOT NULL,
         length bigint NOT NULL
       )`,
      `CREATE FUNCTION dispatch_memory.count_passages() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO dispatch_memory.corpus AS was (owner, passages, length)
         SELECT changed.owner, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END,
           CASE TG_OP WHEN 'INSERT' THEN sum(changed.length) ELSE -sum(changed.length) END
         FROM changed GROUP BY changed.owner
         ON CONFLICT (owner) DO UPDATE SET passages = was.passages + excluded.passages, length = was.length + excluded.length;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER passage_added AFTER INSERT ON dispatch_memory.passage REFERENCING NEW TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION dispatch_memory.count_passages()`,
      `CREATE TRIGGER passage_removed AFTER DELETE ON dispatch_memory.passage REFERENCING OLD TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION dispatch_memory.count_passages()`,
      `CREATE TABLE dispatch_memory.embedding_claim (
         owner text NOT NULL,
         space integer NOT NULL,
         passage bigint NOT NULL,
         until timestamptz NOT NULL,
         PRIMARY KEY (owner, space, passage),
         FOREIGN KEY (owner, passage) REFERENCES dispatch_memory.passage (owner, id) ON DELETE CASCADE
       )`,
    ],
  },
];

function withoutSamples(table: string, columns: string): string {
  const changes = columns.split(", ").map((column) => `ALTER COLUMN ${column} SET STATISTICS 0`);
  return `ALTER TABLE dispatch_memory.${table} ${changes.join(", ")}`;
}

/**
 * The statements that create a table partitioned by the hash of its owner. Returns the statement unchanged when it creates no
 * table with owners: such a table has `owner` as its first column and in every key.
 *
 * @param count number of partitions, 0 for none.
 */
export function toPartitions(statement: string, count: number): readonly string[] {
  const table = /^CREATE TABLE (dispatch_memory\.\w+) \(\s*owner text\b/u.exec(statement)?.[1];
  if (count === 0 || table === undefined) return [statement];
  const values = (n: number): string => `FOR VALUES WITH (MODULUS ${count}, REMAINDER ${n})`;
  const partitions = Array.from(
    { length: count },
    (_, n) => `CREATE TABLE ${table}_${n} PARTITION OF ${table} ${values(n)}`,
  );
  return [`${statement} PARTITION BY HASH (owner)`, ...partitions];
}

/** Number of partitions of each table, 0 for unpartitioned tables. Later tables get as many as the first. */
export async function countPartitions(tx: SqlQuery): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM pg_inherits WHERE inhparent = to_regclass('dispatch_memory.owner')",
  );
  return rows[0]?.count ?? 0;
}
