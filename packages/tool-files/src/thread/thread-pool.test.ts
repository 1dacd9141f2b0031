import { afterEach, expect, test, vi } from "vitest";
import { ThreadPool } from "./thread-pool.ts";

/** A thread that answers with its number. */
const NUMBERED = `const { parentPort, threadId } = require("node:worker_threads");
parentPort.on("message", () => parentPort.postMessage(threadId));`;

afterEach(() => vi.useRealTimers());

test("ThreadPool keeps a thread for its idle time from its last answer on, not from its first", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pool = new ThreadPool<null, number>({ program: async () => NUMBERED, maxThreads: 1 });
  const ask = () => pool.run(null, new AbortController().signal);
  const first = await ask();
  for (let time = 0; time < 4; time += 1) {
    vi.advanceTimersByTime(20_000);
    expect(await ask()).toBe(first);
  }
  vi.advanceTimersByTime(30_001);
  expect(await ask()).not.toBe(first);
  vi.advanceTimersByTime(30_001);
});
