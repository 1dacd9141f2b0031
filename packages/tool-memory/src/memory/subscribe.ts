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
/** How long a server may be away. */
const PATIENCE_MS = 60_000;

/**
 * The events after a `seq`, oldest first, then each new one once it is committed. Events of one owner are numbered under a
 * lock, so none appears before an earlier one and none is missed. Ends quietly when the signal is aborted or the memory is
 * closed; rejects when the database fails, or its server is away for a minute.
 */
export async function* subscribe(
  sql: Query,
  owner: string,
  fromSeq: number,
  { intervalMs = 500, signal }: SubscribeOptions = {},
): AsyncGenerator<MemoryEvent, void, undefined> {
  let last = fromSeq;
  let answeredAt = performance.now();
  const isAborted = (): boolean => signal?.aborted === true;
  while (!isAborted()) {
    let events: readonly MemoryEvent[] = [];
    try {
      events = await selectEventsAfter(sql, owner, last, BATCH);
      answeredAt = performance.now();
    } catch (error) {
      const code = MemoryError.isInstance(error) ? error.code : undefined;
      if (code === "memory_closed") return;
      if (code !== "memory_connection" || performance.now() - answeredAt > PATIENCE_MS) throw error;
    }
    for (const event of events) {
      last = event.seq;
      yield event;
      if (isAborted()) return;
    }
    if (events.length === BATCH) continue;
    try {
      await wait(intervalMs, undefined, { signal });
    } catch {
      return;
    }
  }
}
