/**
 * Which blocks the agent's writes may remove by themselves: only archival blocks with permission `append` or `readwrite` that
 * no person wrote or approved and that supersede no other. Each removal is an event and can be undone.
 */
export interface Retention {
  /**
   * A write that finds the memory full makes room instead of being refused: of the blocks no more trusted than the text
   * it writes, the least trusted first, of these the ones whose last change is oldest, 100 at most. Default false.
   */
  readonly evict?: boolean | undefined;
  /**
   * Blocks that did not change for so many days are removed at the agent's next write, the oldest first, ten a write. Until
   * then they are found. Default: none expire.
   */
  readonly expireDays?: number | undefined;
}
