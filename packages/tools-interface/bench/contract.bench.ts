import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isJsonObject } from "../src/json/json.ts";
import { nearMisses, valuesOf } from "../src/stubs/__fixtures__/schema-values.ts";
import { metric } from "./measure.ts";
import { judgedTools } from "./tool-corpus.ts";

/** Calls for each schema. */
const CALLS = 6;
/** Schemas made at random, besides those of the corpus. */
const GENERATED = 6_000;

const NAMES = ["extra", "dryRun", "x_1", "__proto__", "constructor", "a b", "arguments", "name"];

/** The value with a field that nobody asked for, in one of its objects. */
function withExtra(value: unknown): fc.Arbitrary<unknown> {
  if (!isJsonObject(value)) return fc.constant(value);
  const inner = Object.keys(value).filter((key) => isJsonObject(value[key]));
  const here = fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom<unknown>(1, "a", null, true, { b: 1 }))
    .map(([key, extra]) => Object.fromEntries([...Object.entries(value), [key, extra]]));
  const below = inner.map((key) => withExtra(value[key]).map((changed) => ({ ...value, [key]: changed })));
  return fc.oneof(here, ...below);
}

/** The verdict of ajv; `undefined` if it fails itself, as it does on values that hide the methods of every object. */
function verdict(accepts: (params: unknown) => unknown, params: unknown): boolean | undefined {
  try {
    return accepts(params) === true;
  } catch {
    return undefined;
  }
}

let calls = 0;
let valid = 0;
let dropped = 0;
let disagreements = 0;
const tools = judgedTools(GENERATED);
for (const [index, { schema, accepts, tools: byPolicy, received }] of tools.entries()) {
  const fitting = valuesOf(schema, schema);
  const sent = fc.oneof(fitting, fitting.chain(withExtra), fitting.chain(nearMisses));
  for (const params of fc.sample(sent, { numRuns: CALLS, seed: index })) {
    const isValid = verdict(accepts, params);
    if (isValid === undefined) continue;
    calls += 1;
    valid += isValid ? 1 : 0;
    const { success } = await byPolicy.off.validate(params);
    if (success !== isValid) {
      disagreements += 1;
      if (disagreements <= 5) console.error("disagreement", isValid, JSON.stringify(params), JSON.stringify(schema));
    }
    if (!isValid) continue;
    for (const tool of [byPolicy.safe, byPolicy.off]) {
      received.length = 0;
      const result = await tool.call(params);
      if (isDeepStrictEqual(received, [params]) && result.ignored.length === 0) continue;
      dropped += 1;
      if (dropped <= 5)
        console.error("dropped", tool.repair, JSON.stringify(params), String(result), JSON.stringify(schema));
    }
  }
}
metric("contract.schemas", tools.length, "schemas");
metric("contract.calls", calls, "calls");
metric("contract.valid", valid, "calls");
metric("contract.dropped", dropped, "calls");
metric("contract.disagreements", disagreements, "calls");
