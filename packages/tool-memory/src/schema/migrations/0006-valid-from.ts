/** The time since which a block's text is true, as ISO 8601, if the writer gave one: a part of the block's state and of proposals. */
export const validFrom: readonly string[] = [
  `ALTER TABLE dispatch_memory.block ADD COLUMN valid_from text`,
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN valid_from text`,
];
