import { inspect } from "node:util";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Trial } from "../trial.ts";
import { held, never, pause } from "./hostile-values.ts";

const TIMEOUT_MS = 40;
const TIMED_OUT = { failed: true, says: /time/i } as const;
const MARK = "came_too_late_7261";

/** A tool exceeds its time. The model is answered in time, and a late result is neither lost nor recorded twice. */
export const timeoutCases: readonly TortureCase[] = [
  tortureCase("timeouts", "a tool never settles", (trial) =>
    trial.once({ execute: never, timeoutMs: TIMEOUT_MS }, FITTING, { ...TIMED_OUT, runs: 1 }),
  ),
  tortureCase("timeouts", "a tool looks at its signal, ignores it and never settles", (trial) =>
    trial.once({ execute: (_, { signal }) => (signal?.aborted === true ? "" : never()), timeoutMs: 40 }, FITTING, {
      ...TIMED_OUT,
      runs: 1,
    }),
  ),
  tortureCase("timeouts", "a tool rejects as soon as it is told to stop", (trial) =>
    trial.once({ execute: (_, { signal }) => untilAborted(signal), timeoutMs: TIMEOUT_MS }, FITTING, {
      ...TIMED_OUT,
      runs: 1,
    }),
  ),
  tortureCase("timeouts", "a tool rejects with null as soon as it is told to stop", (trial) =>
    trial.once(
      { execute: (_, { signal }) => untilAborted(signal).catch(() => rejectNull()), timeoutMs: TIMEOUT_MS },
      FITTING,
      { ...TIMED_OUT, runs: 1 },
    ),
  ),
  tortureCase("timeouts", "a tool ends well as soon as it is told to stop", (trial) =>
    trial.once(
      { execute: (_, { signal }) => untilAborted(signal).catch(() => "half of it"), timeoutMs: TIMEOUT_MS },
      FITTING,
      // The partial work may be reported as a success, or the call may count as timed out.
      { says: /half of it|time/i, runs: 1 },
    ),
  ),
  tortureCase("timeouts", "a tool answers after its time is over", (trial) => late(trial, "resolve")),
  tortureCase("timeouts", "a tool rejects after its time is over", (trial) => late(trial, "reject")),
  tortureCase("timeouts", "a tool rejects with null after its time is over", async (trial) => {
    const { promise, reject } = held();
    await trial.once({ execute: () => promise, timeoutMs: TIMEOUT_MS }, FITTING, TIMED_OUT);
    reject(null);
    await pause(20);
  }),
  tortureCase("timeouts", "a tool answers what JSON cannot hold after its time is over", async (trial) => {
    const { promise, resolve } = held();
    await trial.once({ execute: () => promise, timeoutMs: TIMEOUT_MS }, FITTING, TIMED_OUT);
    resolve(2n ** 70n);
    await pause(20);
  }),
  tortureCase("timeouts", "a late answer reaches who observes", async (trial) => {
    const { promise, resolve } = held();
    const heard: string[] = [];
    const observe = (event: unknown): void => void heard.push(inspect(event, { depth: 8 }));
    await trial.once({ execute: () => promise, timeoutMs: TIMEOUT_MS }, FITTING, TIMED_OUT, { observe });
    resolve(MARK);
    await trial.until("an event with the late answer", () => heard.some((event) => event.includes(MARK)));
  }),
  tortureCase("timeouts", "an observer throws when it hears of a late answer", async (trial) => {
    const { promise, resolve } = held();
    const observe = (): never => {
      throw new Error("not listening");
    };
    await trial.once({ execute: () => promise, timeoutMs: TIMEOUT_MS }, FITTING, TIMED_OUT, { observe });
    resolve(MARK);
    await pause(20);
  }),
  tortureCase("timeouts", "a tool answers just in time", (trial) =>
    trial.once({ execute: () => pause(20).then(() => "found"), timeoutMs: 2_000 }, FITTING, {
      failed: false,
      says: /found/,
      runs: 1,
    }),
  ),
  tortureCase("timeouts", "100 calls of a tool that never settles, at the same time", async (trial) => {
    const tool = await trial.prepare({ execute: never, timeoutMs: TIMEOUT_MS });
    const calls = Array.from({ length: 100 }, () => trial.call(tool, FITTING, TIMED_OUT));
    await Promise.all(calls);
    trial.expect(trial.runs === 100, "the tool to have run 100 times", `${trial.runs}`);
  }),
  tortureCase("timeouts", "a call after one that never settles", async (trial) => {
    const tool = await trial.prepare({
      execute: () => (trial.runs === 1 ? never() : "found"),
      timeoutMs: TIMEOUT_MS,
    });
    await trial.call(tool, FITTING, TIMED_OUT);
    await trial.call(tool, FITTING, { failed: false, says: /found/, runs: 2 });
  }),
];

async function late(trial: Trial, how: "resolve" | "reject"): Promise<void> {
  const later = held();
  const found = await trial.once({ execute: () => later.promise, timeoutMs: TIMEOUT_MS }, FITTING, {
    ...TIMED_OUT,
    runs: 1,
  });
  later[how](how === "resolve" ? MARK : new Error(MARK));
  await pause(20);
  trial.expect(!found.text.includes(MARK), "the text as it was", found);
}

/** Rejects when the signal aborts; never without one. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

function rejectNull(): Promise<never> {
  return new Promise((_, reject) => reject(null));
}
