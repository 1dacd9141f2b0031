import fc from "fast-check";
import { expect, it } from "vitest";
import { toTermCode, toTermCodes } from "./term-codes.ts";

it("toTermCodes() gives the code of each term, in order, whatever spaces are between", () => {
  const term = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes(" "));
  fc.assert(
    fc.property(fc.array(term), fc.integer({ min: 1, max: 3 }), (terms, spaces) => {
      expect([...toTermCodes(terms.join(" ".repeat(spaces)))]).toStrictEqual(terms.map(toTermCode));
    }),
  );
});

it("toTermCodes() tells 200,000 different terms apart but for a few", () => {
  const terms = Array.from({ length: 200_000 }, (_, n) => `w${n.toString(36)}`);
  expect(new Set(toTermCodes(terms.join(" "))).size).toBeGreaterThan(199_980);
});
