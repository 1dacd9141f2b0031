import { z } from "zod";
import { tortureCase, type TortureCase } from "../torture-case.ts";
import { FITTING, type Expected } from "../trial.ts";
import { circular, nested, nestedText, revokedProxy, throwingGetter, throwingProxy } from "./hostile-values.ts";

const MB = 1_000_000;
/** Limit of the answer, in characters: no part of a model's arguments is worth repeating at length. */
const BRIEF = 20_000;
const refused: Expected = { failed: true, runs: 0, maxLength: BRIEF };
const ofCity: Expected = { ...refused, says: /city/ };
const ofJson: Expected = { ...refused, says: /JSON/i };

/** Calls without a possible meaning: the tool does not run, and the model reads the reason. */
const wrong: readonly (readonly [what: string, make: () => unknown, expected: Expected])[] = [
  ["prose instead of JSON", () => "the city is Oslo", ofJson],
  ["JSON that was cut off inside a text", () => '{"city":"Os', refused],
  ["JSON that was cut off after a key", () => '{"city"', refused],
  ["a page of HTML", () => "<html><body>502 Bad Gateway</body></html>", ofJson],
  ["nothing", () => undefined, ofCity],
  ["null", () => null, ofCity],
  ["null as JSON text", () => "null", refused],
  ["an empty text", () => "", ofCity],
  ["white space", () => " \n\t", ofCity],
  ["an array", () => [{ city: "Oslo" }], refused],
  ["an empty array as JSON text", () => "[]", refused],
  ["a number", () => 7, refused],
  ["a boolean as JSON text", () => "true", refused],
  ["a bigint", () => 7n, refused],
  ["a symbol", () => Symbol("city"), refused],
  ["a function", () => () => FITTING, refused],
  ["a date", () => new Date(0), refused],
  ["a map", () => new Map([["city", "Oslo"]]), refused],
  ["no parameter at all", () => ({}), ofCity],
  ["a parameter of the wrong type", () => ({ city: ["Oslo", "Bergen"] }), ofCity],
  ["null for a required parameter", () => ({ city: null }), ofCity],
  ["a bigint as a parameter", () => ({ city: 7n }), ofCity],
  ["a parameter under a name of another script", () => ({ сity: "Oslo" }), ofCity],
  ["an object that holds itself as a parameter", () => ({ city: circular() }), ofCity],
  ["a parameter that cannot be read", () => throwingGetter("city"), refused],
  ["a proxy that throws", throwingProxy, refused],
  ["a revoked proxy", revokedProxy, refused],
  ["a proxy that throws as a parameter", () => ({ city: throwingProxy() }), refused],
  ["arrays 100,000 levels deep", () => ({ city: nested(100_000) }), refused],
  ["JSON text 100,000 levels deep", () => nestedText(100_000), refused],
  ["JSON text 100,000 levels deep that was cut off", () => "[".repeat(100_000), refused],
  ["5 MB of a wrong type", () => ({ city: ["x".repeat(5 * MB)] }), ofCity],
  ["5 MB of text that is not JSON", () => `{"city": ${"x".repeat(5 * MB)}`, refused],
  ["5 MB of opening brackets and quotes", () => '{"'.repeat(2.5 * MB), refused],
  ["100,000 wrong items", () => ({ city: Array.from({ length: 100_000 }, (_, item) => item) }), ofCity],
  ["the city on its prototype only", () => JSON.parse('{"__proto__":{"city":"Oslo"}}'), refused],
];

