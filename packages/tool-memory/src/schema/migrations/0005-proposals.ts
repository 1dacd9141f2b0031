/**
 * The version of the block that a proposal would supersede (`NULL` in proposals of before: then it is stale), the essence of a
 * proposed change, and the characters that the agent wrote in a day.
 */
export const proposals: readonly string[] = [
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN supersedes_version integer, ADD COLUMN essence text NOT NULL DEFAULT ''`,
  `CREATE INDEX mutation_rejected ON dispatch_memory.mutation (owner, key, essence) WHERE status = 'rejected'`,
  `ALTER TABLE dispatch_memory.owner ADD COLUMN day_chars bigint NOT NULL DEFAULT 0`,
];
