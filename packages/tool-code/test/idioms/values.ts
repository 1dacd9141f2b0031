import { expect } from "vitest";
import type { ValueIdiom } from "./idiom.ts";

/** Values of all kinds, and the data that they arrive as. */
export const VALUES: readonly ValueIdiom[] = [
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
];
