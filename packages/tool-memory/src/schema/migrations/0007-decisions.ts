/** The `seq` of the last event before the decision on a proposal: clocks go back, histories do not. `NULL` in those of before. */
export const decisions: readonly string[] = [`ALTER TABLE dispatch_memory.mutation ADD COLUMN resolved_seq bigint`];
