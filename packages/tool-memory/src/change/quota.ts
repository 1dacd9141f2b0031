import type { MemoryActor } from "../block/memory-actor.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import type { Turn } from "../rows/turn.ts";
import { refuse, type Refusal } from "../text/refusal.ts";

/** What a change takes. */
export interface Demand {
  /** How many blocks more. */
  readonly blocks: number;
  /** How many characters more, negative when fewer. */
  readonly characters: number;
}

/** Says why there is no room for a change, `undefined` when there is. */
export function checkQuota(
  turn: Turn,
  limits: MemoryLimits,
  actor: MemoryActor["kind"],
  label: string,
  { blocks, characters }: Demand,
): Refusal | undefined {
  if (blocks > 0 && turn.blocks + blocks > limits.blocks) {
    return refuse(
      "memory_full",
      `Write to ${label} refused: the memory has ${turn.blocks} blocks, allowed are ${limits.blocks}; write to a block that exists`,
    );
  }
  if (characters > 0 && turn.characters + characters > limits.totalCharacters) {
    return refuse(
      "memory_full",
      `Write to ${label} refused: the memory holds ${turn.characters} characters and would hold ${turn.characters + characters}, allowed are ${limits.totalCharacters}; shorten or remove what is not needed any more`,
    );
  }
  if (actor === "agent" && turn.dayEvents >= limits.eventsPerDay) {
    return refuse(
      "quota",
      `Write to ${label} refused: ${turn.dayEvents} changes were made today, allowed are ${limits.eventsPerDay} a day; go on without writing and mention it to the person`,
    );
  }
  return undefined;
}
