/** Blocks, events and proposals. `owner` leads every key, so that the tables can be distributed by it. */
export const blocks: readonly string[] = [
  `CREATE TABLE dispatch_memory.owner (
     owner text PRIMARY KEY,
     seq bigint NOT NULL DEFAULT 0,
     hash text NOT NULL DEFAULT '',
     blocks integer NOT NULL DEFAULT 0,
     characters bigint NOT NULL DEFAULT 0,
     day date NOT NULL DEFAULT '1970-01-01',
     day_events integer NOT NULL DEFAULT 0
   )`,
  `CREATE TABLE dispatch_memory.block (
     owner text NOT NULL,
     id text NOT NULL,
     label text NOT NULL,
     key text NOT NULL,
     tier text NOT NULL CHECK (tier IN ('core', 'working', 'archival')),
     permission text NOT NULL CHECK (permission IN ('readonly', 'familiar', 'append', 'readwrite')),
     source text NOT NULL,
     trust text NOT NULL CHECK (trust IN ('low', 'medium', 'high')),
     content text NOT NULL,
     version integer NOT NULL CHECK (version > 0),
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     PRIMARY KEY (owner, id),
     UNIQUE (owner, key)
   )`,
  `CREATE TABLE dispatch_memory.event (
     owner text NOT NULL,
     seq bigint NOT NULL,
     block_id text NOT NULL,
     label text NOT NULL,
     key text NOT NULL,
     kind text NOT NULL CHECK (kind IN ('created', 'edited', 'moved', 'permission_changed', 'removed', 'forgotten')),
     version integer NOT NULL,
     was text,
     "is" text,
     "offset" integer NOT NULL,
     before text NOT NULL,
     after text NOT NULL,
     actor_kind text NOT NULL CHECK (actor_kind IN ('agent', 'person')),
     actor_id text NOT NULL,
     session text,
     reason text,
     mutation_id text,
     undoes bigint,
     at timestamptz NOT NULL,
     salt text NOT NULL,
     body_hash text NOT NULL,
     previous_hash text NOT NULL,
     hash text NOT NULL,
     PRIMARY KEY (owner, seq)
   )`,
  `CREATE INDEX event_key ON dispatch_memory.event (owner, key, seq)`,
  `CREATE INDEX event_undoes ON dispatch_memory.event (owner, undoes) WHERE undoes IS NOT NULL`,
  `CREATE INDEX event_block ON dispatch_memory.event (owner, block_id, seq)`,
  `CREATE TABLE dispatch_memory.mutation (
     owner text NOT NULL,
     id text NOT NULL,
     label text NOT NULL,
     key text NOT NULL,
     op text NOT NULL CHECK (op IN ('write', 'move', 'remove')),
     tier text NOT NULL,
     new_label text,
     block_id text,
     base_version integer NOT NULL,
     base_hash text NOT NULL,
     before text NOT NULL,
     proposed text NOT NULL,
     proposed_hash text NOT NULL,
     source text NOT NULL,
     trust text NOT NULL,
     reason text,
     actor_kind text NOT NULL,
     actor_id text NOT NULL,
     session text,
     status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'superseded', 'expired')),
     feedback text,
     resolved_by text,
     at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL,
     resolved_at timestamptz,
     PRIMARY KEY (owner, id)
   )`,
  `CREATE UNIQUE INDEX mutation_once ON dispatch_memory.mutation (owner, key, proposed_hash) WHERE status = 'pending'`,
  `CREATE INDEX mutation_pending ON dispatch_memory.mutation (owner, at) WHERE status = 'pending'`,
  `CREATE INDEX mutation_key ON dispatch_memory.mutation (owner, key, at)`,
  // No query plan depends on the values of these columns, and the planner's samples of them would outlive `forget`.
  withoutSamples("block", ["label", "key", "content"]),
  withoutSamples("event", ["label", "key", "was", '"is"', "before", "after", "actor_id", "session", "reason"]),
  withoutSamples("mutation", [
    "label",
    "key",
    "new_label",
    "before",
    "proposed",
    "reason",
    "actor_id",
    "session",
    "feedback",
    "resolved_by",
  ]),
];

function withoutSamples(table: string, columns: readonly string[]): string {
  const changes = columns.map((column) => `ALTER COLUMN ${column} SET STATISTICS 0`);
  return `ALTER TABLE dispatch_memory.${table} ${changes.join(", ")}`;
}

