import { checkOptions } from "@dispatch/tools-interface/internal";
import type { Arbitrary, Parameters } from "fast-check";
import { tortureCase, type TortureCase } from "./torture-case.ts";
import { pause, throwingProxy } from "./torture/hostile-values.ts";
import { FITTING, type Trial } from "./trial.ts";

type FastCheck = typeof import("fast-check");

/** Options of {@link tortureProperties}. */
export interface TorturePropertyOptions {
  /** How many inputs each property is tried with. Default 300. */
  readonly numRuns?: number;
  /** Seeds the inputs. Default: a new seed each time, which a failure reports. */
  readonly seed?: number;
}

/** Stands for a proxy that throws, which fast-check itself could not carry. */
const TRAP = "(trap)";

/**
 * Rules that hold for every parameter, every result, every throw, every call and every moment of cancelling, each a
 * case that tries them with random ones. They need `fast-check` to be installed, and load it when they are run.
 *
 * @example
 * ```ts
 * for (const { name, run } of tortureProperties({ numRuns: 1_000 })) test(name, () => run(dispatchSubject()));
 * ```
 */
export function tortureProperties(options: TorturePropertyOptions = {}): readonly TortureCase[] {
  checkOptions("make properties", options, { numRuns: true, seed: true });
  const { numRuns = 300, seed } = options;
  const parameters: Parameters<unknown> = { numRuns, ...(seed !== undefined && { seed }) };
  const property = (name: string, rule: (trial: Trial, fc: FastCheck) => Promise<Rule>): TortureCase =>
    tortureCase("properties", name, async (trial) => {
      const fc = await import("fast-check");
      const { inputs, holds } = await rule(trial, fc);
      await fc.assert(fc.asyncProperty(inputs, holds), parameters as Parameters<[unknown]>);
    });
  return [
    property("a model sends any parameters", sendsAnything),
    property("a tool answers anything", answersAnything),
    property("a tool throws anything", throwsAnything),
    property("a provider sends any call", callsAnything),
    property("a host cancels at any moment", cancelsAnytime),
  ];
}

interface Rule {
  readonly inputs: Arbitrary<unknown>;
  readonly holds: (input: unknown) => Promise<void>;
}

async function sendsAnything(trial: Trial, fc: FastCheck): Promise<Rule> {
  const given: unknown[] = [];
  const tool = await trial.prepare({ execute: (params) => (given.push(params), "found") });
  return {
    inputs: fc.oneof(anything(fc), fc.record({ city: anything(fc) }), fc.json(), fc.string(), damaged(fc)),
    async holds(input) {
      given.length = 0;
      const { failed } = await trial.call(tool, hostile(input), {});
      const isRight = given.length === 1 && typeof (given[0] as { city?: unknown } | null)?.city === "string";
      trial.expect(failed ? given.length === 0 : isRight, "a city for the tool, or a failure without it", given);
    },
  };
}

async function answersAnything(trial: Trial, fc: FastCheck): Promise<Rule> {
  // Made by the tool: a promise that rejects before its tool runs is nobody's.
  let answer: () => unknown = () => undefined;
  const tool = await trial.prepare({ execute: () => answer() });
  return {
    inputs: fc.tuple(fc.boolean(), anything(fc)),
    async holds(input) {
      const [isLater, value] = input as [boolean, unknown];
      answer = () => (isLater ? Promise.resolve(hostile(value)) : hostile(value));
      await trial.call(tool, FITTING, { says: /./s });
    },
  };
}

async function throwsAnything(trial: Trial, fc: FastCheck): Promise<Rule> {
  let thrown: unknown;
  let isLater = false;
  const tool = await trial.prepare({
    execute() {
      if (isLater) return new Promise((_, reject) => reject(thrown));
      throw thrown;
    },
  });
  return {
    inputs: fc.tuple(fc.boolean(), anything(fc)),
    async holds(input) {
      const [later, value] = input as [boolean, unknown];
      isLater = later;
      thrown = hostile(value);
      await trial.call(tool, FITTING, { failed: true, says: /./s });
    },
  };
}

async function callsAnything(trial: Trial, fc: FastCheck): Promise<Rule> {
  const tool = await trial.prepare();
  const part = fc.oneof(fc.string(), anything(fc));
  return {
    inputs: fc.oneof(
      fc.record({ id: part, name: fc.constant("look_up"), arguments: part }),
      fc.record({ name: part, input: part }),
      anything(fc),
    ),
    holds: async (input) => void (await trial.callRaw(tool, hostile(input), {})),
  };
}

async function cancelsAnytime(trial: Trial, fc: FastCheck): Promise<Rule> {
  let takesMs = 0;
  const tool = await trial.prepare({ execute: () => (takesMs === 0 ? "found" : pause(takesMs).then(() => "found")) });
  const moment = fc.integer({ min: 0, max: 4 });
  return {
    inputs: fc.tuple(moment, moment),
    async holds(input) {
      const [takes, after] = input as [number, number];
      takesMs = takes;
      const controller = new AbortController();
      const call = trial.call(tool, FITTING, {}, { signal: controller.signal });
      setTimeout(() => controller.abort(), after);
      const { failed, text } = await call;
      trial.expect(failed || text.includes("found"), "a success that says what was found, or a failure", text);
    },
  };
}

function anything(fc: FastCheck): Arbitrary<unknown> {
  return fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
      withObjectString: true,
    }),
    fc.constant(TRAP),
  );
}

/** JSON text with one piece cut out of it. */
function damaged(fc: FastCheck): Arbitrary<string> {
  return fc
    .tuple(fc.json(), fc.nat(), fc.nat(5))
    .map(([text, at, length]) => text.slice(0, at % text.length) + text.slice((at % text.length) + length));
}

function hostile(value: unknown): unknown {
  return value === TRAP ? throwingProxy() : value;
}
