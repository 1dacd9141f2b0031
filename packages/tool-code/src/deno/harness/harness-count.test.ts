import fc from "fast-check";
import { expect, test } from "vitest";
import { harnessCount } from "./harness-count.ts";

function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countOf(inner), 1);
}

test("harnessCount() counts each value once, whatever the texts hold", () => {
  const countsMore = harnessCount();
  const text = fc.string({ unit: fc.constantFrom('"', "\\", ",", "[", "{", "a"), maxLength: 6 });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, 1, true),
      text,
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(text, tie("value"), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(value, (data) => {
      const json = JSON.stringify(data);
      const count = countOf(JSON.parse(json));
      expect([countsMore(json, count), count > 1 && countsMore(json, count - 1)]).toEqual([false, count > 1]);
    }),
    { numRuns: 1_000 },
  );
});
