import { runInNewContext } from "node:vm";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING } from "../trial.ts";
import { revokedProxy, thenable, throwingGetter, throwingProxy } from "./hostile-values.ts";

/** Calls the thing that is thrown by its name, makes it, and says what a model must be told of it. */
type Thrown = readonly [what: string, make: () => unknown, says?: RegExp];

const LONG = 5_000_000;

class QuotaError extends Error {
  readonly code = "quota_exceeded";
}

const things: readonly Thrown[] = [
  ["an error", () => new Error("disk is full"), /disk is full/],
  ["an error of its own class", () => new QuotaError("quota is used up"), /quota is used up/],
  ["null", () => null],
  ["undefined", () => undefined],
  ["a string", () => "disk is full", /disk is full/],
  ["an empty string", () => ""],
  ["a number", () => 507, /507/],
  ["a bigint", () => 507n, /507/],
  ["a symbol", () => Symbol("disk is full"), /disk is full/],
  ["a function", () => () => "disk is full"],
  ["a frozen error", () => Object.freeze(new Error("disk is full")), /disk is full/],
  ["an error without a message", () => new TypeError("")],
  ["an error whose message cannot be read", () => Object.setPrototypeOf(throwingGetter("message"), Error.prototype)],
  ["an error whose name cannot be read", () => Object.defineProperty(new Error("full"), "name", throwing), /full/],
  ["an error whose message is no string", () => Object.assign(new Error("disk is full"), { message: { a: 1 } })],
  ["an error that is its own cause", ownCause, /disk is full/],
  ["an error with a message of 5 MB", () => new Error(`full ${"x".repeat(LONG)}`), /full/],
  ["an error of another realm", () => runInNewContext("new Error('disk is full')"), /disk is full/],
  ["an aggregate of errors", () => new AggregateError([new Error("one")], "disk is full"), /disk is full/],
  ["an abort of its own", () => new DOMException("disk is full", "AbortError"), /disk is full/],
  ["an object like a coded error", () => ({ name: "ToolError", code: "x", message: "disk is full" }), /disk is full/],
  ["an object like a result", () => ({ success: true, output: "fine", content: [] })],
  ["an object without a prototype", () => Object.create(null)],
  ["an object whose text cannot be had", () => ({ toString: refuse, [Symbol.toPrimitive]: refuse })],
  ["a proxy that throws", throwingProxy],
  ["a revoked proxy", revokedProxy],
  ["a thenable", () => thenable((resolve: (value: string) => void) => resolve("fine"))],
];

const throwing: PropertyDescriptor = {
  get() {
    throw new Error("the getter threw");
  },
};

function refuse(): never {
  throw new Error("no text");
}

function ownCause(): Error {
  const error = new Error("disk is full");
  error.cause = error;
  return error;
}

/** A tool throws, or answers a promise that rejects. A model must be told of a failure, in words. */
export const thrownCases: readonly TortureCase[] = things.flatMap(([what, make, says]) => {
  const expected = { failed: true, runs: 1, ...(says && { says }) };
  return [
    tortureCase("thrown", `a tool throws ${what}`, (trial) =>
      trial.once({ execute: () => throwIt(make()) }, FITTING, expected),
    ),
    tortureCase("thrown", `a tool rejects with ${what}`, (trial) =>
      trial.once({ execute: () => rejectWith(make()) }, FITTING, expected),
    ),
  ];
});

function throwIt(value: unknown): never {
  throw value;
}

function rejectWith(value: unknown): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, 1, value));
}
