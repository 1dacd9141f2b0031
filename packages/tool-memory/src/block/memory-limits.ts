import { MemoryError } from "../text/memory-error.ts";

/** How much of everything one owner's memory takes. Characters are counted as JavaScript does, in UTF-16 code units. */
export interface MemoryLimits {
  /** Longest text of one block, in characters. Default 20,000, at most 50,000 (PostgreSQL indexes 1 MB of words a row). */
  readonly contentCharacters: number;
  /** Longest label, in characters. Default and most 128. */
  readonly labelCharacters: number;
  /** Longest reason or feedback, in characters. Default 1,000. */
  readonly reasonCharacters: number;
  /** Longest query of a search, in characters. Default 1,000. */
  readonly queryCharacters: number;
  /** Most proposals waiting for a person at one time. Default 100. */
  readonly pendingMutations: number;
  /** Most blocks. Default 10,000. */
  readonly blocks: number;
  /** Most characters of all blocks together. Default 20,000,000. */
  readonly totalCharacters: number;
  /** Most changes by the agent in one day, by the database's clock in UTC. Default 100,000. */
  readonly eventsPerDay: number;
  /** How many days a proposal waits for a person before it expires. Default 30. */
  readonly proposalDays: number;
}

const most: MemoryLimits = {
  contentCharacters: 50_000,
  labelCharacters: 128,
  reasonCharacters: 10_000,
  queryCharacters: 10_000,
  pendingMutations: 10_000,
  blocks: 1_000_000,
  totalCharacters: 10_000_000_000,
  eventsPerDay: 1_000_000_000,
  proposalDays: 3_650,
};

/** What holds when nothing else is said. 20,000 characters a block is Letta's limit for its persona and human blocks. */
export const DEFAULT_LIMITS: MemoryLimits = Object.freeze({
  contentCharacters: 20_000,
  labelCharacters: 128,
  reasonCharacters: 1_000,
  queryCharacters: 1_000,
  pendingMutations: 100,
  blocks: 10_000,
  totalCharacters: 20_000_000,
  eventsPerDay: 100_000,
  proposalDays: 30,
});

/**
 * The default limits with some of them changed.
 *
 * @throws MemoryError `memory_options` when one is not a whole number between 1 and its maximum.
 */
export function toLimits(changes: Partial<MemoryLimits> = {}): MemoryLimits {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  for (const name of Object.keys(most) as (keyof MemoryLimits)[]) {
    const found: unknown = limits[name];
    if (!Number.isInteger(found) || limits[name] < 1 || limits[name] > most[name]) {
      throw new MemoryError(
        `Cannot open the memory: limits.${name} is ${String(found)}, allowed are whole numbers from 1 to ${most[name]}`,
        "memory_options",
      );
    }
  }
  return Object.freeze(limits);
}
