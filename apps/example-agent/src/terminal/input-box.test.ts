import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf } from "./columns.ts";
import { draftOf } from "./draft.ts";
import { layOut } from "./input-box.ts";

describe("layOut()", () => {
  test("breaks what is typed at columns, and says where the cursor is", () => {
    expect(layOut("› ", draftOf("字字字字字"), 12)).toEqual({ rows: ["› 字字字字", "  字"], row: 1, column: 4 });
    expect(layOut("› ", { text: "one\ntwo", at: 3 }, 80)).toEqual({ rows: ["› one", "  two"], row: 0, column: 5 });
    expect(layOut("› ", draftOf("one\n"), 80)).toEqual({ rows: ["› one", "  "], row: 1, column: 2 });
  });

  test("breaks a long prompt between words, and gives the answer a row of its own", () => {
    expect(layOut("  yes, no, later? ", draftOf("y"), 20)).toEqual({
      rows: ["  yes, no, later? ", "  y"],
      row: 1,
      column: 3,
    });
  });

  test("is small and inside of the screen whatever is typed or pasted, and holds no control character", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme-ascii", minLength: 3_000, maxLength: 4_000 }),
    );
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 20, max: 120 }), (typed, at, width) => {
        const { rows, row, column } = layOut("› ", { text: typed, at: at % (typed.length + 1) }, width);
        expect(rows.length).toBeLessThanOrEqual(8);
        expect(rows[row]).toBeDefined();
        expect(column).toBeLessThan(width);
        for (const one of rows) {
          expect(columnsOf(one)).toBeLessThanOrEqual(width);
          expect(one).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });
});
