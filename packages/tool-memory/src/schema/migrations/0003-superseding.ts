/** Makes `supersedes` a part of a block's state and of its history; see `chain-supersessions.ts`. */
export const superseding: readonly string[] = [
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN supersedes text`,
  `UPDATE dispatch_memory.mutation SET supersedes = asked.block_id FROM dispatch_memory.proposed_supersession AS asked
   WHERE asked.owner = mutation.owner AND asked.mutation_id = mutation.id`,
  `DROP TABLE dispatch_memory.proposed_supersession`,
  // A block that is removed may be brought back, and is superseded still.
  `ALTER TABLE dispatch_memory.supersession DROP CONSTRAINT supersession_owner_block_id_fkey`,
];
