import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolCallHandler } from "./tool-call-handler.ts";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A handler with its recorded effects and pending answers. `leave` reports that the oldest message has left. */
function setUp(limits: { readonly calls: number; readonly maxConcurrency: number }) {
  const seen = {
    sent: [] as { t: string; id: number }[],
    isTooMuch: false,
    pending: false,
    open: 0,
    most: 0,
  };
  const answers: (() => void)[] = [];
  const leaving: (() => void)[] = [];
  const handler = new ToolCallHandler({
    limits: { frameBytes: 1_000, hostMb: 1, ...limits },
    onFull: () => (seen.isTooMuch = true),
    callTool: (_name, params) =>
      new Promise((resolve) => {
        seen.open += 1;
        seen.most = Math.max(seen.most, seen.open);
        answers.push(() => resolve(params));
      }),
    send: (json, sent) => {
      seen.sent.push(JSON.parse(json));
      leaving.push(() => {
        seen.open -= 1;
        sent();
      });
    },
    onPending: (pending) => (seen.pending = pending),
  });
  return { handler, seen, answer: () => answers.shift()?.(), leave: () => leaving.shift()?.() };
}

describe("ToolCallHandler", () => {
  test("runs no more calls at a time than allowed, counting those whose answer has not left", async () => {
    const { handler, seen, answer, leave } = setUp({ calls: 10, maxConcurrency: 2 });
    for (let id = 0; id < 3; id += 1) expect(handler.handle(id, "x", id)).toBe(true);
    await tick();
    expect(seen.most).toBe(2);
    answer();
    await tick();
    expect([seen.sent.length, seen.most, seen.open]).toEqual([1, 2, 2]);
    leave();
    await tick();
    answer();
    answer();
    await tick();
    expect(seen.sent.map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  test("starts one call in a turn of the event loop, so that large results are counted one by one", async () => {
    const { handler, seen } = setUp({ calls: 10, maxConcurrency: 4 });
    for (let id = 0; id < 4; id += 1) handler.handle(id, "x", id);
    const most = [seen.most];
    for (let turn = 0; turn < 3; turn += 1) {
      await tick();
      most.push(seen.most);
    }
    expect(most).toEqual([1, 2, 3, 4]);
  });

  test("runs no call whose parameters the host has no room for, nor any after it that is as large", async () => {
    const { handler, seen } = setUp({ calls: 10, maxConcurrency: 9 });
    for (const chars of [400_000, 400_000, 300_000]) handler.handle(chars, "x", "x".repeat(chars));
    await tick();
    await tick();
    expect([seen.isTooMuch, seen.most]).toEqual([true, 2]);
  });

  test("refuses one call too many", () => {
    const { handler } = setUp({ calls: 2, maxConcurrency: 1 });
    expect([1, 2, 3].map((id) => handler.handle(id, "x", 0))).toEqual([true, true, false]);
  });

  test("answers each call once, whatever comes in whichever order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("request", "answer", "leave"), { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, maxConcurrency) => {
          const { handler, seen, answer, leave } = setUp({ calls: 1_000, maxConcurrency });
          let requested = 0;
          for (const step of steps) {
            if (step === "request") handler.handle(requested++, "x", 0);
            else if (step === "answer") answer();
            else leave();
            await tick();
            expect(seen.pending).toBe(seen.sent.length < requested);
          }
          for (let more = 0; more < requested * 2; more += 1) {
            answer();
            await tick();
            leave();
          }
          expect(seen.sent.map(({ id }) => id)).toEqual([...Array(requested).keys()]);
          expect(seen.most).toBeLessThanOrEqual(maxConcurrency);
          expect(handler.calls().every(({ status }) => status === "succeeded")).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("aborts what is open when it is closed, and waits for it, though not for ever", async () => {
    const ended: string[] = [];
    const handler = new ToolCallHandler({
      limits: { hostMb: 1, calls: 10, maxConcurrency: 10, frameBytes: 1_000 },
      callTool: (name, _params, { signal }) =>
        new Promise((resolve) => {
          if (name === "polite")
            signal.addEventListener("abort", () => {
              ended.push(name);
              resolve(0);
            });
        }),
      send: () => ended.push("sent"),
      onFull: () => undefined,
      onPending: () => undefined,
    });
    handler.handle(1, "polite", 0);
    handler.handle(2, "stubborn", 0);
    await handler.close();
    expect(ended).toEqual(["polite"]);
    expect(handler.calls().map(({ name, status }) => [name, status])).toEqual([
      ["polite", "abandoned"],
      ["stubborn", "abandoned"],
    ]);
    expect(handler.handle(3, "late", 0)).toBe(true);
    expect(handler.calls()).toHaveLength(2);
  });
});
