/**
 * A subquery: the `block_id` of each block of an owner (`$1`) that a search leaves out, because another block supersedes it. A
 * supersession has no effect while the later block is less trusted than the earlier one, however that came about.
 *
 * @param condition narrows the subquery, by `gone.block_id`.
 */
export function hiddenBlocks(condition = "true"): string {
  return `SELECT gone.block_id FROM dispatch_memory.supersession AS gone
    JOIN dispatch_memory.block AS later ON later.owner = $1 AND later.id = gone.by_id
    JOIN dispatch_memory.block AS earlier ON earlier.owner = $1 AND earlier.id = gone.block_id
    WHERE gone.owner = $1 AND ${condition}
      AND (later.trust = 'high' OR earlier.trust = 'low' OR later.trust = earlier.trust)`;
}
