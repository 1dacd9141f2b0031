import { getEventListeners } from "node:events";
import { z } from "zod";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Trial } from "../trial.ts";
import { never, pause } from "./hostile-values.ts";
import { untilAborted } from "./timeouts.ts";

const CANCELLED = { failed: true, says: /cancel|abort|stop|interrupt/i } as const;

const reasons: readonly (readonly [what: string, reason: unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["a string", "the user left"],
  ["an empty object", {}],
  ["a number", 0],
  ["a frozen error", Object.freeze(new Error("the user left"))],
];

/** A host cancels. Pending calls do not start, running ones are signalled, and ended ones stay as they are. */
export const signalCases: readonly TortureCase[] = [
  tortureCase("signals", "the signal is aborted before the call", (trial) =>
    trial.once({}, FITTING, { ...CANCELLED, runs: 0 }, { signal: AbortSignal.abort() }),
  ),
  tortureCase("signals", "the signal is aborted before a call with wrong parameters", (trial) =>
    trial.once({}, { city: 7 }, { failed: true, runs: 0 }, { signal: AbortSignal.abort() }),
  ),
  ...reasons.map(([what, reason]) =>
    tortureCase("signals", `the signal was aborted with ${what} as its reason`, (trial) =>
      trial.once({}, FITTING, { ...CANCELLED, runs: 0 }, { signal: abortedWith(reason) }),
    ),
  ),
  ...reasons.map(([what, reason]) =>
    tortureCase("signals", `the signal is aborted with ${what} while the tool runs`, (trial) =>
      aborting(trial, (_, { signal }) => untilAborted(signal), reason),
    ),
  ),
  tortureCase("signals", "the signal is aborted while a tool runs that ignores it", (trial) => aborting(trial, never)),
  tortureCase("signals", "the signal is aborted while a tool runs that looks at it and ignores it", (trial) =>
    aborting(trial, (_, { signal }) => (signal?.aborted === true ? "" : never())),
  ),
  tortureCase("signals", "the tool itself aborts the signal of its call", async (trial) => {
    const controller = new AbortController();
    const execute = (): Promise<never> => {
      controller.abort();
      return never();
    };
    await trial.once({ execute }, FITTING, { ...CANCELLED, runs: 1 }, { signal: controller.signal });
  }),
  tortureCase("signals", "the signal is aborted after the end", async (trial) => {
    const controller = new AbortController();
    const found = await trial.once(
      {},
      FITTING,
      { failed: false, says: /found/, runs: 1 },
      { signal: controller.signal },
    );
    controller.abort();
    await pause(10);
    trial.expect(found.text.includes("found"), "the text as it was", found);
  }),
  tortureCase("signals", "the signal is aborted while the parameters are being checked", async (trial) => {
    const controller = new AbortController();
    const parameters = z.object({
      city: z.string().refine(async () => {
        controller.abort();
        await pause(5);
        return true;
      }),
    });
    await trial.once({ parameters }, FITTING, { ...CANCELLED, runs: 0 }, { signal: controller.signal });
  }),
  tortureCase("signals", "a thousand calls with one signal", async (trial) => {
    const { signal } = new AbortController();
    const tool = await trial.prepare();
    for (let call = 0; call < 1_000; call += 1) await trial.call(tool, FITTING, { failed: false }, { signal });
    expectNoListeners(trial, signal);
  }),
  tortureCase("signals", "a hundred slow calls with one signal, at the same time", async (trial) => {
    const { signal } = new AbortController();
    const tool = await trial.prepare({ execute: (_, run) => pause(run.signal?.aborted === true ? 0 : 10) });
    const calls = Array.from({ length: 100 }, () => trial.call(tool, FITTING, { failed: false }, { signal }));
    await Promise.all(calls);
    expectNoListeners(trial, signal);
  }),
  tortureCase("signals", "calls that are refused, throw and time out with one signal", async (trial) => {
    const { signal } = new AbortController();
    const tools = [
      await trial.prepare({ execute: never, timeoutMs: 20 }),
      await trial.prepare({ execute: (_, run) => untilAborted(run.signal), timeoutMs: 20 }),
      await trial.prepare({ execute: () => Promise.reject(new Error("lost")) }),
    ];
    for (const tool of tools) {
      await trial.call(tool, FITTING, { failed: true }, { signal });
      await trial.call(tool, {}, { failed: true }, { signal });
    }
    expectNoListeners(trial, signal);
  }),
];

async function aborting(
  trial: Trial,
  execute: (params: unknown, run: { readonly signal?: AbortSignal | undefined }) => unknown,
  reason?: unknown,
): Promise<void> {
  const controller = new AbortController();
  const started = trial.once({ execute }, FITTING, { ...CANCELLED, runs: 1 }, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 20);
  await started;
}

function abortedWith(reason: unknown): AbortSignal {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
}

function expectNoListeners(trial: Trial, signal: AbortSignal): void {
  const left = getEventListeners(signal, "abort").length;
  trial.expect(left === 0, "no listener left on the signal", `${left}`);
}
