import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paceFetch } from "./guarded-fetch.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const stream = { headers: { Accept: "text/event-stream" } };

test("paceFetch() opens ten streams at once, and more after a while; other requests never wait", async () => {
  let sent = 0;
  const paced = paceFetch(() => Promise.resolve(new Response(String((sent += 1)))));
  for (let count = 0; count < 10; count += 1) await paced("http://x/", stream);
  for (let count = 0; count < 50; count += 1) await paced("http://x/", { ...stream, method: "POST" });
  await paced("http://x/metadata");
  expect(sent).toBe(61);
  const stop = new AbortController();
  const late = paced("http://x/", { ...stream, signal: stop.signal });
  stop.abort();
  await expect(late).rejects.toThrow("aborted");
  expect(sent).toBe(61);
  vi.advanceTimersByTime(5_000);
  await paced("http://x/", stream);
  expect(sent).toBe(62);
});
