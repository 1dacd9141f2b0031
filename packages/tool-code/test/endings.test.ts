import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sandbox, temporaryDirectory } from "./sandbox.ts";

const cwd = temporaryDirectory();
const run = sandbox({ cwd });
const callTool = async (_: string, params: unknown) => params;

describe("a program that waits for an event that cannot come ends at once, with the reason", () => {
  test.each([
    ["a promise that is never resolved", "const a = 1;\nawait new Promise(() => {});", 2],
    ["an expression that is one", "new Promise(() => {})", 1],
    ["one of several", "await Promise.all([1, new Promise((resolve) => resolve)])", 1],
    ["a stream that nothing is written to", "for await (const _ of new TransformStream().readable) {}", undefined],
    [
      "after a call",
      "await __callTool__('x', {});\nconst later = Promise.withResolvers();\nawait later.promise;",
      undefined,
    ],
    ["after a timer", "await new Promise((r) => setTimeout(r, 5));\nawait Promise.withResolvers().promise;", 1],
    ["in a module", "export default await Promise.withResolvers().promise;", undefined],
    ["in a value", "return { a: [Promise.withResolvers().promise] };", undefined],
  ])("%s", async (_, code, line) => {
    const { error } = await run(code, { callTool, limits: { wallMs: 1_000_000, totalMs: 1_000_000 } });
    expect(error).toMatchObject({ kind: "runtime", message: expect.stringContaining("nothing can settle") });
    expect(error?.line).toBe(line);
  });
});

describe("what a program did not wait for", () => {
  test.each([
    ["calls of forEach", "[1, 2].forEach(async (n) => {\n  console.log(await __callTool__('x', n));\n});", "1\n2\n"],
    [
      "calls that follow them",
      "(async () => {\n  for (const n of [1, 2, 3]) console.log(await __callTool__('x', n));\n})();\nreturn 1;",
      "1\n2\n3\n",
    ],
    ["timers", "setTimeout(() => console.log('late'), 20);", "late\n"],
    ["a last expression that starts one", "const a = 1;\nsetTimeout(() => console.log('late'), 20);", "late\n"],
    [
      "callbacks of Node",
      "import fs from 'fs';\nfs.writeFile('c.txt', 'C', () => {\n  fs.readFile('c.txt', 'utf8', (_, text) => console.log(text));\n});",
      "C\n",
    ],
    ["calls in a timer", "setTimeout(async () => console.log(await __callTool__('x', 5)), 5);", "5\n"],
  ])("%s, goes on", async (_, code, output) => {
    const outcome = await run(code, { callTool });
    expect([outcome.error, outcome.output]).toEqual([undefined, output]);
    expect(outcome.calls.every(({ status }) => status === "succeeded")).toBe(true);
  });

  test("is waited for no longer than lingerMs", async () => {
    for (const code of ["setInterval(() => {}, 5);", "void __callTool__('never', {});\nreturn 1;"]) {
      const outcome = await run(code, { callTool: () => new Promise(() => {}), limits: { lingerMs: 20 } });
      expect(outcome.ok).toBe(true);
    }
  });

  test("but for timers beside a returned value", async () => {
    const outcome = await run("setInterval(() => {}, 5);\nreturn 1;", { limits: { lingerMs: 1_000_000 } });
    expect(outcome).toMatchObject({ ok: true, value: 1 });
  });

  test("fails the program where it throws", async () => {
    expect((await run("setTimeout(() => {\n  throw new Error('late');\n}, 5);")).error).toMatchObject({
      line: 2,
      message: "Error: late",
    });
    expect(
      (await run("void __callTool__('x', 1).then(() => {\n  throw new Error('late');\n});\nreturn 1;", { callTool }))
        .error,
    ).toMatchObject({ line: 2 });
  });
});

describe("a program may be a script of Node", () => {
  test.each<readonly [name: string, code: string, value: unknown]>([
    [
      "require",
      "const fs = require('fs');\nconst { join } = require('node:path');\nfs.writeFileSync('a.txt', 'A');\nreturn fs.readFileSync(join(__dirname, 'a.txt'), 'utf8');",
      "A",
    ],
    ["require of a file", "return require('./lib.cjs').n + require('./data.json').n;", 9],
    [
      "its main module",
      "async function main() {\n  return 5;\n}\nif (require.main === module) {\n  main().then((n) => console.log(n));\n}",
      undefined,
    ],
    ["what it exports", "const a = 1;\nmodule.exports = { a };", { a: 1 }],
    ["what it exports by name", "exports.a = 1;\nif (false) {}", { a: 1 }],
    ["names of its own", "const require = 1, module = 2;\nreturn require + module;", 3],
    ["names that are not declared", "total = 0;\nfor (n of [1, 2]) {\n  total = total + n;\n}\nreturn total;", 3],
  ])("%s", async (_, code, value) => {
    writeFileSync(path.join(cwd, "lib.cjs"), "exports.n = 4;");
    writeFileSync(path.join(cwd, "data.json"), '{ "n": 5 }');
    const outcome = await run(code);
    expect([outcome.error, outcome.value]).toEqual([undefined, value]);
  });

  test("but a name that is nowhere assigned is not there", async () => {
    expect((await run("return totl;")).error?.message).toBe("ReferenceError: totl is not defined");
  });
});
