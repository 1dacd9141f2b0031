import { runInNewContext } from "node:vm";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { revokedProxy, thenable, throwingGetter, throwingProxy } from "./hostile-values.ts";

/** The name of a thrown value, a function that makes it, and the required text for a model. */
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

/** Errors that reveal the host: a model must receive the helpful part, and nothing else. */
const telling: readonly (readonly [what: string, make: () => unknown, says: RegExp, hides: RegExp])[] = [
  [
    "an error with a path of the host",
    () => new Error("ENOENT: no such file, open '/home/ada/project 7/notes.txt'"),
    /no such file.*notes\.txt/,
    /ada|project/,
  ],
  [
    "an error with a token",
    () => new Error("401 for Bearer sk-live-9f8e7d6c5b4a39281706, expired"),
    /401.*expired/,
    /9f8e7d6c/,
  ],
  [
    "an error with the password of a database",
    () => new Error("cannot connect to postgres://ada:hunter2@db.local/app"),
    /cannot connect.*db\.local/,
    /hunter2/,
  ],
  [
    "an error whose cause says what helps",
    () => new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:80") }),
    /fetch failed.*ECONNREFUSED/,
    /\/home/,
  ],
  [
    "an error with a stack in its message",
    () => new Error("disk is full\n    at write (/home/ada/app/main.js:3:7)"),
    /disk is full/,
    /main\.js/,
  ],
];

/** A tool throws, or returns a promise that rejects. A model must receive a failure, in words. */
export const thrownCases: readonly TortureCase[] = [
  ...things.flatMap(([what, make, says]) => bothWays(what, make, { ...(says && { says }) })),
  ...telling.flatMap(([what, make, says, hides]) => bothWays(what, make, { says, hides })),
];

function bothWays(what: string, make: () => unknown, told: Expected): readonly TortureCase[] {
  const expected: Expected = { failed: true, runs: 1, ...told };
  return [
    tortureCase("thrown", `a tool throws ${what}`, (trial) =>
      trial.once({ execute: () => throwIt(make()) }, FITTING, expected),
    ),
    tortureCase("thrown", `a tool rejects with ${what}`, (trial) =>
      trial.once({ execute: () => rejectWith(make()) }, FITTING, expected),
    ),
  ];
}

function throwIt(value: unknown): never {
  throw value;
}

function rejectWith(value: unknown): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, 1, value));
}
