import { expect, test } from "vitest";
import { arePlainRules } from "./plain-rules.ts";

test("arePlainRules() knows the rules that are written most", () => {
  const plain = "# a comment\n\nnode_modules/\n*.log\n!keep.log\n/dist\n**/tmp\nsrc/**/gen-*.ts\r\n.env.*\n*~\n**";
  expect(arePlainRules(plain)).toBe(true);
});

test.each([
  "[ab]",
  "a\\*",
  "a b",
  "a ",
  " a",
  "a?",
  "{a,b}",
  "!",
  "/",
  "./a",
  "a/../b",
  "a//b",
  "a**",
  "*a*a*a*a",
  "**/**/**/**/a",
  "\ufeffa",
  "ä",
  "!!a",
  "a".repeat(1001),
])("arePlainRules() takes %j for no plain rule", (rule) => expect(arePlainRules(`*.log\n${rule}\n`)).toBe(false));
