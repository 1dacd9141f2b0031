import fc from "fast-check";
import { expect, test } from "vitest";
import { editsOverlap } from "./make-edit.ts";

const overlap = (base: string, one: string, other: string) =>
  editsOverlap(Buffer.from(base), Buffer.from(one), Buffer.from(other));

test("editsOverlap() tells changes of the same lines from changes beside each other", () => {
  const base = "a\nb\nc\nd\n";
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["a\nB\nc\nd\n", "a\nb\nC\nd\n", false],
    ["a\nB\nc\nd\n", "a\nx\nc\nd\n", true],
    ["a\nB\nc\nd\n", "a\nc\nd\n", true],
    ["a\nx\nb\nc\nd\n", "a\ny\nb\nc\nd\n", true],
    ["a\nx\nb\nc\nd\n", "a\nb\ny\nc\nd\n", false],
    ["a\nX\nd\n", "a\nb\nnew\nc\nd\n", true],
    ["a\nx\nB\nc\nd\n", "A\nb\nc\nd\n", false],
    [base, "x", false],
  ];
  for (const [one, other, expected] of cases) {
    expect(overlap(base, one, other), JSON.stringify([one, other])).toBe(expected);
    expect(overlap(base, other, one), JSON.stringify([other, one])).toBe(expected);
  }
});

test("editsOverlap() finds no overlap when each changes lines of its own", () => {
  const some = fc.array(fc.constantFrom("x", "y", ""), { maxLength: 4 });
  fc.assert(
    fc.property(some, some, fc.nat(9), fc.nat(9), (mine, theirs, first, second) => {
      fc.pre(Math.abs(first - second) > 1);
      const base = Array.from({ length: 10 }, (_, index) => `line ${index}`);
      const put = (at: number, lines: readonly string[]) => base.toSpliced(at, 1, ...lines).join("\n");
      expect(overlap(base.join("\n"), put(first, mine), put(second, theirs))).toBe(false);
      expect(overlap(base.join("\n"), put(first, ["a"]), put(first, ["b"]))).toBe(true);
    }),
  );
});

test("editsOverlap() takes what is too different to compare for an overlap", () => {
  const many = (letter: string) => `${letter}\n`.repeat(5000);
  expect(overlap(many("a"), many("b"), `${many("a")}c`)).toBe(true);
});
