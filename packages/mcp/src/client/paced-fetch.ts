import { setTimeout as wait } from "node:timers/promises";

/** Streams that may be opened at once. */
const BURST = 10;
/** One more in so many milliseconds. */
const INTERVAL_MS = 500;

/**
 * A `fetch` that opens streams no faster than that: a server says how long to wait before its stream is opened again (`retry`), and may say 0
 * and end it at once.
 */
export function paceFetch(fetcher: typeof fetch): typeof fetch {
  /** When the next one could be opened if there were no burst. */
  let next = 0;
  return async (input, init) => {
    const isStream =
      (init?.method ?? "GET") === "GET" && (new Headers(init?.headers).get("accept") ?? "").includes("stream");
    if (isStream) {
      const now = performance.now();
      next = Math.max(next, now) + INTERVAL_MS;
      const waitMs = next - now - BURST * INTERVAL_MS;
      if (waitMs > 0) await wait(waitMs, undefined, { ...(init?.signal && { signal: init.signal }), ref: false });
    }
    return fetcher(input, init);
  };
}
