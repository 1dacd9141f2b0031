import { describe, expect, test } from "vitest";
import { ANSWERS } from "./idioms/answers.ts";
import { CODE_MODE } from "./idioms/code-mode.ts";
import { answerN, type MeantIdiom, type ValueIdiom } from "./idioms/idiom.ts";
import { LAST_VALUES } from "./idioms/last-values.ts";
import { SCRIPTS } from "./idioms/scripts.ts";
import { VALUES } from "./idioms/values.ts";
import { quickJs } from "./quickjs.ts";
import { shop } from "./shop-programs.ts";

const run = quickJs();
/** The error and the value of a program. */
async function made(
  code: string,
  options?: Parameters<typeof run>[1],
): Promise<readonly [error: unknown, value: unknown]> {
  const { error, value } = await run(code, options);
  return [error, value];
}

/** They need files, the response of `fetch`, `Deno` or `node:vm`. */
const LACKING = new Set([
  "fs without node:",
  "fs/promises without node:",
  "a file of the directory",
  "the same and main()",
  "Deno.exit(0)",
  "what can be iterated",
  "an object of another realm",
  "the directory of the script",
  "a file beside it",
  "a dynamic import of a file beside it",
  "an import of JSON",
  "an import of JSON with its type",
  "a dynamic import of JSON",
  "a dynamic import of Node's",
  "lines read one by one",
  "callbacks",
  "files of Deno",
  "rows of a CSV",
]);
const isLacking = ([name]: ValueIdiom | MeantIdiom): boolean => LACKING.has(name);
const all = [...LAST_VALUES, ...VALUES, ...ANSWERS, ...SCRIPTS];

describe("QuickJsRuntime gives a program what it means:", () => {
  test.each(LAST_VALUES.filter((idiom) => !isLacking(idiom)))("%s", async (_, code, value) =>
    expect(await made(code, { callTool: answerN })).toEqual([undefined, value]),
  );

  test.each(VALUES.filter((idiom) => !isLacking(idiom)))("%s", async (_, code, value) =>
    expect(await made(code)).toEqual([undefined, value]),
  );

  test.each([...ANSWERS, ...SCRIPTS, ...CODE_MODE].filter((idiom) => !isLacking(idiom)))(
    "%s",
    async (_, code, { value, output = "" }) => {
      const found = await run(code, shop);
      expect([found.error, found.value, found.output]).toEqual([undefined, value, output]);
    },
  );

  test("and says of the few others what is not there", async () => {
    const lacking = all.filter(isLacking);
    expect(lacking.length).toBe(LACKING.size);
    for (const [name, code] of lacking)
      expect([name, (await run(code)).error?.hint]).toEqual([name, expect.stringMatching(/^There (?:is|are) no /)]);
  });
});

describe("node:assert in QuickJS", () => {
  test.each([
    "assert(1); assert.ok('x'); assert.equal(1, '1'); assert.notEqual(1, 2); assert.strictEqual(NaN, NaN)",
    "assert.deepStrictEqual({ a: [1, new Map([[1, new Set(['x'])]])], d: new Date(5) }, { d: new Date(5), a: [1, new Map([[1, new Set(['x'])]])] })",
    "assert.deepEqual([1, { a: 2 }], ['1', { a: 2 }]); assert.notDeepStrictEqual([1], ['1']); assert.notDeepStrictEqual([1], { 0: 1 })",
    "const a = {}; a.a = a; const b = {}; b.a = b; assert.deepStrictEqual(a, b)",
    "assert.throws(() => { throw new TypeError('bad x'); }, TypeError); assert.throws(() => null.x, /null/); assert.throws(() => { throw new Error('e'); }, { message: 'e' })",
    "await assert.rejects(async () => { throw new Error('late'); }, /late/)",
  ])("%s holds", async (code) => {
    expect((await run(`import assert from "node:assert";\n${code};\nreturn "held";`)).value).toBe("held");
  });

  test.each([
    ["assert(0)", /falsy value: 0/],
    ["assert.strictEqual(1, 2, 'one is not two')", /AssertionError: one is not two/],
    ["assert.strictEqual(1, 2)", /strictly equal: 1 and 2/],
    ["assert.deepStrictEqual({ a: [1] }, { a: [2] })", /strictly deep-equal/],
    ["assert.deepStrictEqual(new Set([1]), new Set([2]))", /deep-equal/],
    ["assert.deepStrictEqual({ a: undefined }, { b: undefined })", /deep-equal/],
    ["assert.throws(() => 1)", /Missing expected exception/],
    ["assert.throws(() => { throw new Error('x'); }, TypeError)", /Error: x/],
    ["await assert.rejects(Promise.resolve(1))", /Missing expected rejection/],
  ])("%s fails", async (code, says) => {
    expect((await run(`const assert = require("assert");\n${code};\nreturn "held";`)).error?.message).toMatch(says);
  });
});

describe("Buffer in QuickJS", () => {
  test.each([
    ["Buffer.from('héllo').toString('base64')", "aMOpbGxv"],
    ["Buffer.from('aMOpbGxv', 'base64').toString()", "héllo"],
    ["Buffer.from('_-8', 'base64url').toString('hex')", "ffef"],
    ["Buffer.from('ff00zz', 'hex')", [255, 0]],
    ["Buffer.from([104, 105]).toString('latin1')", "hi"],
    ["Buffer.concat([Buffer.from('a'), new Uint8Array([98])]).toString()", "ab"],
    ["[Buffer.byteLength('é'), Buffer.isBuffer(Buffer.alloc(2)), Buffer.alloc(2, 7)]", [2, true, [7, 7]]],
    ["Buffer.from(JSON.parse(JSON.stringify(Buffer.from('x')))).equals(Buffer.from('x'))", true],
    ["Buffer.from('x'.repeat(100_000)).toString('base64').length", 133_336],
    ["Buffer.from('abcdef').slice(1, 3).toString()", "bc"],
  ])("%s", async (code, value) => expect(await made(code)).toEqual([undefined, value]));
});

describe("Intl in QuickJS", () => {
  test.each([
    ["Intl.NumberFormat('en-US').format(1234.5)", "1,234.5"],
    ["new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(2)", "€2.00"],
    ["new Intl.DateTimeFormat('en-US').format(new Date(0))", "1/1/1970"],
    ["Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
  ])("%s", async (code, value) => expect(await made(code)).toEqual([undefined, value]));
});

describe("node:path in QuickJS", () => {
  test.each([
    ["path.join('a', '..', '/b/', './c')", "b/c"],
    ["path.join('../a', '../..')", "../.."],
    ["path.resolve('/a', 'b', '../c/')", "/a/c"],
    ["[path.dirname('/a/b/'), path.dirname('a'), path.dirname('/a')]", ["/a", ".", "/"]],
    ["[path.basename('/a/b.ts', '.ts'), path.basename('/a/b/')]", ["b", "b"]],
    ["[path.extname('a.tar.gz'), path.extname('.env'), path.extname('a.')]", [".gz", "", "."]],
    ["path.relative('/a/b/c', '/a/d')", "../../d"],
    ["path.normalize('/../a//./b/')", "/a/b/"],
  ])("%s", async (code, value) =>
    expect(await made(`import path from "path";\nreturn ${code};`)).toEqual([undefined, value]),
  );
});
