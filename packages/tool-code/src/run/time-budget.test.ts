import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TimeBudget } from "./time-budget.ts";

const limits = { wallMs: 100, totalMs: 1_000, cpuMs: 1e9 };

describe("TimeBudget", () => {
  test("counts all time when no call is pending", () => {
    const budget = new TimeBudget(limits, 0);
    expect(budget.exceeded(99, undefined)).toBeUndefined();
    expect(budget.exceeded(100, undefined)).toBe("wallMs");
  });

  test("stands still while the program waits for a tool", () => {
    const budget = new TimeBudget(limits, 0);
    budget.setWaiting(true, 10);
    expect(budget.exceeded(600, 5)).toBeUndefined();
    budget.setWaiting(false, 900);
    expect(budget.exceeded(989, 5)).toBeUndefined();
    expect(budget.exceeded(990, 5)).toBe("wallMs");
  });

  test("counts processor time spent beside a pending call", () => {
    const budget = new TimeBudget(limits, 0);
    budget.setWaiting(true, 0);
    expect(budget.exceeded(50, 50)).toBeUndefined();
    expect(budget.exceeded(100, 100)).toBe("wallMs");
  });

  test("ends a program that uses several processors at once", () => {
    const budget = new TimeBudget({ ...limits, cpuMs: 250 }, 0, 500);
    expect(budget.exceeded(50, 700)).toBeUndefined();
    expect(budget.exceeded(60, 750)).toBe("cpuMs");
  });

  test("does not count what the process did before", () => {
    const budget = new TimeBudget(limits, 0, 500);
    budget.setWaiting(true, 0);
    expect(budget.exceeded(200, 510)).toBeUndefined();
  });

  test("ends everything at the total, whatever the program waits for", () => {
    const budget = new TimeBudget(limits, 0);
    budget.setWaiting(true, 0);
    expect(budget.exceeded(999, 0)).toBeUndefined();
    expect(budget.exceeded(1_000, 0)).toBe("totalMs");
  });

  test("leaves out time in which the host was blocked, but not what the program computed meanwhile", () => {
    const budget = new TimeBudget(limits, 0);
    budget.skip(5_000, 60);
    expect(budget.exceeded(5_030, 60)).toBeUndefined();
    budget.skip(10_000, 60);
    expect(budget.exceeded(10_010, 70)).toBe("wallMs");
    const total = new TimeBudget({ ...limits, wallMs: 10_000 }, 0);
    total.setWaiting(true, 0);
    total.skip(5_000, undefined);
    expect(total.exceeded(5_999, undefined)).toBeUndefined();
    expect(total.exceeded(6_000, undefined)).toBe("totalMs");
    expect(total.elapsedMs(6_000)).toBe(6_000);
  });

  test("never counts more than has passed, nor less than the time without a call", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ ms: fc.nat(40), waits: fc.boolean(), cpu: fc.nat(80) }), { maxLength: 40 }),
        (steps) => {
          const huge = 1_000_000;
          const least = new TimeBudget({ wallMs: huge, totalMs: huge, cpuMs: huge }, 0);
          let [now, cpu, active] = [0, 0, 0];
          for (const { ms, waits, cpu: used } of steps) {
            least.setWaiting(waits, now);
            now += ms;
            cpu += used;
            if (!waits) active += ms;
            expect(least.exceeded(now, cpu)).toBeUndefined();
          }
          // Time that is certainly counted reaches a limit set exactly there; a limit beyond all time is never reached.
          const budget = new TimeBudget({ wallMs: Math.max(1, active), totalMs: huge, cpuMs: huge }, 0);
          let [at, reached] = [0, false];
          for (const { ms, waits } of steps) {
            budget.setWaiting(waits, at);
            at += ms;
            reached = budget.exceeded(at, undefined) === "wallMs";
          }
          if (active > 0) expect(reached).toBe(true);
        },
      ),
    );
  });
});
