import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunClock } from "./run-clock.ts";

const limits = { wallMs: 100, totalMs: 1_000 };

describe("RunClock", () => {
  test("counts all time when no call is pending", () => {
    const clock = new RunClock(limits, 0);
    expect(clock.check(99, undefined)).toBeUndefined();
    expect(clock.check(100, undefined)).toBe("wallMs");
  });

  test("stands still while the program waits for a tool", () => {
    const clock = new RunClock(limits, 0);
    clock.waiting(true, 10);
    expect(clock.check(600, 5)).toBeUndefined();
    clock.waiting(false, 900);
    expect(clock.check(989, 5)).toBeUndefined();
    expect(clock.check(990, 5)).toBe("wallMs");
  });

  test("counts processor time spent beside a pending call", () => {
    const clock = new RunClock(limits, 0);
    clock.waiting(true, 0);
    expect(clock.check(50, 50)).toBeUndefined();
    expect(clock.check(100, 100)).toBe("wallMs");
  });

  test("does not count what the process did before", () => {
    const clock = new RunClock(limits, 0, 500);
    clock.waiting(true, 0);
    expect(clock.check(200, 510)).toBeUndefined();
  });

  test("ends everything at the total, whatever the program waits for", () => {
    const clock = new RunClock(limits, 0);
    clock.waiting(true, 0);
    expect(clock.check(999, 0)).toBeUndefined();
    expect(clock.check(1_000, 0)).toBe("totalMs");
  });

  test("never counts more than has passed, nor less than the time without a call", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ ms: fc.nat(40), waits: fc.boolean(), cpu: fc.nat(80) }), { maxLength: 40 }),
        (steps) => {
          const huge = 1_000_000;
          const least = new RunClock({ wallMs: huge, totalMs: huge }, 0);
          let [now, cpu, active] = [0, 0, 0];
          for (const { ms, waits, cpu: used } of steps) {
            least.waiting(waits, now);
            now += ms;
            cpu += used;
            if (!waits) active += ms;
            expect(least.check(now, cpu)).toBeUndefined();
          }
          // Time that is certainly counted reaches a limit set exactly there; a limit beyond all time is never reached.
          const clock = new RunClock({ wallMs: Math.max(1, active), totalMs: huge }, 0);
          let [at, reached] = [0, false];
          for (const { ms, waits } of steps) {
            clock.waiting(waits, at);
            at += ms;
            reached = clock.check(at, undefined) === "wallMs";
          }
          if (active > 0) expect(reached).toBe(true);
        },
      ),
    );
  });
});
