import { cleanText } from "@dispatch/tools-interface/display";
import fc from "fast-check";
import { expect, test } from "vitest";
import { StreamedText } from "./streamed-text.ts";

function shownInPieces(pieces: readonly string[]): string {
  const text = new StreamedText();
  return pieces.map((piece) => text.add(piece)).join("");
}

test("StreamedText.add() shows an emoji and a word whole that come in pieces", () => {
  expect(shownInPieces(["🏳", "\uFE0F", "\u200D", "🌈 flag"])).toBe("🏳️‍🌈 flag");
  expect(shownInPieces(["👩\u200D", "👩", "\u200D👧", "\u200D👦"])).toBe("👩‍👩‍👧‍👦");
  expect(shownInPieces(["می\u200C", "خواهم"])).toBe("می\u200Cخواهم");
  expect(shownInPieces(["1", "\uFE0F", "\u20E3"])).toBe("1️⃣");
});

test("StreamedText.add() shows hidden characters as replacement characters, however they come", () => {
  expect(shownInPieces(["a\u200D", "b", "\u{E0041}", "\u001B", "[31m"])).toBe("a\u{FFFD}b\u{FFFD}\u{FFFD}[31m");
});

const symbols = [
  "👩",
  "🏳",
  "🏽",
  "🇩",
  "\uFE0F",
  "\u200D",
  "\u200C",
  "\u20E3",
  "1",
  "ی",
  "क",
  "a",
  "\t",
  "\n",
  "\u{E0041}",
  "\u001B",
];

test("StreamedText.add() shows a text in pieces as it shows it whole", () => {
  const pieces = fc.array(fc.array(fc.constantFrom(...symbols), { maxLength: 6 }).map((part) => part.join("")));
  fc.assert(
    fc.property(pieces, (parts) => {
      expect(shownInPieces([...parts, "end"])).toBe(cleanText(`${parts.join("")}end`));
    }),
    { numRuns: 2_000 },
  );
});
