import fc from "fast-check";
import { expect, test } from "vitest";
import { textOfPattern } from "./pattern-text.ts";

test.each([
  [String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`, "1.1.1.1"],
  [String.raw`^\d{4}-\d{2}-\d{2}$`, "1111-11-11"],
  ["^[A-Z]{2,5}$", "AA"],
  ["^(?:get|set)_(?<name>[a-z]+)$", "get_a"],
  [String.raw`^https?:\/\/[\w.-]+(?:\/.*)?$`, "http://a"],
  [String.raw`^\+?[1-9]\d{1,14}$`, "11"],
  [String.raw`^#[\dA-Fa-f]{6}$`, "#aaaaaa"],
  [String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, "a@a.a"],
  [String.raw`^\p{Lu}\u0041\x42\u{43}$`, "AABC"],
  [String.raw`^(?=.*x)(?!y)[\]\-x]\b$`, "-"],
  ["", ""],
  ["a|", "a"],
] as const)("textOfPattern() reads %j", (pattern, text) => {
  expect(textOfPattern(pattern)).toBe(text);
});

test("textOfPattern() repeats more where it is asked to, and where it may be", () => {
  expect(textOfPattern("^[a-z]+x?y*z{2,4}$", 2)).toBe("aaaxyyzzzz");
});

test.each([
  "^(a+)+$x",
  "^(a|a)*$x",
  "^(a|a){30}$x",
  "^((a|b)?){40}x$",
  "(a?){50}b",
  String.raw`^(\w+\s?)*$`,
  "(?:a|aa)+$b",
  "(?=(a+)+$)x",
  "(a|a)?".repeat(30),
  "a*".repeat(10),
])("textOfPattern() does not read %j, which may take long to match", (pattern) => {
  expect(textOfPattern(pattern)).toBeUndefined();
});

test.each(["(", "[", String.raw`\1`, "a{100}", "(".repeat(1_000), "a".repeat(10_000), "(a{9}){9}", "[^]{81}", "*"])(
  "textOfPattern() makes no text of %j, or one that can be checked",
  (pattern) => {
    const text = textOfPattern(pattern);
    expect(text === undefined || text.length <= 80).toBe(true);
  },
);

test("textOfPattern() comes to an end for any text", () => {
  const part = fc.constantFrom(
    "(",
    ")",
    "[",
    "]",
    "{2,3}",
    "*",
    "+",
    "?",
    "|",
    "\\",
    "a",
    "\\d",
    "(?:",
    "(?=",
    ".",
    "^",
    "é",
    "😀",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = textOfPattern(parts.join(""));
      expect(text === undefined || text.length <= 80).toBe(true);
    }),
    { numRuns: 500 },
  );
});
