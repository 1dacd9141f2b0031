import { setTimeout as wait } from "node:timers/promises";
import type { MemoryEvent } from "../block/memory-event.ts";
import type { Query } from "../database/database.ts";
import { selectEventsAfter } from "../rows/event-rows.ts";
import { MemoryError } from "../text/memory-error.ts";

/** Options of a subscription. */
export interface SubscribeOptions {
  /** How often to look for events of other processes, in milliseconds. Default 500. */
  readonly intervalMs?: number | undefined;
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
}

const BATCH = 100;

/**
 * The events after a `seq`, oldest first, then each new one once it is committed. Events of one owner are numbered under a
 * lock, so none appears before an earlier one and none is missed. Ends quietly when the signal is aborted or the memory is
 * closed; rejects when the database fails.
 */
export async function* subscribe(
  sql: Query,
  owner: string,
  fromSeq: number,
  { intervalMs = 500, signal }: SubscribeOptions = {},
): AsyncGenerator<MemoryEvent, void, undefined> {
  let last = fromSeq;
  while (signal?.aborted !== true) {
    let events: readonly MemoryEvent[];
    try {
      events = await selectEventsAfter(sql, owner, last, BATCH);
    } catch (error) {
      if (MemoryError.isInstance(error) && error.code === "memory_closed") return;
      throw error;
    }
    for (const event of events) {
      last = event.seq;
      yield event;
      if (signal?.aborted) return;
    }
    if (events.length === BATCH) continue;
    try {
      await wait(intervalMs, undefined, { signal });
    } catch {
      return;
    }
  }
}
