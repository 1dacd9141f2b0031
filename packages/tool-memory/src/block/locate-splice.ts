import type { MemoryEvent, Splice } from "./memory-event.ts";

/**
 * The present offset of the text that an event inserted. `undefined` when a later event changed that text, or changed its
 * surroundings so that its borders are lost. Events that were undone do not count.
 *
 * @param later the block's later events, oldest first.
 */
export function locateSplice(event: Splice, later: readonly MemoryEvent[]): number | undefined {
  let { offset } = event;
  for (const next of withoutUndone(later)) {
    const moved = shift({ offset, length: event.after.length }, next);
    if (moved === undefined) return undefined;
    offset = moved;
  }
  return offset;
}

/** The offset of a span after a splice, `undefined` when the splice changes the span itself. */
function shift(span: { readonly offset: number; readonly length: number }, by: Splice): number | undefined {
  if (by.before === "" && by.after === "") return span.offset;
  const end = by.offset + by.before.length;
  if (by.offset >= span.offset + span.length) return span.offset;
  return end <= span.offset ? span.offset + by.after.length - by.before.length : undefined;
}

/**
 * Removes each undone event together with the event that undid it, and moves the events between them accordingly. Returns
 * all events unchanged when one between touches the undone text.
 */
export function withoutUndone(events: readonly MemoryEvent[]): readonly Splice[] {
  const list: (Splice & Pick<MemoryEvent, "seq" | "undoes">)[] = [...events];
  for (let at = 0; at < list.length; at++) {
    const undone = list.findIndex(({ seq }) => seq === list[at]?.undoes);
    const first = list[undone];
    if (undone < 0 || undone >= at || first === undefined) continue;
    const { length } = first.after;
    let { offset } = first;
    const between: typeof list = [];
    for (const next of list.slice(undone + 1, at)) {
      const isAfter = next.offset >= offset + length;
      between.push(isAfter ? { ...next, offset: next.offset - length + first.before.length } : next);
      const moved = shift({ offset, length }, next);
      if (moved === undefined) return events;
      offset = moved;
    }
    list.splice(undone, at - undone + 1, ...between);
    at = undone + between.length - 1;
  }
  return list;
}
