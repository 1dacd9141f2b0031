import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sandbox, temporaryDirectory } from "../../test/sandbox.ts";
import { DenoRuntime } from "./index.ts";

const run = sandbox();

describe("execute() gives the value of", () => {
  test.each([
    ["an expression", "1 + 2", 3],
    ["an expression that ends in a semicolon", "1 + 2; \n", 3],
    ["an expression that ends in a comment", "1 + 2 // three", 3],
    ["an expression of TypeScript", "(<T>(x: T): T => x)(4 as number)", 4],
    ["an object", "{ a: [1, null, 'x'] }", { a: [1, null, "x"] }],
    ["a function without parameters, which it calls", "async () => 42", 42],
    ["a lone function declaration, which it calls", "async function main() {\n  return 7;\n}", 7],
    ["a body with return", "const a: number = 1;\nreturn a + 1;", 2],
    ["a body with top-level await", "const a = await Promise.resolve(5);\nreturn a;", 5],
    [
      "a body with enum, interface and generics",
      "interface A { b: string }\nenum E { X = 3 }\nconst f = <T,>(x: T) => x;\nreturn f<A>({ b: `${E.X}` }).b;",
      "3",
    ],
    ["a module", "import { join } from 'node:path';\nexport default join('a', 'b');", "a/b"],
    ["a module that exports a function", "export default async () => 'called';", "called"],
    ["an expression after comments that look like statements", "// const a\n/* return */ 1 + 2", 3],
    ["an expression with a text that looks like the end of a comment", "/* a */ String(`*/ const `)", "*/ const "],
    ["an expression that begins like a statement", "((forty, ifs) => forty + ifs)(40, 2)", 42],
    ["a module after a comment", "/* import */ import { sep } from 'node:path';\nexport default sep;", "/"],
    ["an import for its value", "import('node:path').then(({ sep }) => sep)", "/"],
    ["null", "return null", null],
    ["a number that is none, as text", "return 0 / 0", "NaN"],
    ["a date", "new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["text with every kind of character", "'\\u2028\\n\\ud83d\\ude00\\0'", "\u2028\n\u{1F600}\0"],
  ])("%s", async (_, code, value) => {
    expect(await run(code)).toMatchObject({ ok: true, value, output: "" });
  });

  test("nothing, when the program returns nothing", async () => {
    expect((await run("const a = 1;")).value).toBeUndefined();
    expect(await run("// only a comment")).toMatchObject({ ok: true, value: undefined });
  });
});

describe("execute() shows what a program prints", () => {
  test("in order, by whatever way", async () => {
    const code = `console.log("a %o %d", { b: 1 }, 2, [3]);\nconsole.error("b");\nDeno.stdout.writeSync(new TextEncoder().encode("c\\n"));\nprocess.stdout.write("d");\nconsole.warn("e");\nconsole.assert(false, "f");`;
    expect((await run(code)).output).toBe("a { b: 1 } 2 [ 3 ]\nb\nc\nde\nAssertion failed: f\n");
  });

  test("as it is printed, around calls", async () => {
    const heard: string[] = [];
    const { output } = await run("console.log('before'); await __callTool__('x', {}); console.log('äfter')", {
      callTool: async () => heard.push("call"),
      onOutput: (text) => heard.push(text),
    });
    expect(heard).toEqual(["before\n", "call", "äfter\n"]);
    expect(output).toBe("before\näfter\n");
  });

  test("whatever a listener throws", async () => {
    const outcome = await run("console.log(1)", {
      onOutput: () => {
        throw new Error("no");
      },
    });
    expect(outcome.ok).toBe(true);
  });
});

describe("execute() names the line of the program that went wrong", () => {
  test.each([
    ["a throw", "const a: string = 'x';\n\n  throw new TypeError('boo');", "runtime", 3, 9, "TypeError: boo"],
    ["a throw on the first line of a body", "throw new Error('boo');\n1", "runtime", 1, 7, "Error: boo"],
    [
      "a throw on the first line of an expression",
      "[1].map((x) => nope(x))",
      "runtime",
      1,
      16,
      "ReferenceError: nope is not defined",
    ],
    [
      "a throw in a callback below types",
      "interface A {\n  b: string;\n}\nenum E { A }\nsetTimeout(() => {\n  null!.x;\n});\nawait new Promise(() => {});",
      "runtime",
      6,
      9,
      "TypeError: Cannot read properties of null (reading 'x')",
    ],
    [
      "a throw after an await",
      "const f = async () => {\n  await 1;\n  throw new Error('late');\n};\nawait f();",
      "runtime",
      3,
      9,
      "Error: late",
    ],
    [
      "a rejection nobody waits for",
      "void Promise.reject(new Error('lost'));\nawait new Promise(() => {});",
      "runtime",
      1,
      21,
      "Error: lost",
    ],
    ["a throw in a module", "import 'node:path';\nthrow new Error('boo');", "runtime", 2, 7, "Error: boo"],
    [
      "an error of the syntax",
      "const a = 1;\nconst b = = 2;",
      "syntax",
      2,
      11,
      "SyntaxError: Expression expected\n  |\n2 | const b = = 2;\n  |           ~",
    ],
    [
      "an error of the syntax on the first line",
      "const b = ;",
      "syntax",
      1,
      11,
      "SyntaxError: Expression expected\n  |\n1 | const b = ;\n  |           ~",
    ],
    [
      "an error of the syntax in a module",
      "import 'node:path';\nconst b = ;",
      "syntax",
      2,
      11,
      "SyntaxError: Expression expected\n  |\n2 | const b = ;\n  |           ~",
    ],
    [
      "a name that is declared twice",
      "let a = 1;\nlet a = 2;",
      "syntax",
      2,
      5,
      "SyntaxError: Identifier 'a' has already been declared",
    ],
    ["a tool that failed", "const a = 1;\nawait __callTool__('x', {});", "tool", 2, 7, "There is no tool x"],
    [
      "a right it does not have",
      "const a = 1;\nDeno.readTextFileSync('/etc/hostname');",
      "permission",
      2,
      6,
      'Requires read access to "/etc/hostname"',
    ],
  ])("%s", async (_, code, kind, line, column, message) => {
    const { error } = await run(code);
    expect(error).toMatchObject({ kind, line, column, message });
  });

  test("a bracket that is never closed, at the last line", async () => {
    expect((await run("const a = {\n  b: 1\n")).error).toMatchObject({
      kind: "syntax",
      line: 3,
      message: expect.stringContaining("ends before a bracket"),
    });
  });

  test("what is thrown that is no error", async () => {
    expect((await run("throw null")).error?.message).toBe("the program threw null");
    expect((await run("throw { code: 5 }")).error?.message).toBe("the program threw { code: 5 }");
  });

  test("its cause", async () => {
    expect((await run("throw new Error('a', { cause: new TypeError('b') })")).error?.message).toBe(
      "Error: a\nCaused by: TypeError: b",
    );
  });

  test("without a word of the harness, in the stack and when the program prints one", async () => {
    const outcome = await run(
      "const f = () => { throw new Error('x'); };\ntry { f(); } catch (e) { console.log((e as Error).stack); }\nf();",
    );
    expect(outcome.output).toBe("Error: x\n    at f (main.ts:1:25)\n    at main.ts:2:7\n");
    expect(outcome.error?.stack).toEqual(["at f (main.ts:1:25)", "at main.ts:3:1"]);
  });

  test("in lines of every kind", async () => {
    for (const end of ["\n", "\r\n"])
      expect((await run(["const a = 1;", "", "throw new Error('x');"].join(end))).error).toMatchObject({
        line: 3,
        column: 7,
      });
  });

  test("and that a module takes the name of a tool", async () => {
    const stubs = 'async function add(params: object): Promise<unknown> {\n  return __callTool__("add", params);\n}\n';
    expect((await run("import 'node:path';\nconst add = 1;\nexport default add;", { stubs })).error).toMatchObject({
      kind: "syntax",
      message: "SyntaxError: Identifier 'add' has already been declared",
      hint: expect.stringContaining("another name"),
    });
  });

  test("and what to do about a module's return", async () => {
    expect((await run("import 'node:path';\nexport const a = 1;\nreturn a;")).error).toMatchObject({
      kind: "syntax",
      line: 3,
      hint: expect.stringContaining("export default"),
    });
  });
});

describe("DenoRuntime", () => {
  test("gives programs their directory and nothing of an earlier run but its files", async () => {
    const cwd = temporaryDirectory();
    const inDirectory = sandbox({ prewarm: 0, cwd });
    expect(
      await inDirectory("globalThis.kept = 1; Deno.writeTextFileSync('a.txt', 'A'); return Deno.cwd()"),
    ).toMatchObject({ value: cwd });
    expect(await inDirectory("[typeof kept, Deno.readTextFileSync('a.txt')]")).toMatchObject({
      value: ["undefined", "A"],
    });
    writeFileSync(
      path.join(cwd, "b.ts"),
      "export const b: number = 1;\nexport const fail = () => {\n  throw new Error('in b');\n};\n",
    );
    expect(
      await inDirectory("const { b, fail } = await import(`file://${Deno.cwd()}/b.ts`);\nconsole.log(b);\nfail();"),
    ).toMatchObject({
      output: "1\n",
      error: { message: "Error: in b", line: 3, stack: ["at fail (b.ts:3:9)", "at main.ts:3:1"] },
    });
  });

  test.each([
    ["require('lodash')", "Error: Cannot find module 'lodash'\nRequire stack:\n- main.ts"],
    ["require('./gone.js')", "Error: Cannot find module './gone.js'\nRequire stack:\n- main.ts"],
    ["require('./bad.json')", "SyntaxError: bad.json: Expected property name"],
    ["await import('./gone.ts')", 'TypeError: Module not found "gone.ts"'],
    ["import './gone.ts'; console.log(1)", 'TypeError: Module not found "gone.ts"'],
    ["import './bad.ts'; console.log(1)", "at bad.ts:1:18"],
    ["process.chdir('sub')", "Error: ENOENT: no such file or directory, chdir '.' -> 'sub'"],
    ["new (require('node:sqlite').DatabaseSync)('sub/x.db')", "Error: unable to open database file: sub/x.db"],
  ])("names files of its directory without the path of the host: %s", async (code, message) => {
    const cwd = path.join(temporaryDirectory(), "a b");
    mkdirSync(cwd);
    writeFileSync(path.join(cwd, "bad.json"), "{bad");
    writeFileSync(path.join(cwd, "bad.ts"), "export const x = ;");
    const { error } = await sandbox({ prewarm: 0, cwd })(code);
    expect(error?.message).toContain(message);
    expect(error?.message).not.toMatch(/a(?: |%20)b|file:\/\//);
  });

  test("lets programs only read when told so", async () => {
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, "a.txt"), "A");
    const reading = sandbox({ prewarm: 0, cwd, readOnly: true });
    expect((await reading("Deno.readTextFileSync('a.txt')")).value).toBe("A");
    expect((await reading("Deno.writeTextFileSync('a.txt', 'B')")).error?.kind).toBe("permission");
  });

  test("runs several at a time, and the others after them", async () => {
    const two = sandbox({ maxConcurrency: 2, prewarm: 0 });
    let [now, most] = [0, 0];
    const callTool = async (name: string) => {
      most = Math.max(most, (now += name === "in" ? 1 : -1));
    };
    const code = "await __callTool__('in', {}); await __callTool__('out', {}); return 1";
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => two(code, { callTool })));
    expect(outcomes.map(({ value }) => value)).toEqual([1, 1, 1, 1, 1]);
    expect(most).toBeLessThanOrEqual(2);
  });

  test("refuses a directory that holds what it relies on, or that Deno would read as two", () => {
    const cwd = path.join(temporaryDirectory(), "a,b");
    mkdirSync(cwd);
    expect(() => new DenoRuntime({ cwd })).toThrow(/has a comma/);
    for (const kernel of ["/dev", "/proc/self", "/sys"].filter((directory) => existsSync(directory)))
      expect(() => new DenoRuntime({ cwd: kernel })).toThrow(/Deno grants no directory below \/dev, \/proc or \/sys/);
    expect(() => new DenoRuntime({ cwd: "/" })).toThrow(/it holds Deno, which a program could then change/);
    expect(() => new DenoRuntime({ cwd: "." })).toThrow(/not an absolute path/);
    expect(() => new DenoRuntime({ cwd: path.dirname(cwd), tempDir: cwd })).toThrow(
      /it holds the directory for temporary files/,
    );
    expect(() => new DenoRuntime({ cwd: import.meta.filename })).toThrow(/not a directory/);
  });

  test("explains itself when what should be Deno is not", async () => {
    const wrong = sandbox({ denoPath: process.execPath, prewarm: 0 });
    expect((await wrong("1")).error).toMatchObject({ kind: "unavailable" });
  });
});
