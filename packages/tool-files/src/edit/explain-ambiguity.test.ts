import { expect, test } from "vitest";
import { LineNumbers } from "../text/line-numbers.ts";
import { findEditMatches } from "./edit-match.ts";
import { editableText } from "./editable-text.ts";
import { explainAmbiguity } from "./explain-failure.ts";

const explain = (content: string, old: string) => {
  const file = editableText(Buffer.from(content));
  return explainAmbiguity(file, findEditMatches(file, old)!, new LineNumbers());
};

test("explainAmbiguity() names every line and the least context that makes each place unique", () => {
  const file = "begin\nfoo();\nend\nbegin\nfoo();\nother\nx = foo();\n";
  expect(explain(file, "foo();").split("\n")).toEqual([
    "is there 3 times, beginning at lines 1, 4, 6 (0-based), nothing was changed; add lines before or after it until it is there once, or set replace_all to replace each:",
    '- line 1: unique with the line after it, to "end"',
    '- line 4: unique with the line after it, to "other"',
    '- line 6: unique with the rest of its line, "x = foo();"',
  ]);
});

test("explainAmbiguity() goes as far as needed, and says when that is too far", () => {
  const block = "a\nb\nfoo();\nb\na\n";
  expect(explain(`1\n${block}2\n${block}3\n`, "foo();")).toContain(
    '- line 3: unique with the 3 lines before it, from "1"',
  );
  const same = "x\n".repeat(9);
  expect(explain(`${same}foo();\n${same}${same}foo();\n${same}`, "foo();")).toContain("5 lines before or after it");
});

test("explainAmbiguity() is true of what it proposes", () => {
  const file = "a\r\nfoo();\r\nb\r\na\nfoo();\nc\nfoo();";
  for (const hint of explain(file, "foo();").split("\n").slice(1)) {
    const [, line, side, context] = /line (\d+): unique with the line (before|after) it, (?:from|to) (".*")$/.exec(
      hint,
    )!;
    const other = JSON.parse(context!) as string;
    const old = side === "before" ? `${other}\nfoo();` : `foo();\n${other}`;
    expect(findEditMatches(editableText(Buffer.from(file)), old)?.places, `${line} ${old}`).toHaveLength(1);
  }
});

test("explainAmbiguity() says what was left aside, and stays short", () => {
  expect(explain("  aa bb\n  cc\n    aa bb\n    cc\n", "aa bb\ncc\n")).toMatch(
    /^is not there exactly; leaving indentation aside, it is there 2 times/,
  );
  const many = explain("word\n".repeat(20_000), "word");
  expect(many).toContain("10000 times or more");
  expect(many.length).toBeLessThan(3000);
});