/** Calls that may be read by their likely meaning or refused; nothing else. */
const doubtful: readonly (readonly [what: string, sent: () => unknown])[] = [
  ["JSON text", () => '{"city":"Oslo"}'],
  ["JSON text within JSON text", () => JSON.stringify('{"city":"Oslo"}')],
  ["JSON text three times encoded", () => JSON.stringify(JSON.stringify('{"city":"Oslo"}'))],
  ["JSON text in a code fence", () => '```json\n{"city":"Oslo"}\n```'],
  ["JSON text with a mark of its byte order", () => '\uFEFF{"city":"Oslo"}'],
  ["JSON text without its last bracket", () => '{"city":"Oslo"'],
  ["JSON text with a comma too many", () => '{"city":"Oslo",}'],
  ["JSON text in single quotes", () => "{'city':'Oslo'}"],
  ["the same key twice", () => '{"city":"Bergen","city":"Oslo"}'],
  ["a key that nobody knows", () => ({ city: "Oslo", country: "Norway" })],
  ["the key __proto__", () => '{"city":"Oslo","__proto__":{"polluted":true}}'],
  ["the key constructor", () => '{"city":"Oslo","constructor":{"prototype":{"polluted":true}}}'],
  ["a frozen object", () => Object.freeze({ city: "Oslo" })],
  ["an object without a prototype", () => Object.assign(Object.create(null), { city: "Oslo" })],
  ["a proxy of an object", () => new Proxy({ city: "Oslo" }, {})],
  ["10,000 keys that nobody knows", () => ({ ...keys(10_000), city: "Oslo" })],
];

/**
 * A model sends parameters that are wrong, damaged or an attack. A tool runs with parameters that its schema allows or
 * not at all.
 */
export const sentParamsCases: readonly TortureCase[] = [
  ...wrong.map(([what, make, expected]) =>
    tortureCase("params", `the model sends ${what}`, (trial) => trial.once({}, make(), expected)),
  ),
  ...doubtful.map(([what, make]) =>
    tortureCase("params", `the model sends ${what} which may be understood`, async (trial) => {
      const given: unknown[] = [];
      const tool = await trial.prepare({ execute: (params) => (given.push(params), "found") });
      const { failed } = await trial.call(tool, make(), { maxLength: BRIEF });
      const isOslo = given.length === 1 && (given[0] as { city?: unknown }).city === "Oslo";
      trial.expect(failed ? given.length === 0 : isOslo, "Oslo for the tool, or a failure without it", given);
      trial.expect(!("polluted" in {}) && !("polluted" in Object(given[0])), "no pollution", given);
    }),
  ),
  tortureCase("params", "the model sends a text of 5 MB that is allowed", (trial) =>
    trial.once({}, { city: "x".repeat(5 * MB) }, { failed: false, runs: 1 }),
  ),
  tortureCase("params", "the model sends half a surrogate pair and a zero character", (trial) =>
    trial.once({}, '{"city":"\\ud800 \\u0000"}', { failed: false, runs: 1 }),
  ),
  tortureCase("params", "the model sends anything deep to a tool that takes anything", (trial) =>
    trial.once({ parameters: z.object({ any: z.unknown() }) }, { any: nested(100_000) }, {}),
  ),
  tortureCase(
    "params",
    "the tool empties what its schema let through, which is recorded as it was sent",
    async (trial) => {
      const sent = { any: ["Oslo"] };
      const parameters = z.object({ any: z.unknown() });
      const execute = (params: unknown): string => `${(params as typeof sent).any.splice(0).length}`;
      await trial.once({ parameters, execute }, sent, { failed: false, says: /1/, runs: 1 });
      const isKept = !trial.isRecording || JSON.stringify(trial.records).includes("Oslo");
      trial.expect(isKept, "what the model sent in the record", trial.records);
    },
  ),
  tortureCase("params", "the tool changes the parameters it was given", async (trial) => {
    const sent = { cities: ["Oslo", "Bergen"] };
    const parameters = z.object({ cities: z.array(z.string()) });
    const execute = (params: unknown): string => `${(params as typeof sent).cities.splice(0).length}`;
    await trial.once({ parameters, execute }, sent, { failed: false, says: /2/, runs: 1 });
    trial.expect(sent.cities.length === 2, "what the model sent as it was", sent);
  }),
];

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, index]));
}
