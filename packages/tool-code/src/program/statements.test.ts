import { expect, test } from "vitest";
import { statementsOf, tokensOf } from "./statements.ts";

test.each<readonly [name: string, code: string, statements: readonly string[]]>([
  ["semicolons", "a; b()", ["expression a", "expression b()"]],
  ["lines", "const a = 1\nlet b\nb = 2", ["declaration const a = 1", "declaration let b", "expression b = 2"]],
  ["lines that go on", "a\n  .b()\n  ?.c\n  + 1\nd", ["expression a\n  .b()\n  ?.c\n  + 1", "expression d"]],
  ["lines that ask for more", "const a =\n  1 +\n  2\na", ["declaration const a =\n  1 +\n  2", "expression a"]],
  ["a bracket that goes on with the line before", "const a = f\n(41)\n[0]", ["declaration const a = f\n(41)\n[0]"]],
  [
    "brackets after a block",
    "function f() {}\n(41)\nif (a) {}\n[1]",
    ["declaration function f() {}", "expression (41)", "control if (a) {}", "expression [1]"],
  ],
  ["a block that a value ends with", "const f = () => {}\nf()", ["declaration const f = () => {}", "expression f()"]],
  [
    "else, catch and while after blocks",
    "if (a) {} else {}\ntry {} catch {} finally {}\ndo {} while (a)\nb",
    ["control if (a) {} else {}", "control try {} catch {} finally {}", "control do {} while (a)", "expression b"],
  ],
  [
    "what belongs to the head of a loop",
    "for (const n of [1])\na += n\nfor await (const x of y)\nz()",
    ["control for (const n of [1])\na += n", "control for await (const x of y)\nz()"],
  ],
  [
    "words that declare only where a name follows",
    "type A = 1\ntype = 2\ninterface B {}\nasync function c() {}\nasync () => {}",
    [
      "declaration type A = 1",
      "expression type = 2",
      "declaration interface B {}",
      "declaration async function c() {}",
      "expression async () => {}",
    ],
  ],
  [
    "imports of every kind",
    "import a from 'a'\nimport('b')\nimport.meta.url",
    ["import import a from 'a'", "expression import('b')", "expression import.meta.url"],
  ],
  [
    "exports",
    "export const a = 1\nexport function b() {}\nexport { a }",
    ["export export const a = 1", "export export function b() {}", "export export { a }"],
  ],
  [
    "templates",
    "const a = `;\n${[1].map((x) => {\n  return `;${x}`;\n})};\n`\na",
    ["declaration const a = `;\n${[1].map((x) => {\n  return `;${x}`;\n})};\n`", "expression a"],
  ],
  [
    "regular expressions and divisions",
    "const a = /[;\\n{]/.test(b)\na / 2 / c\n",
    ["declaration const a = /[;\\n{]/.test(b)", "expression a / 2 / c"],
  ],
  ["comments", "a // b; c\n/* d;\n */ e", ["expression a", "expression e"]],
  [
    "types",
    "const a: Map<string, number[]> = new Map<string, number[]>()\nlet b = a as unknown as string\nb!",
    [
      "declaration const a: Map<string, number[]> = new Map<string, number[]>()",
      "declaration let b = a as unknown as string",
      "expression b!",
    ],
  ],
  [
    "a brace on its own line",
    "function a()\n{\n}\nclass B\n{\n}\na()",
    ["declaration function a()\n{\n}", "declaration class B\n{\n}", "expression a()"],
  ],
  ["a name that is asserted at the end of a line", "const a = b!\na", ["declaration const a = b!", "expression a"]],
])("statementsOf() divides at %s", (_, code, statements) => {
  const found = statementsOf(tokensOf(code)).map(
    ({ kind, tokens }) => `${kind} ${code.slice(tokens[0]?.start, tokens.at(-1)?.end)}`,
  );
  expect(found).toEqual(statements);
});

test("statementsOf() takes time linear in the program", () => {
  const code = "a = [1, { b: `x${2}` }]\n".repeat(20_000);
  expect(statementsOf(tokensOf(code))).toHaveLength(20_000);
});
