import fc from "fast-check";
import { expect, test } from "vitest";
import { LineEndView } from "./editable-text.ts";

const pieces = fc
  .array(fc.constantFrom("a", "\r\n", "\n", "\r", "bc", "\r\n\r\n"), { maxLength: 12 })
  .map((all) => all.join(""));

/** The place in a text of one in its view, found by counting. */
function originalOffset(original: string, offset: number): number {
  let removed = 0;
  for (let at = original.indexOf("\r\n"); at !== -1 && at - removed < offset; at = original.indexOf("\r\n", at + 2))
    removed += 1;
  return offset + removed;
}

function placesOf(view: LineEndView): number[] {
  return Array.from({ length: view.text.length + 1 }, (_, offset) => view.toOriginal(offset));
}

test("toOriginal() is the place before which the text has as many characters, CRLF counted as one", () => {
  fc.assert(
    fc.property(pieces, (original) => {
      const view = LineEndView.of(original);
      expect(view.text).toBe(original.replaceAll("\r\n", "\n"));
      expect(placesOf(view)).toEqual(placesOf(view).map((_, offset) => originalOffset(original, offset)));
    }),
  );
});

test("replaced() is the view of the text that was replaced, or none", () => {
  let derived = 0;
  fc.assert(
    fc.property(pieces, pieces, fc.nat(24), fc.nat(24), (original, piece, one, other) => {
      const [from, to] = [one, other].map((at) => Math.min(at, original.length)).toSorted((a, b) => a - b) as [
        number,
        number,
      ];
      const view = LineEndView.of(original).replaced(original, from, to, piece);
      if (view === undefined) return;
      derived += 1;
      const fresh = LineEndView.of(original.slice(0, from) + piece + original.slice(to));
      expect(view.text).toBe(fresh.text);
      expect(placesOf(view)).toEqual(placesOf(fresh));
    }),
    { numRuns: 1000 },
  );
  expect(derived).toBeGreaterThan(300);
});
