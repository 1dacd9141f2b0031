import { describe, expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

describe("Semaphore", () => {
  test("lets in as many as there are, and the next in order when one leaves", async () => {
    const semaphore = new Semaphore(2);
    const entered: number[] = [];
    const all = [0, 1, 2, 3].map((number) => semaphore.acquire(undefined).then(() => entered.push(number)));
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([0, 1]);
    semaphore.release();
    await all[2];
    semaphore.release();
    await all[3];
    expect(entered).toEqual([0, 1, 2, 3]);
  });

  test("gives up a place in the queue when the signal aborts", async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(undefined);
    const controller = new AbortController();
    const left = semaphore.acquire(controller.signal);
    const next = semaphore.acquire(undefined);
    controller.abort();
    expect(await left).toBe(false);
    semaphore.release();
    expect(await next).toBe(true);
    expect(await semaphore.acquire(controller.signal)).toBe(false);
  });
});
