import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { never, pause, thenable, throwingProxy } from "./hostile-values.ts";

/** Long enough for a fault that comes later. */
const LATER_MS = 20;
const found: Expected = { failed: false, says: /found/, runs: 1 };

const faults: readonly (readonly [what: string, fault: () => unknown])[] = [
  ["throws", () => throwIt(new Error("disk is full"))],
  ["throws null", () => throwIt(null)],
  ["rejects", () => Promise.reject(new Error("disk is full"))],
  ["rejects with null", () => new Promise((_, reject) => reject(null))],
  ["rejects later", () => pause(10).then(() => throwIt(new Error("disk is full")))],
  ["answers nonsense", () => thenable(1)],
  ["answers a proxy that throws", throwingProxy],
  ["answers a thenable that throws", () => thenable(() => throwIt(new Error("disk is full")))],
];

/** Where calls are recorded misbehaves. The call keeps its result. */
export const recorderCases: readonly TortureCase[] = [
  ...faults.map(([what, record]) =>
    tortureCase("recorders", `the transcript ${what}`, async (trial) => {
      await trial.once({}, FITTING, found, { record });
      await pause(LATER_MS);
    }),
  ),
  tortureCase("recorders", "the transcript never settles", async (trial) => {
    trial.extendTimeout();
    await trial.once({}, FITTING, found, { record: never });
  }),
  tortureCase("recorders", "the transcript changes the record it is given", (trial) =>
    trial.once({}, FITTING, found, { record: (entry) => spoil(entry) }),
  ),
  tortureCase("recorders", "the transcript throws and so does the tool", (trial) =>
    trial.once(
      { execute: () => throwIt(new Error("no such city")) },
      FITTING,
      { failed: true, says: /no such city/, runs: 1 },
      { record: () => throwIt(new Error("disk is full")) },
    ),
  ),
];

/** Who observes misbehaves. It is as if nobody did. */
export const observerCases: readonly TortureCase[] = [
  ...faults.map(([what, observe]) =>
    tortureCase("observers", `the observer ${what}`, async (trial) => {
      await trial.once({}, FITTING, found, { observe });
      await pause(LATER_MS);
    }),
  ),
  tortureCase("observers", "the observer never settles", (trial) => trial.once({}, FITTING, found, { observe: never })),
  tortureCase("observers", "the observer changes the event it is given", (trial) =>
    trial.once({}, FITTING, found, { observe: (event) => spoil(event) }),
  ),
];

/** Changes everything that can be changed; frozen parts stay. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    Reflect.set(value, key, "spoilt");
    Reflect.deleteProperty(value, key);
  }
}

function throwIt(value: unknown): never {
  throw value;
}
