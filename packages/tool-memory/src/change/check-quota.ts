import type { MemoryActor } from "../block/memory-actor.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { refuse, type Refusal } from "../text/refusal.ts";

/** The growth of a memory by a change. */
export interface Growth {
  /** Number of added blocks. */
  readonly blocks: number;
  /** Added length in UTF-16 code units, negative when the text gets shorter. */
  readonly chars: number;
}

/** Refuses a change that exceeds the owner's limits; `undefined` when it does not. */
export function checkQuota(
  locked: LockedOwner,
  limits: MemoryLimits,
  actor: MemoryActor["kind"],
  label: string,
  { blocks, chars }: Growth,
): Refusal | undefined {
  if (blocks > 0 && locked.blocks + blocks > limits.blocks) {
    return refuse(
      "memory_full",
      `Write to ${label} refused: the memory has ${locked.blocks} blocks, allowed are ${limits.blocks}; write to a block that exists`,
    );
  }
  if (chars > 0 && locked.chars + chars > limits.totalChars) {
    return refuse(
      "memory_full",
      `Write to ${label} refused: the memory holds ${locked.chars} characters and would hold ${locked.chars + chars}, allowed are ${limits.totalChars}; shorten or remove what is not needed any more`,
    );
  }
  if (actor === "agent" && locked.dayEvents >= limits.eventsPerDay) {
    return refuse(
      "quota",
      `Write to ${label} refused: ${locked.dayEvents} changes were made today, allowed are ${limits.eventsPerDay} a day; go on without writing and mention it to the person`,
    );
  }
  return undefined;
}
