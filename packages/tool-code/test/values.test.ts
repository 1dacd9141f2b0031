import { describe, expect, test } from "vitest";
import { sandbox } from "./sandbox.ts";

const run = sandbox();

describe("a program's value arrives as data:", () => {
  test.each<readonly [name: string, code: string, value: unknown]>([
    ["NaN and the infinities", "[NaN, Infinity, -Infinity, 1.5]", ["NaN", "Infinity", "-Infinity", 1.5]],
    ["negative zero", "[-0, Math.round(-0.2)]", [-0, -0]],
    ["undefined in lists and objects", "[undefined, , { a: undefined, b: null }]", [null, null, { b: null }]],
    ["a BigInt", "({ big: 2n ** 64n })", { big: "18446744073709551616" }],
    [
      "a Map",
      "new Map<unknown, unknown>([['a', 1], [2, new Map()]])",
      [
        ["a", 1],
        [2, []],
      ],
    ],
    [
      "a Map in its order",
      "new Map([['10', 'x'], ['2', 'y']])",
      [
        ["10", "x"],
        ["2", "y"],
      ],
    ],
    ["a Set", "new Set([1, 'a', new Set([2])])", [1, "a", [2]]],
    ["dates", "[new Date(0), new Date(NaN)]", ["1970-01-01T00:00:00.000Z", "Invalid Date"]],
    ["a RegExp", "[/a\\/b/gi]", ["/a\\/b/gi"]],
    [
      "typed arrays",
      "[new Uint8Array([1, 255]), new Float64Array([0.5, NaN]), new BigInt64Array([-1n])]",
      [[1, 255], [0.5, "NaN"], ["-1"]],
    ],
    [
      "buffers",
      "[new Uint8Array([1, 2]).buffer, new DataView(new Uint8Array([3, 4, 5]).buffer, 1), Buffer.from('a')]",
      [[1, 2], [4, 5], [97]],
    ],
    [
      "an error",
      "new RangeError('far', { cause: new Error('near') })",
      { name: "RangeError", message: "far", cause: { name: "Error", message: "near" } },
    ],
    [
      "errors with fields",
      "[Object.assign(new Error('x'), { code: 'E', at: 3 }), new AggregateError([new Error('y')], 'z')]",
      [
        { name: "Error", message: "x", code: "E", at: 3 },
        { name: "AggregateError", message: "z", errors: [{ name: "Error", message: "y" }] },
      ],
    ],
    [
      "a caught error of a tool",
      "try { await __callTool__('x', {}) } catch (error) { return { error } }",
      { error: { name: "ToolError", message: "There is no tool x", tool: "x" } },
    ],
    ["a circle", "const a: any = { list: [] }; a.list.push({ up: a }); return a", { list: [{ up: "[circular: $]" }] }],
    [
      "a circle further in",
      "const b: any = { n: 1 }; b.self = b; return { a: [b] }",
      { a: [{ n: 1, self: "[circular: $.a[0]]" }] },
    ],
    ["the same object twice", "const a = { n: 1 }; return [a, a]", [{ n: 1 }, { n: 1 }]],
    ["boxed values", "[Object(1), Object('a'), Object(true), Object(3n)]", [1, "a", true, "3"]],
    ["instances of classes", "class A { b = 1; #c = 2; get d() { return 3; } }\nreturn [new A()]", [{ b: 1 }]],
    ["an object without a prototype", "Object.assign(Object.create(null), { a: 1 })", { a: 1 }],
    [
      "what says how it is written",
      "[new URL('https://a.b/c'), { toJSON: () => ({ a: 1n }) }]",
      ["https://a.b/c", { a: "1" }],
    ],
    [
      "what can be iterated",
      "[new Map([['a', 1]]).keys(), [5].entries(), (function* () { yield 1; })(), new URLSearchParams('a=1'), new Headers({ a: 'b' })]",
      [["a"], [[0, 5]], [1], [["a", "1"]], [["a", "b"]]],
    ],
    [
      "promises in lists and objects",
      "[1, 2].map(async (n) => ({ n, then2: Promise.resolve(n * 2) }))",
      [
        { n: 1, then2: 2 },
        { n: 2, then2: 4 },
      ],
    ],
    [
      "functions and symbols, as text",
      "({ f() {}, s: Symbol('x'), c: class A {} })",
      { f: "[Function: f]", s: "Symbol(x)", c: "[class A]" },
    ],
    [
      "a getter that throws, as text",
      "({ a: 1, get b() { throw new Error('no'); } })",
      { a: 1, b: expect.stringMatching(/^\[b threw Error: no/) },
    ],
    [
      "what has no fields, as text",
      "[new WeakMap(), new (class A { #b = 1 })()]",
      ["WeakMap { <items unknown> }", "A {}"],
    ],
    [
      "an object of another realm",
      "(await import('node:vm')).runInNewContext('({ a: [1, new Map([[1, 2]])] })')",
      { a: [1, [[1, 2]]] },
    ],
    ["a key that names the prototype, not at all", "({ ['__proto__']: 1, a: 2 })", { a: 2 }],
  ])("%s", async (_, code, value) => {
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
