import { expect, test } from "vitest";
import { LineNumbers } from "../text/line-numbers.ts";
import { explainNotFound } from "./explain-failure.ts";

const file = [
  "import x from 'x';",
  "",
  "function first() {",
  "\treturn 1;",
  "}",
  "",
  "function second() {",
  "\treturn compute(1, 2);",
  "}",
  "",
  'const label = "it\'s";  ',
  "last line",
].join("\n");
const how = { before: false, numbers: new LineNumbers() };
const explain = (oldText: string, before = false) => explainNotFound(file, oldText, { ...how, before });

test("explainNotFound() says what differs in the nearest region", () => {
  const cases: Readonly<Record<string, string>> = {
    "function first() {\n    return 1;\n}":
      "- lines 2 to 4: line 3: only the indentation differs, 1 tab in the file, 4 spaces in old_text",
    'const label = "it\u2019s";  ': "line 10: only the kind of quotes, dashes or spaces differs",
    "function second() {\n\treturn  compute(1,2);": "line 7: only the spacing differs",
    "FUNCTION first() {": "line 2: only upper and lower case differ",
    "\treturn compute(1, 3);": 'line 7: it differs from "2);" on',
    "return compute(1, 3);": '- line 7: it differs from "2);" on',
    "last line and more": "line 11: it ends where old_text goes on",
    "last line\nand one more": "line 12: old_text has a line there",
  };
  for (const [oldText, reason] of Object.entries(cases)) expect(explain(oldText), oldText).toContain(reason);
});

test("explainNotFound() shows what looks the same by its code", () => {
  const cases: readonly (readonly [file: string, oldText: string, shown: string])[] = [
    ["the cafe\u0301 is open", "the caf\u00e9 is open", "the cafe\\u0301 is open"],
    ["the caf\u00e9 is open", "the cafe\u0301 is open", "the caf\\u00e9 is open"],
    ["const na\u200bme = 1;", "const name = 1;", "const na\\u200bme = 1;"],
    ["a \u2013 b\u00a0c; d", "a - b c; e", "a \\u2013 b\\u00a0c; d"],
    ["x = \u{e0041}1 + 2;", "x = 1 + 2;", "x = \\udb40\\udc411 + 2;"],
  ];
  for (const [text, oldText, shown] of cases) expect(explainNotFound(text, oldText, how), oldText).toContain(shown);
});

test("explainNotFound() names the slips models make", () => {
  expect(explain("2\tfunction first() {\n3\t\treturn 1;")).toContain("carries the line numbers of read_file");
  expect(explain("function first() {\\n\\treturn 1;")).toContain("escaped once too often");
  expect(explain("last line\n")).toContain("ends there without a line break");
  expect(explain("x", true)).toContain("An earlier edit of this call changed it");
});

test("explainNotFound() names at most three regions, and says when nothing is like it", () => {
  const many = "alpha\nbeta\ngamma\n--\n".repeat(10);
  expect(explainNotFound(many, "alpha\nbeta\nchanged", how).match(/^- lines/gm)).toHaveLength(3);
  expect(explain("zzzzqqqq")).toContain("No line of the file is like it");
  expect(explainNotFound("", "anything", how)).toContain("No line of the file is like it");
});

test("explainNotFound() stays short for a long text", () => {
  const long = `${"x".repeat(100_000)}\n`.repeat(5);
  expect(explainNotFound(long, `${"x".repeat(50_000)}y${"x".repeat(49_999)}`, how).length).toBeLessThan(3000);
});
