import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sandbox, temporaryDirectory } from "./sandbox.ts";

const cwd = temporaryDirectory();
const run = sandbox({ cwd });
const main = "async function main() {\n  const n = await __callTool__('n', {});\n  return n + 1;\n}\n";
const callTool = async (_: string, params: unknown) => ((params as { n?: number }).n ?? 40) + 1;

/** Programs as models write them, and the value that their authors meant. */
describe("execute() gives a program of a model the value it means:", () => {
  test.each<readonly [name: string, code: string, value: unknown]>([
    ["main() as the last statement", `${main}main();`, 42],
    ["main() without a semicolon", `${main}\nmain()\n`, 42],
    ["await main()", `${main}await main();`, 42],
    ["return main()", `${main}return main();`, 42],
    ["main().catch(console.error)", `${main}main().catch(console.error);`, 42],
    ["main().then(…)", `${main}main().then((n) => n * 2);`, 84],
    ["a chain over lines", `${main}main()\n  .then((n) => n * 2)\n  .catch(console.error);`, 84],
    ["an arrow main", "const main = async () => {\n  return 7;\n};\n\nmain();", 7],
    ["an arrow main without semicolons", "const main = async () => {\n  return 7\n}\n\nmain()", 7],
    ["an async function that is called at once", "(async () => {\n  return await __callTool__('n', {});\n})();", 41],
    ["the same after statements", "const a = 1;\n(async () => {\n  return a + 1;\n})();", 2],
    ["the same, awaited", "const a = 1;\nawait (async () => {\n  return a + 1;\n})();", 2],
    ["the same after a semicolon of its own", "const a = 1\n;(async () => {\n  return a + 1\n})()", 2],
    ["a name as the last line", "const a = [1, 2];\nconst b = a.map((x) => x * 2);\nb", [2, 4]],
    ["a name and a comment after it", "const a = 1;\na; // the answer", 1],
    ["comments after the last expression", "const a = 1;\na;\n// done\n", 1],
    ["an object in brackets", "const a = 1;\n({ a })", { a: 1 }],
    ["an object over lines, in brackets", "const a = 1;\n({\n  a,\n  b: 2,\n});", { a: 1, b: 2 }],
    ["a list over lines", "const a = 1;\n[\n  a,\n  2,\n]", [1, 2]],
    ["a template", "const a = 1;\n`a is ${a}`;", "a is 1"],
    ["a template over lines", "const a = 1;\n`a\nis\n${a}`", "a\nis\n1"],
    ["a conditional over lines", "const a = 1;\na > 0\n  ? 'yes'\n  : 'no'", "yes"],
    [
      "an awaited list of calls",
      "const ids = [1, 2];\nawait Promise.all(ids.map((n) => __callTool__('n', { n })));",
      [2, 3],
    ],
    [
      "calls that are not awaited",
      "const ids = [1, 2];\nPromise.all(ids.map((n) => __callTool__('n', { n })));",
      [2, 3],
    ],
    ["a loop at the end, nothing", "let a = 0;\nfor (const n of [1, 2]) {\n  a += n;\n}", undefined],
    ["a loop over one line at the end, all of it", "let a = 0;\nfor (const n of [1, 2])\na += n;\n", undefined],
    ["a declaration at the end, nothing", "const a = 1;\nconst b = a;", undefined],
    [
      "a template that holds code, unchanged",
      "const a = `\nimport x from './x';\nmain();\n`;\nreturn a.trim();",
      "import x from './x';\nmain();",
    ],
    ["a return in the middle", "const a = 1;\nif (a) return 5;\na", 5],
    ["a call of the line before, not a value", "const f = (x: number) => x + 1\nconst a = f\n(41)\nreturn a", 42],
    ["an import beside a return", 'import "node:path";\nreturn 1;', 1],
    ["names of an import beside a return", 'import { join, sep as s } from "node:path";\nreturn join("a", s);', "a/"],
    [
      "an import beside a last expression",
      'import * as path from "node:path";\n\nconst a = path.join("a", "b");\na',
      "a/b",
    ],
    [
      "several imports, over lines, with types",
      'import path, {\n  join,\n  type ParsedPath,\n} from "node:path";\nimport type { Stats } from "node:fs";\nreturn [typeof path, join("a")];',
      ["object", "a"],
    ],
    [
      "fs without node:",
      'import fs from "fs";\nfs.writeFileSync("w.txt", "W");\nreturn fs.readFileSync("w.txt", "utf8");',
      "W",
    ],
    [
      "fs/promises without node:",
      'import { readFile } from "fs/promises";\nreturn await readFile("given.txt", "utf8");',
      "G",
    ],
    ["path without node:, in a module", 'import path from "path";\nexport default path.basename("a/b");', "b"],
    ["a file of the directory", 'import { given } from "./given.ts";\nreturn given;', "given"],
    [
      "the same and main()",
      `import { given } from "./given.ts";\nasync function main() {\n  return given;\n}\nmain();`,
      "given",
    ],
    ["process.exit(0) at the end", "console.log('a');\nprocess.exit(0);", undefined],
    ["process.exit() in main", "async function main() {\n  process.exit();\n}\nmain();", undefined],
    ["main().then(() => process.exit(0))", `${main}main().then(() => process.exit(0));`, undefined],
    ["Deno.exit(0)", "Deno.exit(0)", undefined],
  ])("%s", async (_, code, value) => {
    writeFileSync(path.join(cwd, "given.txt"), "G");
    writeFileSync(path.join(cwd, "given.ts"), 'export const given: string = "given";');
    const { ok, error, value: found, calls } = await run(code, { callTool });
    expect([error, ok, found]).toEqual([undefined, true, value]);
    expect(calls.every(({ status }) => status === "succeeded")).toBe(true);
  });

  test.each([
    ["a throw in main()", `async function main() {\n  throw new Error("x");\n}\nmain();`, 2, 9],
    ["a throw in the last line", "const a = 1;\n  \nnull!.x;", 3, 7],
    ["process.exit(1)", "const a = 1;\nprocess.exit(1);", 2, 9],
  ])("%s fails at its place", async (_, code, line, column) => {
    expect((await run(code)).error).toMatchObject({ kind: "runtime", line, column });
  });
});
