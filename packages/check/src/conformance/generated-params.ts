import type { JsonSchema } from "@dispatch/tools-interface";
import { isJsonObject } from "@dispatch/tools-interface/internal";
import type { Arbitrary } from "fast-check";
import type { ConformancePlan } from "../conformance-options.ts";

type FastCheck = typeof import("fast-check");

/** Texts that tools have been broken with: paths, markup, control characters, numbers that are none. */
const ODD_TEXTS = [
  "",
  " ",
  "../../../../etc/passwd",
  "/etc/passwd",
  "C:\\Windows",
  "a\u0000b",
  "\uD800",
  "__proto__",
  "constructor",
  "$(id)",
  "'; DROP TABLE x; --",
  "{{7*7}}",
  "(a+)+$",
  "NaN",
  "1e999",
  "x".repeat(10_000),
];
const ODD_NUMBERS = [-1, 0, -0, 0.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308];

/** Parameters that a model might send: any JSON, any JSON under the tool's own names, and examples with a change. */
function generatedParams(fc: FastCheck, schema: JsonSchema, examples: readonly unknown[]): Arbitrary<unknown> {
  const anyJson = fc.oneof(fc.jsonValue(), fc.constantFrom(...ODD_TEXTS), fc.constantFrom(...ODD_NUMBERS));
  const properties = isJsonObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  // A property may be called __proto__: a record would set the prototype instead.
  const named = fc
    .array(fc.tuple(fc.constantFrom("extra", ...properties), anyJson), { maxLength: properties.length + 1 })
    .map((entries) => Object.fromEntries(entries));
  const changed = fc
    .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat(4), anyJson)
    .map(([example, place, how, value]) => changedAt(example, place, how, value));
  return fc.oneof(anyJson, named, { arbitrary: changed, weight: 3 });
}

/** A copy of an example, changed at one of its places: replaced, left out, as text, in an array, or with a field more. */
function changedAt(example: unknown, place: number, how: number, value: unknown): unknown {
  const copy = structuredClone(example);
  const places = placesIn(copy);
  const at = places[place % Math.max(places.length, 1)];
  if (at === undefined) return value;
  const { holder, key } = at;
  const old = holder[key];
  if (how === 1) Reflect.deleteProperty(holder, key);
  else {
    const changes = [value, undefined, JSON.stringify(old), [old], isJsonObject(old) ? { ...old, extra: value } : null];
    Object.defineProperty(holder, key, { value: changes[how], enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

interface PlaceIn {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): readonly PlaceIn[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Longer than this no made-up parameters are tried, in milliseconds: tools that run may be slow. */
const MAX_TOTAL_MS = 10_000;

/** Tries a rule with generated parameters; the error shows the smallest ones that break it. */
export async function holdsForGenerated(
  { tool, params, seed }: ConformancePlan,
  numRuns: number,
  rule: (sent: unknown) => Promise<void>,
): Promise<void> {
  const fc = await import("fast-check");
  await fc.assert(fc.asyncProperty(generatedParams(fc, tool.parameters, params), rule), {
    numRuns,
    interruptAfterTimeLimit: MAX_TOTAL_MS,
    ...(seed !== undefined && { seed }),
  });
}
