import fc from "fast-check";
import { expect, test } from "vitest";
import { truncateText } from "./truncate-text.ts";

test("truncateText() never cuts a character in two", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, maxChars) => {
      const cut = truncateText(text, maxChars);
      expect(cut.length).toBeLessThanOrEqual(maxChars);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});
