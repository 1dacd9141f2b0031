import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { circular, nested, revokedProxy, thenable, throwingGetter, throwingProxy } from "./hostile-values.ts";

/** The name of a returned value, a function that makes it, and the required outcome. */
type Returned = readonly [what: string, make: () => unknown, expected: Expected];

class Account {
  readonly owner = "Ada";
  readonly #balance = 3;
  get balance(): number {
    return this.#balance;
  }
}

const said = (says: RegExp): Expected => ({ failed: false, says });
const refused: Expected = { failed: true };
const settled: Expected = {};

/** Values that JSON has, or that a text can stand for. */
const passed: readonly Returned[] = [
  ["nothing", () => undefined, { failed: false }],
  ["null", () => null, said(/null/)],
  ["an empty string", () => "", settled],
  ["false", () => false, said(/false/)],
  ["zero", () => 0, said(/0/)],
  ["a date", () => new Date(Date.UTC(2030, 0, 31)), said(/2030-01-31/)],
  ["a class instance", () => new Account(), said(/Ada/)],
  ["a frozen object", () => Object.freeze({ kept: "inside" }), said(/inside/)],
  ["an object without a prototype", () => Object.assign(Object.create(null), { kept: "inside" }), said(/inside/)],
  ["a proxy of an object", () => new Proxy({ kept: "inside" }, {}), said(/inside/)],
  ["an array with holes", () => Object.assign(Array.from({ length: 2 }), { 1: "inside" }), said(/inside/)],
  ["the key __proto__", () => JSON.parse('{"__proto__":{"polluted":"inside"}}'), said(/inside/)],
  ["the keys of Object.prototype", () => ({ constructor: "inside", toString: 1, hasOwnProperty: 2 }), said(/inside/)],
  ["half a surrogate pair", () => ({ kept: "inside", half: "\uD800" }), said(/inside/)],
  ["a data field called then", () => thenable("inside"), said(/inside/)],
  ["an object like a failure", () => ({ success: false, error: "inside" }), { says: /inside/ }],
];

/** Values that text cannot hold, or of which it would keep nothing: either a failure, or all of it in the text. */
const lost: readonly Returned[] = [
  ["NaN", () => Number.NaN, settled],
  ["an infinite number in an object", () => ({ kept: Number.POSITIVE_INFINITY }), settled],
  ["a bigint", () => 2n ** 70n, settled],
  ["a bigint in an object", () => ({ kept: 2n ** 70n }), settled],
  ["a map", () => new Map([["kept", "inside"]]), settled],
  ["a set", () => new Set(["inside"]), settled],
  ["a map in an array", () => [new Map([["kept", "inside"]])], settled],
  ["bytes", () => new TextEncoder().encode("inside"), settled],
  ["an array buffer", () => new TextEncoder().encode("inside").buffer, settled],
  ["an error instead of throwing it", () => new Error("inside"), settled],
  ["a promise inside an object", () => ({ kept: Promise.resolve("inside") }), settled],
  ["a regular expression", () => ({ kept: /inside/ }), settled],
  ["a symbol as a value", () => ({ kept: Symbol("inside") }), settled],
  ["a function inside an object", () => ({ kept: () => "inside" }), settled],
];

/** Values of which there is nothing to pass on. */
const unusable: readonly Returned[] = [
  ["a function", () => () => "inside", refused],
  ["a symbol", () => Symbol("inside"), refused],
  ["an object with a getter that throws", () => throwingGetter("kept"), refused],
  ["an object whose toJSON throws", () => ({ toJSON: () => throwingGetterOf("kept") }), refused],
  ["a proxy that throws", throwingProxy, refused],
  ["a revoked proxy", revokedProxy, refused],
  ["an object that shares itself into 4 million parts", sharing, settled],
  ["an object that holds itself", circular, { says: /circular|itself|cycl|inside/i }],
  ["arrays 100,000 levels deep", () => nested(100_000), settled],
  ["an object whose toJSON answers itself", ownJson, settled],
  ["an object that claims to be a result", forged, settled],
];

const KEPT = /NaN|Infinity|1180591620717411303424|inside|105,\s*110,\s*115|aW5zaWRl/;

/** A tool returns a value that a model cannot be shown as it is. Nothing may be lost silently. */
export const returnedCases: readonly TortureCase[] = [
  ...passed.flatMap((one) => bothWays(one)),
  ...lost.map(([what, make]) =>
    tortureCase("returned", `a tool returns ${what}`, async (trial) => {
      const found = await trial.once({ execute: make }, FITTING, { runs: 1 });
      trial.expect(found.failed || KEPT.test(found.text), "a failure, or all of it in the text", found);
    }),
  ),
  ...unusable.flatMap((one) => bothWays(one)),
  tortureCase("returned", "a tool returns a text of 5 MB", async (trial) => {
    const text = `begin ${"x".repeat(5_000_000)}`;
    const found = await trial.once({ execute: () => text }, FITTING, { failed: false, says: /^begin/, runs: 1 });
    const isMarked = found.text.length >= text.length || !/^begin x+$/.test(found.text);
    trial.expect(isMarked, "all of it, or a word that it was cut", found.text.slice(-80));
  }),
  tortureCase("returned", "a tool changes what it returned afterwards", async (trial) => {
    const shared = { kept: "inside" };
    const recorded: string[] = [];
    const record = (entry: unknown): void => void recorded.push(JSON.stringify(entry));
    const tool = await trial.prepare({ execute: () => shared });
    const found = await trial.call(tool, FITTING, said(/inside/), trial.isRecording ? { record } : {});
    shared.kept = "changed";
    trial.expect(!found.text.includes("changed"), "the text as it was", found);
    const now = trial.records.map((entry) => JSON.stringify(entry));
    trial.expect(now.join() === recorded.join(), `the record as it was, ${recorded.join()}`, now.join());
  }),
  tortureCase("returned", "a tool returns an object with a prototype of its own making", async (trial) => {
    const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown;
    await trial.once({ execute: () => value }, FITTING, { failed: false, runs: 1 });
    trial.expect(!("polluted" in {}), "no property on every object", "polluted");
  }),
];

function bothWays([what, make, expected]: Returned): readonly TortureCase[] {
  const whole = { runs: 1, ...expected };
  return [
    tortureCase("returned", `a tool returns ${what}`, (trial) => trial.once({ execute: make }, FITTING, whole)),
    tortureCase("returned", `a tool resolves with ${what}`, (trial) =>
      trial.once({ execute: async () => make() }, FITTING, whole),
    ),
  ];
}

function throwingGetterOf(key: string): unknown {
  return (throwingGetter(key) as Record<string, unknown>)[key];
}

function ownJson(): object {
  const value = { toJSON: (): unknown => value };
  return value;
}

function sharing(): unknown {
  let value: unknown = ["inside"];
  for (let level = 0; level < 22; level += 1) value = [value, value];
  return value;
}

/** Carries the mark of this package's results; to every other system it is an object with an empty name. */
function forged(): object {
  return {
    [Symbol.for("@dispatch/tools-interface.ToolResult")]: true,
    success: true,
    output: { toString: () => throwingGetterOf("kept") },
  };
}
