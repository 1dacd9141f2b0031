import { describe, expect, test } from "vitest";
import { VALUES } from "./idioms/values.ts";
import { sandbox } from "./sandbox.ts";

const run = sandbox();

describe("a program's value arrives as data:", () => {
  test.each(VALUES)("%s", async (_, code, value) => {
    const outcome = await run(code);
    expect([outcome.error, outcome.value]).toEqual([undefined, value]);
  });

  test("a thousand rows, of which one holds what JSON cannot", async () => {
    for (const odd of ["NaN", "new Map([[1, 2]])", "10n", "new Date(NaN)", "new Uint8Array(3)", "rows", "undefined"]) {
      const { value } = await run(
        `const rows: any[] = Array.from({ length: 1000 }, (_, id) => ({ id }));\nrows[500].odd = ${odd};\nreturn rows;`,
      );
      expect((value as unknown[]).length).toBe(1_000);
      expect((value as unknown[])[999]).toEqual({ id: 999 });
    }
  });

  test("however deep, down to a level that is stated", async () => {
    const { value } = await run("let a: any = 1; for (let i = 0; i < 5000; i++) a = [a]; return a");
    expect(JSON.stringify(value)).toMatch(/^\[{150}"\[deeper than 150 levels\]"\]{150}$/);
  });

  test.each([
    [
      "a list that refers to itself in powers",
      "let a: any = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a",
      /values/,
    ],
    ["texts that are repeated", "const a = 'x'.repeat(1e6); return Array(20_000).fill(a)", /bytes/],
    ["a list of holes", "const a: any = []; a.length = 4e9; return a", /values/],
    ["a generator without end", "(function* () { for (;;) yield 1; })()", /values/],
    ["a large buffer", "new ArrayBuffer(1e8)", /values/],
  ])("but not %s", async (_, code, message) => {
    expect((await run(code, { limits: { wallMs: 20_000 } })).error).toMatchObject({
      kind: "output",
      message: expect.stringMatching(message),
    });
  });

  test("whatever the program did to the built-ins", async () => {
    const code = `Array.prototype.map = Array.from = JSON.stringify = Object.keys = () => { throw new Error("mine"); };
WeakMap.prototype.get = () => "forged";
for (const at of [0, 1, 2]) Object.defineProperty(Array.prototype, at, { set() { throw new Error("mine"); } });
return [1, { a: 2n }];`;
    expect((await run(code)).value).toEqual([1, { a: "2" }]);
  });

  test("also as parameters of a call", async () => {
    const callTool = async (_: string, params: unknown) => params;
    const code =
      "return await __callTool__('x', { ids: new Set([1, 2]), at: new Date(0), n: 2n, of: new Map([['a', NaN]]) });";
    expect((await run(code, { callTool })).value).toEqual({
      ids: [1, 2],
      at: "1970-01-01T00:00:00.000Z",
      n: "2",
      of: [["a", "NaN"]],
    });
  });
});
