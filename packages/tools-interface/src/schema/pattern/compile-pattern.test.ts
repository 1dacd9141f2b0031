import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePattern, createAutomaton, readPattern } from "./compile-pattern.ts";

/** A text long enough to show that an expression takes its square or more. */
const LONG = 30_000;

test.each([
  ["^(a+)+$", "a"],
  ["^(a|a)*$", "a"],
  ["^(a|aa)+$", "a"],
  [String.raw`^(\w+\s?)*$`, "a"],
  [String.raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*$`, "a"],
  [".*.*x", "a"],
  ["(?=(a+)+!)a", "a"],
  ["(?<=!(a+)+)b", "a"],
  ["a*a*a*a*b", "a"],
  ["[a-z]+[0-9]", "a"],
  ["^(?:a?){60}!$", "a"],
  [String.raw`\s+$`, " "],
])("compilePattern() of %j answers soon for a long text that does not match", (source, character) => {
  expect(compilePattern(source)(`${character.repeat(LONG)}\n!`)).toBe(false);
});

test.each([
  [String.raw`^(?!.*--)[a-z0-9]+(?:-[a-z0-9]+)*$`, "a-b-1", true],
  [String.raw`^(?!.*--)[a-z0-9]+(?:-[a-z0-9]+)*$`, "a--b", false],
  [String.raw`^(?=.*[A-Z])(?=.*\d).{8,}$`, "Passw0rds", true],
  [String.raw`^(?=.*[A-Z])(?=.*\d).{8,}$`, "password1", false],
  [String.raw`(?<=\$)\d+(?!\d|%)\b`, "costs $42.", true],
  [String.raw`(?<!\$)\b\d+$`, "costs $42", false],
  [String.raw`^\ud83d\ude00{2}$`, "😀😀", true],
  [String.raw`^[^\]x\p{Lu}]+$`, "é😀", true],
  ["^.$", "\n", false],
  ["^.{2}$", "😀é", true],
  ["^(?:(?:a{2}){2}){1,2}$", "aaaaaaaa", true],
  ["(?:)*$", "", true],
  ["a||b", "x", true],
] as const)("an automaton of %j and %j answers %j", (source, text, matches) => {
  expect(createAutomaton(readPattern(source)!)!(text)).toBe(matches);
  expect(new RegExp(source, "u").test(text)).toBe(matches);
});

test.each(["[^a](?<!a)$", "[^a]($){2,}"])(
  "an automaton finds the match of %s after a pair of surrogates that V8 misses",
  (source) => {
    expect(createAutomaton(readPattern(source)!)!("😀")).toBe(true);
  },
);

const leaf = fc.constantFrom(
  "a",
  "b",
  ".",
  "[ab]",
  "[^a]",
  String.raw`\d`,
  String.raw`\w`,
  String.raw`\W`,
  "é",
  "😀",
  String.raw`\u{1F600}`,
  "^",
  "$",
  String.raw`\b`,
  String.raw`\B`,
  String.raw`[\]a]`,
  String.raw`\p{L}`,
  String.raw`\n`,
  "",
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(tie("expression"), tie("expression")).map(([one, next]) => one + next),
    fc.tuple(tie("expression"), tie("expression")).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie("expression"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "{0}"))
      .map(([one, sign]) => `(${one})${sign}`),
    fc
      .tuple(fc.constantFrom("?=", "?!", "?<=", "?<!", "?<n>"), tie("expression"))
      .map(([head, one]) => (head === "?<n>" ? `(?:${one})` : `(${head}${one})`)),
  ),
}));

/**
 * With a symbol of one code unit in the place of a pair of surrogates: V8 finds empty matches inside of pairs, where the
 * standard has no place, and misses some of lookbehinds and of repeated ends after them.
 */
function withoutPairs(text: string): string {
  return text.replaceAll("😀", "☺").replaceAll(String.raw`\u{1F600}`, "☺");
}

test("an automaton answers as the engine of JavaScript does", () => {
  const text = fc.array(fc.constantFrom("a", "b", "1", " ", "é", "😀", "\n", "]"), { maxLength: 7 });
  fc.assert(
    fc.property(expression, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      const automaton = createAutomaton(readPattern(source)!);
      for (const one of texts.map((parts) => parts.join(""))) {
        const found = new RegExp(withoutPairs(source), "u").test(withoutPairs(one));
        expect([source, one, automaton?.(one)]).toEqual([source, one, found]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("compilePattern() answers as the engine of JavaScript does", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "1"), maxLength: 9 });
  fc.assert(
    fc.property(expression, text, (source, one) => {
      expect([source, one, compilePattern(source)(one)]).toEqual([source, one, new RegExp(source, "u").test(one)]);
    }),
  );
});

test.each([
  [String.raw`^(a+)+\1$`, "a".repeat(LONG)],
  [String.raw`^(?<x>a|aa)+\k<x>$`, "a".repeat(100)],
  ["(?:a{99}){99}b|(x+x+)+y", "a".repeat(LONG)],
  [`${"(?:".repeat(60)}a${")*".repeat(60)}`, "a".repeat(LONG)],
])("compilePattern() of %j throws for a text that may take long", (source, text) => {
  expect(() => compilePattern(source)(text)).toThrow(
    /^a text of \d+ characters is too long to be checked against the pattern "/,
  );
  expect(compilePattern(source)("a")).toBe(new RegExp(source, "u").test("a"));
});

test("compilePattern() takes texts of any length for an expression that goes through them once", () => {
  const long = "a".repeat(300_000);
  for (const source of ["^[a-z]+$", "^.{1,500000}$", "b|a$", "^(?:a{3})+$"])
    expect([source, compilePattern(source)(long)]).toEqual([source, new RegExp(source, "u").test(long)]);
});

test("compilePattern() throws for what is no expression in Unicode mode", () => {
  expect(() => compilePattern(String.raw`[\w-.]`)).toThrow(SyntaxError);
});