/**
 * The rows that searches read. A passage is a piece of a block's text; its rows follow the block and are never the only copy of
 * anything. Vectors are in a table of their own (see `vector-store.ts`), because a database without pgvector has no type for them.
 */
export const passages: readonly string[] = [
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
  // Without fastupdate a search never scans a backlog that only autovacuum, which the embedded database lacks, would merge.
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
  // A block supersedes another as long as both are there.
  `CREATE TABLE dispatch_memory.supersession (
     owner text NOT NULL,
     block_id text NOT NULL,
     by_id text NOT NULL,
     seq bigint NOT NULL,
     PRIMARY KEY (owner, block_id, by_id),
     FOREIGN KEY (owner, block_id) REFERENCES dispatch_memory.block (owner, id) ON DELETE CASCADE,
     FOREIGN KEY (owner, by_id) REFERENCES dispatch_memory.block (owner, id) ON DELETE CASCADE
   )`,
  `CREATE INDEX supersession_by ON dispatch_memory.supersession (owner, by_id)`,
  `CREATE TABLE dispatch_memory.proposed_supersession (
     owner text NOT NULL,
     mutation_id text NOT NULL,
     block_id text NOT NULL,
     PRIMARY KEY (owner, mutation_id),
     FOREIGN KEY (owner, mutation_id) REFERENCES dispatch_memory.mutation (owner, id) ON DELETE CASCADE,
     FOREIGN KEY (owner, block_id) REFERENCES dispatch_memory.block (owner, id) ON DELETE CASCADE
   )`,
  `CREATE TABLE dispatch_memory.space (
     id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
     embedder text NOT NULL,
     dimensions integer NOT NULL,
     UNIQUE (embedder, dimensions)
   )`,
  `CREATE TABLE dispatch_memory.owner_space (
     owner text PRIMARY KEY,
     active integer,
     building integer
   )`,
  `CREATE TABLE dispatch_memory.embedding_claim (
     owner text NOT NULL,
     space integer NOT NULL,
     passage bigint NOT NULL,
     until timestamptz NOT NULL,
     PRIMARY KEY (owner, space, passage),
     FOREIGN KEY (owner, passage) REFERENCES dispatch_memory.passage (owner, id) ON DELETE CASCADE
   )`,
];

/** Makes `supersedes` a part of a block's state and of its history; see `chain-supersessions.ts`. */
export const superseding: readonly string[] = [
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN supersedes text`,
  `UPDATE dispatch_memory.mutation SET supersedes = asked.block_id FROM dispatch_memory.proposed_supersession AS asked
   WHERE asked.owner = mutation.owner AND asked.mutation_id = mutation.id`,
  `DROP TABLE dispatch_memory.proposed_supersession`,
  // A block that is removed may be brought back, and is superseded still.
  `ALTER TABLE dispatch_memory.supersession DROP CONSTRAINT supersession_owner_block_id_fkey`,
];

/** Passages are found by the package's own search terms: `migrate` rebuilds them from their blocks. */
export const terms: readonly string[] = [`DELETE FROM dispatch_memory.passage`];

/**
 * The version of the block that a proposal would supersede (`NULL` in proposals of before: then it is stale), the essence of a
 * proposed change, and the characters that the agent wrote in a day.
 */
export const proposals: readonly string[] = [
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN supersedes_version integer, ADD COLUMN essence text NOT NULL DEFAULT ''`,
  `CREATE INDEX mutation_rejected ON dispatch_memory.mutation (owner, key, essence) WHERE status = 'rejected'`,
  `ALTER TABLE dispatch_memory.owner ADD COLUMN day_chars bigint NOT NULL DEFAULT 0`,
];

/** The time since which a block's text is true, as ISO 8601, if the writer gave one: a part of the block's state and of proposals. */
export const validFrom: readonly string[] = [
  `ALTER TABLE dispatch_memory.block ADD COLUMN valid_from text`,
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN valid_from text`,
];

/** The `seq` of the last event before the decision on a proposal: clocks go back, histories do not. `NULL` in those of before. */
export const decisions: readonly string[] = [`ALTER TABLE dispatch_memory.mutation ADD COLUMN resolved_seq bigint`];
