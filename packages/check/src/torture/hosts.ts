import { tortureCase, type TortureCase } from "../torture-case.ts";
import type { TortureCallOptions } from "../torture-subject.ts";
import { FITTING } from "../trial.ts";
import { never, pause, revokedProxy, throwingGetter, throwingProxy } from "./hostile-values.ts";

const signals: readonly (readonly [what: string, make: () => unknown])[] = [
  ["an abort controller", () => new AbortController()],
  ["a text", () => "stop"],
  ["an empty object", () => ({})],
  ["a promise", () => Promise.resolve()],
  ["an event target", () => new EventTarget()],
  ["a proxy that throws", throwingProxy],
  ["a revoked proxy", revokedProxy],
  ["a proxy of a signal", () => new Proxy(new AbortController().signal, {})],
  ["an object whose state cannot be read", () => throwingGetter("aborted")],
];

/** A host passes wrong options with a call. Its other calls and the process go on. */
export const hostCases: readonly TortureCase[] = signals.flatMap(([what, make]) => [
  tortureCase("hosts", `a host passes ${what} for a signal to a tool that waits`, (trial) =>
    trial.once({ execute: () => pause(20).then(() => "found") }, FITTING, {}, wrong({ signal: make() })),
  ),
  tortureCase("hosts", `a host passes ${what} for a signal beside a call that never ends`, async (trial) => {
    const tool = await trial.prepare({ execute: never, timeoutMs: 60 });
    const stuck = trial.call(tool, FITTING, { failed: true, says: /time/i });
    await trial.call(tool, FITTING, { failed: true }, wrong({ signal: make() }));
    await stuck;
  }),
]);

function wrong(options: { readonly signal: unknown }): TortureCallOptions {
  return options as TortureCallOptions;
}
