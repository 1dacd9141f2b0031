/** Since when what a block says is true, as ISO 8601, where that was said: a part of the block's state and of proposals. */
export const validFrom: readonly string[] = [
  `ALTER TABLE dispatch_memory.block ADD COLUMN valid_from text`,
  `ALTER TABLE dispatch_memory.mutation ADD COLUMN valid_from text`,
];
