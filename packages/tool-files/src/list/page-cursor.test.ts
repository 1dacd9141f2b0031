import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/any-text.ts";
import { fromCursor, toCursor } from "./list-page.ts";

test("fromCursor() gives back what toCursor() was given, which is one plain word", () => {
  const path = fc.string({ minLength: 1, unit: anyCharacter });
  fc.assert(
    fc.property(fc.integer(), path, (key, place) => {
      const cursor = toCursor({ key, path: place });
      expect(cursor).toMatch(/^[\w.!~*'()%/:-]+$/);
      expect(fromCursor(cursor, "Cannot list")).toEqual({ key, path: place });
    }),
  );
});
