import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** One message that was sent, or only a place in its stream. */
interface Entry {
  readonly session: object;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
/** For an event without a message, and beside each message. */
const ENTRY_BYTES = 200;

/**
 * The last events of all sessions, so that a client whose connection broke gets the rest of a stream (`Last-Event-ID`). The oldest
 * are forgotten first. A session sees its own events alone.
 */
export class EventLog {
  readonly #entries = new Map<string, Entry>();
  readonly #maxBytes: number;
  #bytes = 0;
  #count = 0;

  constructor(maxBytes = DEFAULT_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The store of one session. */
  storeOf(session: object): EventStore {
    return {
      storeEvent: (stream, message) => Promise.resolve(this.#add(session, stream, message)),
      getStreamIdForEventId: (id) => Promise.resolve(this.#of(session, id)?.stream),
      replayEventsAfter: (id, { send }) => this.#replay(session, id, send),
    };
  }

  forget(session: object): void {
    for (const [id, entry] of this.#entries) if (entry.session === session) this.#drop(id, entry);
  }

  #add(session: object, stream: string, message: JSONRPCMessage): string {
    const id = `event-${(this.#count += 1)}`;
    const entry = { session, stream, message, bytes: JSON.stringify(message).length + ENTRY_BYTES };
    this.#entries.set(id, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest, old);
    }
    return id;
  }

  #drop(id: string, { bytes }: Entry): void {
    this.#entries.delete(id);
    this.#bytes -= bytes;
  }

  #of(session: object, id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry?.session === session ? entry : undefined;
  }

  async #replay(
    session: object,
    after: string,
    send: (id: string, message: JSONRPCMessage) => Promise<void>,
  ): Promise<string> {
    const stream = this.#of(session, after)?.stream;
    if (stream === undefined) throw new Error("Cannot resume the stream: its last event was forgotten");
    let isAfter = false;
    for (const [id, entry] of this.#entries) {
      if (id === after) isAfter = true;
      // The first event of a stream is a place without a message.
      else if (isAfter && entry.session === session && entry.stream === stream && "jsonrpc" in entry.message)
        await send(id, entry.message);
    }
    return stream;
  }
}
