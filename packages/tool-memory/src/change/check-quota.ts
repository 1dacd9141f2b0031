import { quote } from "../block/label.ts";
import type { MemoryBlock } from "../block/memory-block.ts";
import type { MemoryActor } from "../block/memory-event.ts";
import type { MemoryLimits } from "../block/memory-limits.ts";
import { countWritten } from "../rows/event-rows.ts";
import type { LockedOwner } from "../rows/lock-owner.ts";
import { refuse, type Refusal } from "../text/refusal.ts";

/** The growth of a memory by a change. */
export interface Growth {
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
      `Write to ${quote(label)} refused: the memory has ${locked.blocks} blocks, allowed are ${limits.blocks}; write to a block that exists`,
    );
  }
  if (chars > 0 && locked.chars + chars > limits.totalChars) {
    return refuse(
      "memory_full",
      `Write to ${quote(label)} refused: the memory holds ${locked.chars} characters and would hold ${locked.chars + chars}, allowed are ${limits.totalChars}; shorten or remove what is not needed any more`,
    );
  }
  if (actor === "agent" && locked.dayEvents >= limits.eventsPerDay) {
    return refuse(
      "quota",
      `Write to ${quote(label)} refused: ${locked.dayEvents} changes were made today, allowed are ${limits.eventsPerDay} a day; go on without writing and mention it to the person`,
    );
  }
  return undefined;
}

/**
 * Refuses an agent's change that adds more to the history than a day allows; `undefined` when it does not.
 *
 * @param block the block to change, `null` for a new one or a proposal.
 * @param chars length of the replaced and the written text.
 */
export async function checkWritten(
  locked: LockedOwner,
  limits: MemoryLimits,
  block: MemoryBlock | null,
  label: string,
  chars: number,
): Promise<Refusal | undefined> {
  const refusal = (written: number, what: string, allowed: number, of: string): Refusal =>
    refuse(
      "quota",
      `Write to ${quote(label)} refused: ${written} characters${what} were written today and it would be ${written + chars}, allowed are ${allowed} a day for ${of}; change less at a time, or go on without writing and mention it to the person`,
    );
  const { tx, owner, dayChars, at } = locked;
  if (dayChars + chars > limits.charsPerDay) return refusal(dayChars, "", limits.charsPerDay, "all blocks together");
  // The total of all blocks is at least that of this one.
  if (block === null || dayChars + chars <= limits.blockCharsPerDay) return undefined;
  const written = await countWritten(tx, owner, block.id, `${at.slice(0, "2026-01-01".length)}T00:00:00.000Z`, at);
  if (written + chars <= limits.blockCharsPerDay) return undefined;
  return refusal(written, " of it", limits.blockCharsPerDay, "one block");
}
