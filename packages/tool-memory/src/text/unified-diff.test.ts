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

test("toUnifiedDiff() shows changes in line 3 and in line 90 as two hunks with context", () => {
  const lines = Array.from({ length: 100 }, (_, n) => `${n + 1}`);
  const changed = lines.with(2, "three").with(89, "ninety");
  expect(diff(lines.join("\n"), changed.join("\n"))).toBe(
    [
      "--- old\n+++ new",
      "@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6",
      "@@ -87,7 +87,7 @@\n 87\n 88\n 89\n-90\n+ninety\n 91\n 92\n 93",
    ].join("\n"),
  );
});

test("toUnifiedDiff() replaces all lines of two very different texts", () => {
  const [before, after] = ["a", "b"].map((name) => Array.from({ length: 2_000 }, (_, n) => `${name}${n}`).join("\n"));
  const patch = diff(before ?? "", after ?? "");
  expect(patch).toMatch(/^--- old\n\+\+\+ new\n@@ -1,2000 \+1,2000 @@\n-a0\n-a1\n/);
  expect(applyHunks(before ?? "", patch)).toBe(after);
});

test("toUnifiedDiff() gives hunks that, applied to the old text, make the new one", () => {
  const line = fc.constantFrom("a", "b", "", "-c", "+d", "e\r", " f", "\\ No newline at end of file");
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before !== after) expect(applyHunks(before, diff(before, after))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

/** Applies hunks and checks their ranges, their removed lines and their context. */
function applyHunks(before: string, patch: string): string {
  const old = before === "" ? [] : before.split("\n");
  const now: string[] = [];
  const rest = patch.split("\n").slice(2);
  let at = 0;
  while (rest.length > 0) {
    const [start = 0, removed = 0, , added = 0] =
      /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/
        .exec(rest.shift() ?? "")
        ?.slice(1)
        .map(Number) ?? [];
    const from = removed === 0 ? start : start - 1;
    now.push(...old.slice(at, from));
    at = from;
    for (let [left, right] = [removed, added]; left > 0 || right > 0;) {
      const line = rest.shift() ?? "";
      if (line[0] !== "+") expect([old[at++], left-- > 0]).toEqual([line.slice(1), true]);
      if (line[0] !== "-") now.push(line.slice(1));
      if (line[0] !== "-") right--;
    }
  }
  return [...now, ...old.slice(at)].join("\n");
}
