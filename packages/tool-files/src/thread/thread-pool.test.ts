import { syncBuiltinESMExports } from "node:module";
import threads, { type WorkerOptions } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { ThreadPool } from "./thread-pool.ts";

const { Worker } = threads;
const started = vi.fn();

function replaceWorker(made: unknown): void {
  Object.assign(threads, { Worker: made });
  syncBuiltinESMExports();
}

afterEach(() => {
  vi.useRealTimers();
  replaceWorker(Worker);
});

test("ThreadPool keeps a thread for its idle time from its last answer on, not from its first", async () => {
  replaceWorker(function CountedWorker(program: URL, options: WorkerOptions): object {
    started();
    return new Worker(program, options);
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pool = new ThreadPool(1);
  const ask = () => pool.run("encodedForms", "\u00e9", new AbortController().signal);
  await ask();
  for (let time = 0; time < 4; time += 1) {
    vi.advanceTimersByTime(20_000);
    await ask();
  }
  expect(started).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(30_001);
  await ask();
  expect(started).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(30_001);
});
