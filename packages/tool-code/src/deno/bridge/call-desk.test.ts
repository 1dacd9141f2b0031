import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallDesk } from "./call-desk.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A desk, what it does, and the answers it waits for. `leave` says that the oldest message has left. */
function desk(limits: { readonly calls: number; readonly inFlight: number }) {
  const seen = { sent: [] as { t: string; id: number }[], full: false, pending: false, open: 0, most: 0 };
  const answers: (() => void)[] = [];
  const leaving: (() => void)[] = [];
  const made = new CallDesk({
    limits: { frameBytes: 1_000, ...limits },
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
    onBacklog: (full) => (seen.full = full),
    onPending: (pending) => (seen.pending = pending),
  });
  return { desk: made, seen, answer: () => answers.shift()?.(), leave: () => leaving.shift()?.() };
}

describe("CallDesk", () => {
  test("runs no more calls at a time than allowed, counting those whose answer has not left", async () => {
    const { desk: made, seen, answer, leave } = desk({ calls: 10, inFlight: 2 });
    for (let id = 0; id < 3; id += 1) expect(made.request(id, "x", id)).toBe(true);
    expect(seen.most).toBe(2);
    answer();
    await turn();
    expect([seen.sent.length, seen.most, seen.open]).toEqual([1, 2, 2]);
    leave();
    await turn();
    answer();
    answer();
    await turn();
    expect(seen.sent.map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  test("asks for a pause only from a program that sends more than it may have unanswered", async () => {
    const { desk: made, seen, answer, leave } = desk({ calls: 100, inFlight: 2 });
    for (let id = 0; id < 4; id += 1) made.request(id, "x", id);
    expect(seen.full).toBe(false);
    made.request(4, "x", 4);
    expect(seen.full).toBe(true);
    answer();
    await turn();
    leave();
    expect(seen.full).toBe(false);
  });

  test("refuses one call too many", () => {
    const { desk: made } = desk({ calls: 2, inFlight: 1 });
    expect([1, 2, 3].map((id) => made.request(id, "x", 0))).toEqual([true, true, false]);
  });

  test("answers each call once, whatever comes in whichever order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("request", "answer", "leave"), { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, inFlight) => {
          const { desk: made, seen, answer, leave } = desk({ calls: 1_000, inFlight });
          let requested = 0;
          for (const step of steps) {
            if (step === "request") made.request(requested++, "x", 0);
            else if (step === "answer") answer();
            else leave();
            await turn();
            expect(seen.pending).toBe(seen.sent.length < requested);
          }
          for (let more = 0; more < requested * 2; more += 1) {
            answer();
            await turn();
            leave();
          }
          expect(seen.sent.map(({ id }) => id)).toEqual([...Array(requested).keys()]);
          expect(seen.most).toBeLessThanOrEqual(inFlight);
          expect(seen.full).toBe(false);
          expect(made.calls().every(({ status }) => status === "succeeded")).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("aborts what is open when it is closed, and waits for it, though not for ever", async () => {
    const ended: string[] = [];
    const made = new CallDesk({
      limits: { calls: 10, inFlight: 10, frameBytes: 1_000 },
      callTool: (name, _params, { signal }) =>
        new Promise((resolve) => {
          if (name === "polite")
            signal.addEventListener("abort", () => {
              ended.push(name);
              resolve(0);
            });
        }),
      send: () => ended.push("sent"),
      onBacklog: () => undefined,
      onPending: () => undefined,
    });
    made.request(1, "polite", 0);
    made.request(2, "stubborn", 0);
    await made.close();
    expect(ended).toEqual(["polite"]);
    expect(made.calls().map(({ name, status }) => [name, status])).toEqual([
      ["polite", "abandoned"],
      ["stubborn", "abandoned"],
    ]);
    expect(made.request(3, "late", 0)).toBe(true);
    expect(made.calls()).toHaveLength(2);
  });
});
