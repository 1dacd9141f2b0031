import fc from "fast-check";
import { expect, test } from "vitest";
import { includesText, textOffsets } from "./text-offsets.ts";

function simpleOffsets(text: string, wanted: string): number[] {
  const offsets: number[] = [];
  for (let at = 0; at + wanted.length <= text.length; at += 1) if (text.startsWith(wanted, at)) offsets.push(at);
  return offsets;
}

test("textOffsets() finds what the simple search finds, however much both repeat themselves", () => {
  const piece = fc.constantFrom("a", "b", "ab", "a".repeat(20), "ab".repeat(20), "a".repeat(33), "\n");
  const joined = (maxLength: number) => fc.array(piece, { maxLength }).map((all) => all.join(""));
  fc.assert(
    fc.property(joined(30), joined(8), fc.nat(40), fc.nat(80), (text, other, from, length) => {
      // Half of them are pieces of the text.
      const wanted = from % 2 === 0 ? text.slice(from, from + length) : other;
      fc.pre(wanted !== "");
      const expected = simpleOffsets(text, wanted);
      expect([...textOffsets(text, wanted)]).toEqual(expected);
      expect(includesText(text, wanted)).toBe(expected.length > 0);
    }),
    { numRuns: 2000 },
  );
});

test("textOffsets() finds all places of a long text that overlaps itself", () => {
  const text = `${"a".repeat(5000)}b${"a".repeat(5000)}`;
  for (const wanted of ["a".repeat(2500), `${"a".repeat(2000)}b`, `b${"a".repeat(4000)}`, "ab".repeat(500)])
    expect([...textOffsets(text, wanted)]).toEqual(simpleOffsets(text, wanted));
});
