import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { findDeno } from "../process/deno-binary.ts";
import { customWall } from "../wall/wall.ts";
import { DenoTypeChecker } from "./deno-type-checker.ts";

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "code-check-")));
const options = { denoPath: findDeno(), tempDir: directory, timeoutMs: 60_000 };
const checker = new DenoTypeChecker(options);
afterAll(() => {
  checker.close();
  rmSync(directory, { recursive: true, force: true });
});
const stubs =
  'declare function __callTool__<T>(name: string, params: unknown): Promise<T>;\nasync function search(params: { query: string }): Promise<{ hits: string[] }> {\n  return __callTool__("search", params);\n}\n';

describe("DenoTypeChecker", () => {
  test("reports errors at the program's own lines and columns, inside a wrap, and runs and leaves nothing", async () => {
    const target = path.join(directory, "made");
    const code = `const r = await search({ queri: "x" });\nreturn r.hit;\nDeno.writeTextFileSync(${JSON.stringify(target)}, "x");\nmissing;`;
    const asked: unknown[] = [];
    const wrapped = new DenoTypeChecker({
      ...options,
      wall: customWall((command, args, access) => (asked.push(access), ["/usr/bin/env", [command, ...args]])),
    });
    expect(await wrapped.check({ code, stubs })).toEqual([
      { line: 1, column: 26, code: 2561, message: expect.stringContaining("Did you mean to write 'query'?") },
      { line: 2, column: 10, code: 2551, message: expect.stringContaining("Did you mean 'hits'?") },
      { line: 4, column: 1, code: 2304, message: expect.any(String) },
    ]);
    expect(readdirSync(directory)).toEqual([]);
    expect(asked).toEqual([
      {
        directory: expect.stringContaining(directory),
        cwd: expect.stringContaining(directory),
        readOnly: true,
        network: false,
      },
    ]);
    wrapped.close();
  });

  test("finds nothing in a program that is right, and leaves nothing behind", async () => {
    const code =
      'import { join } from "node:path";\nexport default join((await search({ query: "x" })).hits[0] ?? "", Deno.cwd());';
    expect(await checker.check({ code, stubs })).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });

  test("tells nothing of a file, not even whether it is there", async () => {
    const secret = path.join(directory, "secret.ts");
    writeFileSync(secret, 'export const word: "hunter2" = "hunter2";');
    const url = pathToFileURL(secret).href;
    for (const code of [
      `const n: number = null! as typeof import("${url}").word;`,
      `/// <reference path="${secret}" />\nconst n: number = word;`,
      `import { word } from "${url}";\nconst n: number = word;`,
    ]) {
      expect(await checker.check({ code, stubs })).toEqual([]);
    }
    rmSync(secret);
  });

  test.each([
    [
      "time",
      1_000,
      "type A<N extends number, R extends 0[] = []> = R['length'] extends N ? R : A<N, [...R, 0]>;\ntype X = 'a'|'b'|'c'|'d'|'e'|'f'|'g'|'h'|'i'|'j';\ntype Y = `${X}${X}${X}${X}`;\nfunction f<T extends Y>(a: { [K in T]: { [L in T]: K } }): void {}\nf({} as { [K in Y]: { [L in Y]: K } });\nmissing;",
    ],
    [
      "output",
      60_000,
      Array.from({ length: 3_000 }, (_, at) => `const v${at}: { ${"a".repeat(at % 50)}: 1 } = missing${at};`).join(
        "\n",
      ),
    ],
  ])("ends a check that takes too much %s, without a word", async (_, timeoutMs, code) => {
    const impatient = new DenoTypeChecker({ ...options, timeoutMs });
    expect(await impatient.check({ code, stubs })).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
    impatient.close();
  });

  test("ends with its signal, and finds nothing after that, nor while it is busy", async () => {
    const controller = new AbortController();
    const first = checker.check({ code: "missing", stubs, signal: controller.signal });
    expect(await checker.check({ code: "missing", stubs })).toEqual([]);
    controller.abort();
    expect(await first).toEqual([]);
    expect(await checker.check({ code: "missing", stubs, signal: controller.signal })).toEqual([]);
    expect(await checker.check({ code: "missing", stubs })).toMatchObject([{ line: 1, column: 1 }]);
  });

  test("finds nothing when there is no such Deno, or no directory", async () => {
    const none = new DenoTypeChecker({ ...options, denoPath: path.join(directory, "none") });
    expect(await none.check({ code: "missing", stubs })).toEqual([]);
    const nowhere = new DenoTypeChecker({ ...options, tempDir: path.join(directory, "none") });
    expect(await nowhere.check({ code: "missing", stubs })).toEqual([]);
  });
});
