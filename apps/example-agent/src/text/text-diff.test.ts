import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textDiff } from "./text-diff.ts";

describe("textDiff()", () => {
  test("shows the lines that changed with those around them", () => {
    expect(textDiff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nD\ne\nf\n")).toEqual([" b", " c", "-d", "+D", " e", " f"]);
    expect(textDiff("", "new")).toEqual(["+new"]);
    expect(textDiff("a", "a\nb")).toEqual([" a", "+b"]);
    expect(textDiff("same", "same")).toEqual([]);
  });

  test("shows changes that lie apart as hunks", () => {
    const lines = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const changed = ["A", "b", "c", "d", "e", "f", "g", "H"];
    expect(textDiff(lines.join("\n"), changed.join("\n"))).toEqual([
      "-a",
      "+A",
      " b",
      " c",
      "@@",
      " f",
      " g",
      "-h",
      "+H",
    ]);
  });

  test("takes away what was there and adds what is there, whatever the texts", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "-d", "+e", " f"), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rows = textDiff(before.join("\n"), after.join("\n"));
        const hunks = rows
          .join("\n")
          .split("\n@@\n")
          .map((hunk) => hunk.split("\n"));
        for (const hunk of hunks) {
          const only = (...signs: string[]): string[] =>
            hunk.filter((row) => signs.includes(row.slice(0, 1))).map((row) => row.slice(1));
          expect(before.join("\n")).toContain(only(" ", "-").join("\n"));
          expect(after.join("\n")).toContain(only(" ", "+").join("\n"));
        }
        if (before.join("\n") !== after.join("\n")) expect(rows.some((row) => /^[+-]/.test(row))).toBe(true);
      }),
    );
  });

  test("lists all lines of texts that differ in too many to look for the shortest", () => {
    const lines = (sign: string) => Array.from({ length: 20_000 }, (_, line) => `${sign} ${line}`).join("\n");
    const rows = textDiff(lines("old"), lines("new"));
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([40_000, "-old 0", "+new 19999"]);
  });
});
