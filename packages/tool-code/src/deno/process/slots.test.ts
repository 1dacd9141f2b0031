import { describe, expect, test } from "vitest";
import { Slots } from "./slots.ts";

describe("Slots", () => {
  test("lets in as many as there are, and the next in order when one leaves", async () => {
    const slots = new Slots(2);
    const entered: number[] = [];
    const all = [0, 1, 2, 3].map((number) => slots.take(undefined).then(() => entered.push(number)));
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([0, 1]);
    slots.give();
    await all[2];
    slots.give();
    await all[3];
    expect(entered).toEqual([0, 1, 2, 3]);
  });

  test("gives up a place in the queue when the signal aborts", async () => {
    const slots = new Slots(1);
    await slots.take(undefined);
    const controller = new AbortController();
    const left = slots.take(controller.signal);
    const next = slots.take(undefined);
    controller.abort();
    expect(await left).toBe(false);
    slots.give();
    expect(await next).toBe(true);
    expect(await slots.take(controller.signal)).toBe(false);
  });
});
