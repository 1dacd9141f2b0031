import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { HEADERS, RequestError } from "./check-request.ts";
import type { Feed } from "./feed.ts";

/** How long changes are gathered before they are sent, in milliseconds. */
const GATHER_MS = 50;
/** How often a word is sent when nothing changes, so that a lost connection is noticed, in milliseconds. */
const ALIVE_MS = 15_000;
/** Entries of one event. */
const BATCH = 100;
/** Pages that may look at the same time. */
const MAX_STREAMS = 8;

/** Sends a feed to pages, as Server-Sent Events. */
export interface FeedStreams {
  /**
   * Sends all entries and all changes, or after `Last-Event-ID` the changes since, until the page leaves. An event
   * `entries` has entries in their latest form; `beginning`, before the first, how many are left out.
   *
   * @throws {RequestError} When too many pages look.
   */
  send(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Streams of a feed. */
export function createFeedStreams(feed: Feed): FeedStreams {
  let open = 0;
  return {
    async send(request, response) {
      if (open >= MAX_STREAMS) {
        throw new RequestError(
          503,
          `Cannot show the page: ${open} are open already; close one and load this one again`,
        );
      }
      open += 1;
      const left = new AbortController();
      response.once("close", () => left.abort());
      try {
        response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" });
        await follow(feed, seenBy(request, feed), response, left.signal);
      } finally {
        open -= 1;
      }
    },
  };
}

/** The revision a page had seen. A number that cannot be is one of another run. */
function seenBy({ headers }: IncomingMessage, feed: Feed): number {
  const seen = Number(headers["last-event-id"]);
  return Number.isSafeInteger(seen) && seen > 0 && seen <= feed.revision ? seen : 0;
}

async function follow(feed: Feed, from: number, response: ServerResponse, left: AbortSignal): Promise<void> {
  let seen = from;
  let changed: (() => void) | undefined;
  const stop = feed.listen(() => changed?.());
  left.addEventListener("abort", () => changed?.());
  // A page that reads slowly receives fewer events, each with the latest state.
  const write = async (text: string): Promise<void> => {
    if (!response.write(text)) await once(response, "drain", { signal: left }).catch(() => {});
  };
  try {
    if (from === 0) await write(`event: beginning\ndata: ${JSON.stringify({ leftOut: feed.leftOut })}\n\n`);
    while (!left.aborted) {
      const { revision } = feed;
      const entries = feed.since(seen);
      for (let at = 0; at < entries.length && !left.aborted; at += BATCH) {
        const isLast = at + BATCH >= entries.length;
        const id = isLast ? `id: ${revision}\n` : "";
        await write(`${id}event: entries\ndata: ${JSON.stringify(entries.slice(at, at + BATCH))}\n\n`);
      }
      seen = revision;
      await wait(GATHER_MS);
      if (feed.revision !== seen || left.aborted) continue;
      const timer = setInterval(() => void write(": alive\n\n"), ALIVE_MS);
      await new Promise<void>((resolve) => (changed = resolve));
      clearInterval(timer);
    }
  } finally {
    stop();
  }
}
