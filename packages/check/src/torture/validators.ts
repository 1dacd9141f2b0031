import { z } from "zod";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { never, pause } from "./hostile-values.ts";

const refused: Expected = { failed: true, runs: 0 };
const TIMEOUT_MS = 40;

const checks: readonly (readonly [what: string, check: () => boolean | Promise<boolean>, expected: Expected])[] = [
  ["says no", () => false, { ...refused, says: /city/ }],
  ["throws", () => fail("index is broken"), refused],
  ["throws null", () => throwIt(null), refused],
  ["says no later", () => pause(5).then(() => false), { ...refused, says: /city/ }],
  ["says yes later", () => pause(5).then(() => true), { failed: false, says: /found/, runs: 1 }],
  ["rejects", () => Promise.reject(new Error("index is broken")), refused],
  ["rejects with null", () => new Promise((_, reject) => reject(null)), refused],
];

/** The check of a tool's parameters misbehaves. Then the tool does not run, and a model is told. */
export const validatorCases: readonly TortureCase[] = [
  ...checks.map(([what, check, expected]) =>
    tortureCase("validators", `the check of the parameters ${what}`, (trial) =>
      trial.once({ parameters: z.object({ city: z.string().refine(check) }) }, FITTING, expected),
    ),
  ),
  tortureCase("validators", "the check of the parameters never settles", (trial) =>
    trial.once({ parameters: z.object({ city: z.string().refine(never) }), timeoutMs: TIMEOUT_MS }, FITTING, refused),
  ),
  tortureCase("validators", "the check of the parameters never settles and the call is cancelled", async (trial) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const parameters = z.object({ city: z.string().refine(never) });
    await trial.once({ parameters }, FITTING, refused, { signal: controller.signal });
  }),
  tortureCase("validators", "the check of wrong parameters never settles", (trial) =>
    trial.once(
      { parameters: z.object({ city: z.string().refine(never), size: z.number() }), timeoutMs: TIMEOUT_MS },
      { city: "Oslo", size: "3" },
      // A size of "3" may be read as 3; then the city is checked again.
      refused,
    ),
  ),
  tortureCase("validators", "the parameters are transformed by what throws", (trial) =>
    trial.once(
      { parameters: z.object({ city: z.string().transform((): string => fail("no such index")) }) },
      FITTING,
      refused,
    ),
  ),
  tortureCase("validators", "a default of the parameters throws", async (trial) => {
    const parameters = z.object({ city: z.string(), size: z.number().default(() => fail("no default")) });
    try {
      await trial.once({ parameters }, FITTING, refused);
    } catch (error) {
      // A tool may also be refused when it is defined.
      trial.expect(error instanceof Error && error.message.includes("no default"), "a reason", error);
    }
  }),
  tortureCase("validators", "the check complains at length of a place that is not there", (trial) => {
    const parameters = z.object({ city: z.string() }).superRefine((_, context) => {
      for (let place = 0; place < 10_000; place += 1) {
        context.addIssue({ code: "custom", path: ["a", place, "b"], message: "no ".repeat(100) });
      }
    });
    return trial.once({ parameters }, FITTING, { ...refused, maxLength: 20_000 });
  }),
];

const outputs: readonly (readonly [what: string, output: z.ZodType, returned: unknown, expected: Expected])[] = [
  ["lacks a field", z.object({ degrees: z.number() }), {}, { says: /degrees/ }],
  ["has a field of another type", z.object({ degrees: z.number() }), { degrees: "3" }, { says: /degrees/ }],
  ["is nothing at all", z.object({ degrees: z.number() }), undefined, {}],
  ["is a text instead of an object", z.object({ degrees: z.number() }), "3", {}],
  ["makes its check throw", z.string().refine(() => fail("index is broken")), "3", {}],
  ["makes its check reject", z.string().refine(() => Promise.reject(new Error("broken"))), "3", {}],
];

/** A tool's result does not fit its output schema. Code that relies on the schema must not receive it. */
export const outputCases: readonly TortureCase[] = [
  ...outputs.map(([what, output, returned, expected]) =>
    tortureCase("outputs", `the data of a tool ${what}`, (trial) =>
      trial.once({ output, execute: () => returned }, FITTING, { failed: true, runs: 1, ...expected }),
    ),
  ),
  tortureCase("outputs", "the check of a tool's data never settles", (trial) =>
    trial.once({ output: z.string().refine(never), timeoutMs: TIMEOUT_MS }, FITTING, { failed: true, runs: 1 }),
  ),
  tortureCase("outputs", "the check of a slow tool's data never settles", (trial) =>
    trial.once(
      { output: z.string().refine(never), timeoutMs: TIMEOUT_MS, execute: () => pause(5).then(() => "found") },
      FITTING,
      { failed: true, runs: 1 },
    ),
  ),
  tortureCase("outputs", "the check of a tool's data never settles and the call is cancelled", async (trial) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const options = { signal: controller.signal };
    await trial.once({ output: z.string().refine(never) }, FITTING, { failed: true, runs: 1 }, options);
  }),
];

function fail(message: string): never {
  throw new Error(message);
}

function throwIt(value: unknown): never {
  throw value;
}
