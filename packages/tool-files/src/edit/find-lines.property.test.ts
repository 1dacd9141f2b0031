import fc from "fast-check";
import { expect, test } from "vitest";
import { simpleFindLines } from "../../test/simple-find-lines.ts";
import { findLines } from "./edit-match.ts";

const indent = fc.constantFrom("", "", "", " ", "  ", "\t", " \t");
const word = fc.constantFrom("", "a", "a", "a", "b", "}", "\u00a0");
const trail = fc.constantFrom("", "", " ", "\t");
const line = fc.tuple(indent, word, trail).map((parts) => parts.join(""));
const lines = (maxLength: number) => fc.array(line, { maxLength, size: "max" });

test("findLines() finds the places, indentations and order that comparing line by line finds", () => {
  let [hits, several, indented] = [0, 0, 0];
  fc.assert(
    fc.property(
      lines(30),
      lines(6),
      fc.nat(20),
      fc.integer({ min: 2, max: 4 }),
      indent,
      fc.nat(3),
      fc.boolean(),
      (all, other, from, length, by, how, marked) => {
        const text = all.join("\n");
        const piece = all.slice(from, from + length).join("\n");
        // A piece of the text as it is, indented more, indented less, or any other text.
        const wanted = [piece, piece.replace(/^/gm, by), piece.replace(/^[ \t]/gm, ""), other.join("\n")][how]!;
        const start = marked ? Math.min(1, text.length) : 0;
        const expected = simpleFindLines(text, start, wanted);
        expect(findLines(text, start, wanted)).toEqual(expected);
        const count = expected.trailing.length + expected.indented.length;
        hits += Number(count > 0);
        several += Number(count > 1);
        indented += Number(expected.indented.length > 0);
      },
    ),
    { numRuns: 5000 },
  );
  for (const count of [hits, several, indented]) expect(count).toBeGreaterThan(100);
});

test("findLines() finds what the simple search finds in lines that all are alike", () => {
  const same = (count: number, indented = "") => `${indented}x y\n${indented}z\n`.repeat(count);
  const texts = [
    same(40),
    same(40, "  "),
    same(20) + same(20, "\t"),
    `${same(30)}\n\n${same(30)}`,
    "x y\n".repeat(2500),
  ];
  const wanteds = [same(5), same(5, " "), `${same(9)}end\n`, `\n\n${same(3)}`, `${same(5)}\tx y`, "x y\nx y \n"];
  for (const text of texts)
    for (const wanted of wanteds) expect(findLines(text, 0, wanted)).toEqual(simpleFindLines(text, 0, wanted));
});
