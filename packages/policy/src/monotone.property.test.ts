import fc from "fast-check";
import { expect, test } from "vitest";
import { brokenPromise, judgedCalls, ruleSets } from "./__fixtures__/random-policies.ts";

test("an added allow never widens a deny or an ask, an added deny or ask never allows, and order means nothing", () => {
  fc.assert(
    fc.property(ruleSets, judgedCalls, (rules, call) => {
      expect(brokenPromise(rules, call)).toBeUndefined();
    }),
    { numRuns: 400 },
  );
});
