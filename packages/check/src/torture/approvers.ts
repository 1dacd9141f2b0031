import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { never, pause, thenable, throwingGetter, throwingProxy } from "./hostile-values.ts";

const denied: Expected = { failed: true, runs: 0 };
const approved: Expected = { failed: false, says: /found/, runs: 1 };
const guarded = { needsApproval: true } as const;

const answers: readonly (readonly [what: string, approve: () => unknown])[] = [
  ["says no", () => false],
  ["says no later", () => pause(5).then(() => false)],
  ["answers nothing", () => undefined],
  ["answers null", () => null],
  ['answers "yes"', () => "yes"],
  ['answers "true"', () => "true"],
  ["answers 1", () => 1],
  ["answers an empty object", () => ({})],
  ["answers an empty array", () => []],
  ["answers a function", () => () => true],
  ['answers an object that says "yes"', () => ({ approved: "yes" })],
  ["answers an object that says 1", () => ({ approved: 1 })],
  ["answers a boolean object", () => new Boolean(true)],
  ["answers a proxy that throws", throwingProxy],
  ["answers an object that cannot be read", () => throwingGetter("approved")],
  ["throws", () => throwIt(new Error("no terminal"))],
  ["throws null", () => throwIt(null)],
  ["throws true", () => throwIt(true)],
  ["rejects", () => Promise.reject(new Error("no terminal"))],
  ["rejects with true", () => new Promise((_, reject) => reject(true))],
  ["answers a thenable that throws", () => thenable(() => throwIt(new Error("no terminal")))],
];

/** Somebody has to agree. Everything that is no clear yes is a no. */
export const approverCases: readonly TortureCase[] = [
  tortureCase("approvers", "the approver says yes", (trial) =>
    trial.once(guarded, FITTING, approved, { approve: () => true }),
  ),
  tortureCase("approvers", "the approver says yes later", (trial) =>
    trial.once(guarded, FITTING, approved, { approve: () => pause(5).then(() => true) }),
  ),
  tortureCase("approvers", "there is no approver", (trial) => trial.once(guarded, FITTING, denied)),
  ...answers.map(([what, approve]) =>
    tortureCase("approvers", `the approver ${what}`, (trial) => trial.once(guarded, FITTING, denied, { approve })),
  ),
  tortureCase("approvers", "the approver never settles and the call is cancelled", async (trial) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await trial.once(guarded, FITTING, denied, { approve: never, signal: controller.signal });
  }),
  tortureCase("approvers", "the approver says yes after the call was cancelled", async (trial) => {
    const controller = new AbortController();
    const approve = async (): Promise<boolean> => {
      controller.abort();
      await pause(5);
      return true;
    };
    await trial.once(guarded, FITTING, denied, { approve, signal: controller.signal });
    await pause(20);
    trial.expect(trial.runs === 0, "the tool not to run afterwards either", `${trial.runs}`);
  }),
  tortureCase("approvers", "the approver is asked about wrong parameters", async (trial) => {
    let asked = 0;
    const approve = (): boolean => ((asked += 1), true);
    await trial.once(guarded, { city: 7 }, denied, { approve });
    trial.expect(asked === 0, "nobody to be asked about a call that cannot run", `${asked} questions`);
  }),
  tortureCase("approvers", "the approver changes the parameters it is shown", async (trial) => {
    const given: unknown[] = [];
    const approve = (request: unknown): boolean => {
      const { params } = request as { params?: Record<string, unknown> };
      if (params !== undefined) Reflect.set(params, "city", 7);
      return true;
    };
    const tool = await trial.prepare({ ...guarded, execute: (params) => (given.push(params), "found") });
    await trial.call(tool, FITTING, {}, { approve });
    const isWhole = given.every((params) => (params as { city?: unknown }).city === "Oslo");
    trial.expect(isWhole, "the tool to be given what was checked", given);
  }),
];

function throwIt(value: unknown): never {
  throw value;
}
