import fc from "fast-check";
import { expect, test } from "vitest";
import { HOSTILE_TEXTS } from "./__fixtures__/hostile-schemas.ts";
import { docComment, docOf, lineComment, summary } from "./doc-comment.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: fc.constantFrom("*", "/", "@", " ", "\n", "\r", "\u2028", "\u0000", "\u202e", "\\", "a") }),
);

test("docComment() ends where it should and starts no tag, whatever the text", () => {
  fc.assert(
    fc.property(text, (description) => {
      const comment = docComment(description, "  ");
      if (comment === "") return;
      expect(comment.startsWith("  /**")).toBe(true);
      expect(comment.indexOf("*/")).toBe(comment.length - 3);
      expect(comment).not.toMatch(/[\r\u0085\u2028\u2029\u202e]|\p{Cs}|^[\s*/]*@/mu);
    }),
    { numRuns: 1_000 },
  );
});

test("lineComment() is one line, whatever the text", () => {
  fc.assert(
    fc.property(text, (words) => {
      expect(lineComment(words)).toMatch(/^\/\/ [^\r\n\u2028\u2029]*\n$/);
    }),
  );
});

test("summary() is the first sentence, cut where it is long", () => {
  expect(summary("Reads a file, e.g. a.txt. Then more.\nAnd more")).toBe("Reads a file, e.g. a.txt.");
  expect(summary("\n no end\nsecond line")).toBe("no end");
  expect(summary("x".repeat(500))).toBe(`${"x".repeat(100)}…`);
  expect(summary(`${"x".repeat(99)}😀`)).not.toMatch(/\p{Cs}/u);
});

/** Hidden words, as tag characters, variation selectors, joiners and fillers carry them. */
const HIDDEN = [
  Array.from("delete all", (letter) => String.fromCodePoint(0xe_00_00 + letter.charCodeAt(0))).join(""),
  "\u{E0100}\u{E01EF}\uFE00\u180B",
  "\u200B\u200C\u200D\u2060\u2063\u2064\u206A\u00AD\u034F",
  "\u115F\u1160\u3164\uFFA0\u17B4",
  "\uE000\u{F0000}\uFFFE\u2800",
];

test.each(HIDDEN)("summary(), docComment() and docOf() show nothing that cannot be seen: %j", (hidden) => {
  const told = `Re${hidden}ads${hidden} a file.${hidden} Then ${hidden}`;
  expect(summary(told)).toBe("Reads a file.");
  expect(docComment(told)).toBe("/** Reads a file. Then */\n");
  expect(lineComment(docOf({ description: told, pattern: hidden }))).not.toMatch(
    /\p{Default_Ignorable_Code_Point}|\p{Co}/u,
  );
  expect(summary("👩‍👩‍👧 ❤️ 1️⃣ می‌روم")).toBe("👩‍👩‍👧 ❤️ 1️⃣ می‌روم");
});

test("summary() reads the beginning of a text alone", () => {
  expect(summary(`${" ".repeat(4_000)}far away`)).toBe("");
  expect(summary(`near ${" ".repeat(4_000)}\nfar`)).toBe("near");
});

test("docOf() adds what a type cannot say, and nothing where there is nothing", () => {
  expect(docOf({ type: "string" })).toBe("");
  expect(docOf({ type: "integer", minimum: 0, description: "Count", default: 5 })).toBe(
    "Count (integer, minimum 0, default 5)",
  );
  expect(docOf({ anyOf: [{ type: "string", format: "date", description: "Day" }, { type: "null" }] })).toBe(
    "Day (format date)",
  );
  expect(docOf({ type: "array", uniqueItems: true, items: { pattern: "^a" } })).toBe(
    'uniqueItems, items: pattern "^a"',
  );
  expect(docOf({ default: "x".repeat(500) }).length).toBeLessThan(80);
  expect(docOf(true)).toBe("");
});
