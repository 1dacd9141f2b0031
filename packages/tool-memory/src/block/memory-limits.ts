import { unknownOption } from "@dispatch/tools-interface/internal";
import { MemoryError } from "../text/memory-error.ts";

/** The limits of one owner's memory. Characters are counted in UTF-16 code units, as JavaScript does. */
export interface MemoryLimits {
  /** Maximum length of a block's text. Default 20,000, at most 50,000 (PostgreSQL indexes 1 MB of words a row). */
  readonly contentChars: number;
  /** Maximum length of a label. Default 128, also the maximum. */
  readonly labelChars: number;
  /** Maximum length of a reason or feedback. Default 1,000. */
  readonly reasonChars: number;
  /** Maximum length of a search query. Default 1,000. */
  readonly queryChars: number;
  /**
   * Maximum number of pending proposals. Default 100. Half of them may come from sources below `agent`; the last quarter is kept
   * for sessions that have few.
   */
  readonly pendingMutations: number;
  /** Maximum number of blocks. Default 10,000. */
  readonly blocks: number;
  /** Maximum length of all blocks together. Default 20,000,000. */
  readonly totalChars: number;
  /** Maximum number of changes by the agent in one day, by the database's clock in UTC. Default 100,000. */
  readonly eventsPerDay: number;
  /**
   * Maximum number of characters that the agent's changes of one block add to the history in one day: those replaced and those
   * written. Default 10,000,000: at most 40 MB, or 250 times a whole block of the greatest length.
   */
  readonly blockCharsPerDay: number;
  /** The same for all blocks and proposals together. Default 200,000,000, at most 800 MB. */
  readonly charsPerDay: number;
  /** Days after which a pending proposal expires. Default 30. */
  readonly proposalDays: number;
}

/** The default and the maximum of each limit. 20,000 characters a block is Letta's limit for its persona and human blocks. */
const LIMITS: { readonly [Name in keyof MemoryLimits]: readonly [byDefault: number, most: number] } = {
  contentChars: [20_000, 50_000],
  labelChars: [128, 128],
  reasonChars: [1_000, 10_000],
  queryChars: [1_000, 10_000],
  pendingMutations: [100, 10_000],
  blocks: [10_000, 1_000_000],
  totalChars: [20_000_000, 10_000_000_000],
  eventsPerDay: [100_000, 1_000_000_000],
  blockCharsPerDay: [10_000_000, 1_000_000_000_000],
  charsPerDay: [200_000_000, 1_000_000_000_000],
  proposalDays: [30, 3_650],
};

/**
 * The default limits with the given changes.
 *
 * @throws MemoryError `memory_options` when one is not a whole number between 1 and its maximum.
 */
export function toLimits(changes: Partial<MemoryLimits> = {}): MemoryLimits {
  const unknown = unknownOption(changes, LIMITS);
  if (unknown !== undefined) throw new MemoryError(`Cannot open the memory: in limits ${unknown}`, "memory_options");
  const limits = Object.entries(LIMITS).map(([name, [byDefault, most]]) => {
    const limit = { [name]: byDefault, ...changes }[name] as number;
    if (Number.isInteger(limit) && limit >= 1 && limit <= most) return [name, limit];
    throw new MemoryError(
      `Cannot open the memory: limits.${name} is ${String(limit)}, allowed are whole numbers from 1 to ${most}`,
      "memory_options",
    );
  });
  return Object.freeze(Object.fromEntries(limits) as MemoryLimits);
}

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
