import fc from "fast-check";
import { expect, test } from "vitest";
import { toUnifiedDiff } from "./unified-diff.ts";

const diff = (before: string, after: string): string =>
  toUnifiedDiff({ name: "old", text: before }, { name: "new", text: after });

test("toUnifiedDiff() shows the change with three lines of context", () => {
  expect(diff("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9")).toBe(
    "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
  );
});

test("toUnifiedDiff() counts from 0 when one side is empty", () => {
  expect(diff("", "a\nb")).toBe("--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b");
  expect(diff("a", "")).toBe("--- old\n+++ new\n@@ -1,1 +0,0 @@\n-a");
});

test("toUnifiedDiff() is empty when nothing changed", () => {
  expect(diff("a\nb", "a\nb")).toBe("");
});

test("toUnifiedDiff() gives a hunk that, applied to the old text, makes the new one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "", "-c", "+d"), { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before !== after) expect(applyHunk(before, diff(before, after))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

function applyHunk(before: string, patch: string): string {
  const [, , header, ...body] = patch.split("\n");
  const [, start, removed] = /^@@ -(\d+),(\d+) /.exec(header ?? "") ?? [];
  const old = before === "" ? [] : before.split("\n");
  const from = Number(removed) === 0 ? Number(start) : Number(start) - 1;
  const expected = body.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
  expect(old.slice(from, from + Number(removed))).toEqual(expected);
  const kept = body.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
  return [...old.slice(0, from), ...kept, ...old.slice(from + Number(removed))].join("\n");
}
