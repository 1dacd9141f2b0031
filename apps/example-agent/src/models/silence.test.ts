import { afterEach, expect, test } from "vitest";
import { startFakeProvider, stream, type FakeProvider } from "../../test/fake-provider/fake-provider.ts";
import { createLoggingFetch } from "./logging-fetch.ts";

let provider: FakeProvider | undefined;
afterEach(() => provider?.close());

test("a stream that stalls is told of, then breaks off, and its connection is closed", async () => {
  provider = await startFakeProvider(stream(["data: 1\n\n"], "hang"));
  const notices: string[] = [];
  const watched = createLoggingFetch((text) => notices.push(text), { noticeMs: 50, timeoutMs: 1_000 });
  const response = await watched.fetch(provider.url, { method: "POST", body: "{}" });
  await expect(response.text()).rejects.toThrow("nothing came for 1 s");
  expect(notices).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+ has sent nothing for 0 s: still waiting$/)]);
  await expect.poll(() => provider?.dropped).toBe(1);
});

test("a stream that ends in time is whole, and nothing is told", async () => {
  const events = Array.from({ length: 200 }, (_, index) => `data: ${index}\n\n`);
  provider = await startFakeProvider(stream(events));
  const notices: string[] = [];
  const watched = createLoggingFetch((text) => notices.push(text));
  const response = await watched.fetch(provider.url, { method: "POST", body: "{}" });
  expect(await response.text()).toBe(events.join(""));
  expect([notices, watched.answered]).toEqual([[], true]);
});
