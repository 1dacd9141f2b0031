import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText, oneLine } from "./display.ts";

describe("cleanText()", () => {
  test("leaves no character that a terminal obeys, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(cleanText(text)).not.toMatch(/[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069\u2028\u2029]/u);
        expect(cleanText(`a${text}b`)).not.toMatch(/[\u{E0000}-\u{E0FFF}\u115F\u3164\u2060-\u206F]/u);
      }),
    );
  });

  test("leaves lines, tabs as spaces, and emoji of several parts", () => {
    expect(cleanText("a\n\tb 👩‍👩‍👧 ä")).toBe("a\n  b 👩‍👩‍👧 ä");
    expect(cleanText("\u001B[2J\r\u009B\u202E\u2066\u200B")).toBe("�[2J�����");
  });
});

describe("oneLine()", () => {
  test("makes one line of many", () => expect(oneLine(" a\r\n  b\tc ")).toBe("a b c"));
});
