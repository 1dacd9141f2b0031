import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withTimeout } from "./with-timeout.ts";

const never = new Promise<never>(() => {});

describe("withTimeout()", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([
    ["the promise fulfils", Promise.resolve("done"), "done"],
    ["the signal has aborted", never, "aborted"],
    ["the signal aborts", never, "aborted"],
    ["the time is over", never, "timeout"],
  ])("leaves no timer and no listener when %s", async (how, pending, expected) => {
    const controller = new AbortController();
    if (how.includes("has aborted")) controller.abort();
    const answer = withTimeout<string, string>(pending, { timeoutMs: 1_000, signal: controller.signal }, (end) => end);
    if (how.includes("aborts")) controller.abort();
    if (how.includes("time")) await vi.advanceTimersByTimeAsync(1_000);
    await expect(answer).resolves.toBe(expected);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("rejects when the promise does, and leaves no timer", async () => {
    const answer = withTimeout(Promise.reject(new Error("no")), { timeoutMs: 1_000 }, (end) => end);
    await expect(answer).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("rejects when the answer after the time throws", async () => {
    const answer = withTimeout<never, string>(never, { timeoutMs: 1_000 }, () => {
      throw new Error("late");
    }).catch(String);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(answer).resolves.toBe("Error: late");
  });
});
