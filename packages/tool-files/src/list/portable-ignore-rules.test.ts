import { expect, test } from "vitest";
import { arePortableRules } from "./ignore-rules.ts";

test("arePortableRules() knows the rules that are written most", () => {
  const plain =
    "# a comment\n\nnode_modules/\n*.log\n!keep.log\n/dist\n**/tmp\nsrc/**/gen-*.ts\r\n.env.*\n*~\n**\n[Dd]ebug/\n!?*.[Cc]ache/\n~$*\n*- [Bb]ackup ([0-9]).rdl\nGenerated\\ Files/";
  expect(arePortableRules(plain)).toBe(true);
});

test.each([
  "[!ab]",
  "[a-",
  "a\\*",
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
])("arePortableRules() takes %j for no plain rule", (rule) => expect(arePortableRules(`*.log\n${rule}\n`)).toBe(false));
