import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/any-text.ts";
import { escapedText, escapedTextBytes } from "./line-search.ts";

const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
      fc.uint8Array(),
    ),
  )
  .map((parts) => Buffer.concat(parts));

test("escapedText() is UTF-8 where that is what the bytes are", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(escapedText(Buffer.from(text))).toBe(text);
    }),
  );
});

test("escapedText() loses no byte", () => {
  const back = (text: string) =>
    Buffer.concat(
      Array.from(text, (character) => {
        const code = character.codePointAt(0) ?? 0;
        return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character);
      }),
    );
  fc.assert(
    fc.property(bytes, (all) => {
      const text = escapedText(all);
      expect(back(text).equals(all)).toBe(true);
      expect(escapedTextBytes(text)).toBe(all.length);
    }),
  );
});
