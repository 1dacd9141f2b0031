import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, cutEnd, cutMiddle, cutPath, wrapLine } from "./columns.ts";

const anyText = fc.string({ unit: "grapheme" });
const anyRoom = fc.integer({ min: 0, max: 60 });

describe("cutEnd(), cutMiddle() and cutPath()", () => {
  test("take no more columns than there are, whatever the text", () => {
    fc.assert(
      fc.property(anyText, anyRoom, (text, room) => {
        for (const cut of [cutEnd, cutMiddle, cutPath]) expect(columnsOf(cut(text, room))).toBeLessThanOrEqual(room);
      }),
    );
  });

  test.each([
    ["packages/tools-interface/src/registry/dispatch.ts", 30, "packages/tools-int…/dispatch.ts"],
    ["packages/tools-interface/src/registry/dispatch.ts", 12, "…/dispatch.ts"],
    ["a/very-long-name-of-a-file.test.ts", 15, "very-lo….test.ts"],
    ["../package.json", 11, "…ackage.json"],
    ["../package.json", 12, "…package.json"],
    ["src/main.ts", 30, "src/main.ts"],
    ["資料/資料/資料/名前.ts", 14, "資料/…/名前.ts"],
  ])("cutPath() keeps the name of %j in %i columns", (path, room, cut) => {
    expect(cutPath(path, room + 1)).toBe(cut);
  });

  test("cutMiddle() keeps both ends", () => expect(cutMiddle("0123456789", 5)).toBe("01…89"));
  test("cutEnd() counts wide characters twice", () => expect(cutEnd("字字字字", 6)).toBe("字字…"));
});

describe("wrapLine()", () => {
  test("breaks between words, and sets rows in behind a bullet", () => {
    expect(wrapLine("- one two three", 9)).toEqual(["- one two", "  three"]);
    expect(wrapLine("    one two", 13)).toEqual(["    one two"]);
    expect(wrapLine("  one two", 7)).toEqual(["  one", "  two"]);
  });

  test("is never wider than the screen, and loses nothing but spaces", () => {
    const letters = (text: string): string => text.replaceAll(/\s/g, "");
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b ", "字", "👩‍👩‍👧", " ", "- ") }), anyRoom, (text, room) => {
        const rows = wrapLine(text, room + 10);
        for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(room + 10);
        expect(letters(rows.join(""))).toBe(letters(text));
      }),
    );
  });
});
