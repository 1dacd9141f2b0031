import { MemoryError } from "./memory-error.ts";
import type { MemoryBlock } from "./memory-block.ts";
import type { MemoryEvent } from "./memory-event.ts";

/** `text` with `before` at `offset` replaced by `after`; `undefined` when `before` does not stand there. */
export function splice(
  text: string,
  { offset, before, after }: Pick<MemoryEvent, "offset" | "before" | "after">,
): string | undefined {
  const end = offset + before.length;
  if (offset < 0 || end > text.length || text.slice(offset, end) !== before) return undefined;
  return text.slice(0, offset) + after + text.slice(end);
}

/**
 * The blocks that a history amounts to, by label. With all events up to some `seq`, the memory as it was then.
 *
 * @param events one owner's, in order of `seq`, from the first.
 * @throws MemoryError `memory_history` when an event does not follow from those before it.
 */
export function replayEvents(events: readonly MemoryEvent[]): readonly MemoryBlock[] {
  const blocks = new Map<string, MemoryBlock>();
  for (const event of events) {
    const block = blocks.get(event.blockId);
    const content = splice(block?.content ?? "", event);
    const fits = event.kind === "created" ? block === undefined : block?.version === event.version - 1;
    if (content === undefined || !fits || (block?.permission ?? null) !== event.permissionBefore) {
      throw new MemoryError(
        `Cannot replay the history: event ${event.seq} does not follow from the events before it, allowed is a history without gaps`,
        "memory_history",
      );
    }
    if (event.kind === "removed") blocks.delete(event.blockId);
    else {
      const { blockId: id, label, tier, permission, version, at } = event;
      blocks.set(id, {
        id,
        label,
        tier,
        permission,
        content,
        version,
        createdAt: block?.createdAt ?? at,
        updatedAt: at,
      });
    }
  }
  return [...blocks.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1));
}
