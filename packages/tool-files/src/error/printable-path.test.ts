import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/any-text.ts";
import { printablePath, printableText } from "./printable-path.ts";

test("printablePath() is one line without anything unseen, and can be read back", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (path) => {
      const shown = printablePath(path);
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      expect(shown.startsWith('"') ? JSON.parse(shown) : shown).toBe(path);
    }),
  );
});

test("printablePath() leaves plain paths as they are", () => {
  for (const path of ["a.ts", "src/ünï/日本.txt", "with space/b (1).txt", "a[1].ts", "it's"])
    expect(printablePath(path)).toBe(path);
  for (const path of ["[note]", '"x"', " x", "x ", "a:1", "a\nb", "a\u202eb"])
    expect(printablePath(path)).toMatch(/^".*"$/);
});

test("printableText() keeps tabs and plain text alone", () => {
  expect(printableText("a\tb \u001b[0m é")).toBe("a\tb \\u001b[0m é");
});
