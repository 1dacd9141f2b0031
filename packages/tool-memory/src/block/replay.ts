import { MemoryError } from "../text/memory-error.ts";
import { toState, type MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";
import { splice } from "./splice.ts";

/**
 * The blocks that result from a history, by label. From the events up to some `seq` it gives the memory as it was then,
 * without content that was forgotten since.
 *
 * @param events one owner's events in order of `seq`, from the first.
 * @throws MemoryError `memory_history` when an event does not follow from those before it.
 *
 * @example
 * ```ts
 * const { events } = await memory.steward.export();
 * const blocks = replayEvents(events);
 * ```
 */
export function replayEvents(events: readonly MemoryEvent[]): readonly MemoryBlock[] {
  const blocks = new Map<string, MemoryBlock>();
  for (const event of events) replayEvent(blocks, event);
  return [...blocks.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

/** Applies one event to the blocks, by id, that result from the events before it. Throws as {@link replayEvents} does. */
export function replayEvent(blocks: Map<string, MemoryBlock>, event: MemoryEvent): void {
  if (event.kind === "forgotten") return;
  const block = blocks.get(event.blockId);
  const content = splice(block?.content ?? "", event);
  const { blockId: id, version, at, was, is } = event;
  const known = block === undefined ? null : toState(block);
  const fits = block === undefined ? event.kind === "created" : block.version === version - 1;
  if (content === undefined || !fits || JSON.stringify(known) !== JSON.stringify(was && toState(was))) {
    throw new MemoryError(
      `Cannot replay the history: event ${event.seq} does not follow from the events before it, allowed is a history without gaps`,
      "memory_history",
    );
  }
  if (is === null) blocks.delete(id);
  else blocks.set(id, { id, ...toState(is), content, version, createdAt: block?.createdAt ?? at, updatedAt: at });
}
