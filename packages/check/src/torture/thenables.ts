import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { never, thenable, thenableOf } from "./hostile-values.ts";

type Settle = (value?: unknown) => void;
type Then = (resolve: Settle, reject: Settle) => unknown;

const like = (then: Then): object => thenable(then);

const things: readonly (readonly [what: string, make: () => unknown, expected: Expected])[] = [
  ["answers at once", () => like((resolve) => resolve("found")), { failed: false, says: /found/ }],
  ["answers later", () => like((resolve) => setTimeout(resolve, 5, "found")), { failed: false, says: /found/ }],
  ["rejects at once", () => like((_, reject) => reject(new Error("lost"))), { failed: true, says: /lost/ }],
  ["rejects with null", () => like((_, reject) => reject(null)), { failed: true }],
  ["throws", () => like(() => fail("lost")), { failed: true, says: /lost/ }],
  ["answers twice", () => like((resolve) => (resolve("found"), resolve("again"))), said("found", "again")],
  ["answers, then rejects", () => like((resolve, reject) => (resolve("found"), reject("no"))), said("found", "no")],
  ["rejects, then answers", () => like((resolve, reject) => (reject("lost"), resolve("found"))), { failed: true }],
  ["answers, then throws", () => like((resolve) => (resolve("found"), fail("lost"))), said("found", "lost")],
  ["answers again much later", againLater, said("found", "again")],
  ["cannot be asked", () => thenableOf(() => fail("lost")), { failed: true }],
  [
    "is a function",
    () =>
      thenable(
        (resolve: Settle) => resolve("found"),
        () => 0,
      ),
    {},
  ],
  ["is of a class of its own", () => new Own((resolve) => resolve("found")), { failed: false, says: /found/ }],
  ["answers only the first look at its then", firstLook, {}],
];

class Own<T> extends Promise<T> {}

/** A tool answers something that is like a promise and does not keep its rules. */
export const thenableCases: readonly TortureCase[] = [
  ...things.map(([what, make, expected]) =>
    tortureCase("thenables", `a tool returns a thenable that ${what}`, (trial) =>
      trial.once({ execute: make }, FITTING, { runs: 1, ...expected }),
    ),
  ),
  tortureCase("thenables", "a tool returns a thenable that never answers", (trial) =>
    trial.once({ execute: () => like(() => undefined), timeoutMs: 40 }, FITTING, { failed: true, runs: 1 }),
  ),
  tortureCase("thenables", "a tool returns a thenable of a promise that never settles", (trial) =>
    trial.once(
      { execute: () => like((resolve) => resolve(never())), timeoutMs: 40 },
      FITTING,
      // It may also be refused as a value that is no data.
      { failed: true, runs: 1 },
    ),
  ),
  tortureCase("thenables", "a tool returns a promise whose then was replaced", (trial) =>
    trial.once({ execute: () => thenable(() => undefined, Promise.resolve("found")), timeoutMs: 40 }, FITTING, {
      runs: 1,
    }),
  ),
];

function said(says: string, hides: string): Expected {
  return { failed: false, says: new RegExp(says), hides: new RegExp(hides) };
}

function fail(message: string): never {
  throw new Error(message);
}

function againLater(): object {
  return like((resolve) => {
    resolve("found");
    setTimeout(resolve, 20, "again");
  });
}

function firstLook(): object {
  let looks = 0;
  const then: Then = (resolve) => resolve("found");
  return thenableOf(() => ((looks += 1) === 1 ? then : fail("a second look")));
}
