import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LossyJsonError, parseJson } from "./parse-json.ts";

function lossesOf(text: string): readonly (readonly [string, string])[] {
  try {
    parseJson(text);
    return [];
  } catch (error) {
    if (!(error instanceof LossyJsonError)) throw error;
    return error.losses.map(({ kind, path }) => [kind, path.join(".")]);
  }
}

describe("parseJson()", () => {
  test.each<[string, readonly (readonly [string, string])[]]>([
    ['{"path":"a","path":"b"}', [["contradicted", "path"]]],
    ['{"path":"a","path":"a"}', [["repeated", "path"]]],
    ['{"path":"a","p\\u0061th":"b"}', [["contradicted", "path"]]],
    ['{"a/b":1,"a\\/b":2}', [["contradicted", "a/b"]]],
    ['{"a":[0,{"b":{"c":1,"d":2,"c":3}}]}', [["contradicted", "a.1.b.c"]]],
    ['{ "a" : 1 ,\r\n\t"a"\n:\t2 }', [["contradicted", "a"]]],
    ['{"a":{},"a":{"b":1}}', [["contradicted", "a"]]],
    ['{"":1,"":2}', [["contradicted", ""]]],
    ['{"a\\\\":1,"a\\\\":2}', [["contradicted", "a\\"]]],
    ['{"a\\"":1,"a\\"":2}', [["contradicted", 'a"']]],
    ['{"1":1,"0":0,"1":2}', [["contradicted", "1"]]],
    ['{"a":1,"a":1,"a":1}', [["repeated", "a"]]],
    ['{"a":": b","a":": b"}', [["repeated", "a"]]],
    ['{"constructor":1,"constructor":2,"toString":3}', [["contradicted", "constructor"]]],
    ['{"id":9007199254740993}', [["number", "id"]]],
    ["-9007199254740993", [["number", ""]]],
    ["[1,12345678901234567890]", [["number", "1"]]],
    ["[9007199254740993.0]", [["number", "0"]]],
    ["[9007199254740993e0]", [["number", "0"]]],
    ["[90071992547409930e-1]", [["number", "0"]]],
    [
      "[1e400,-1e400,1E+309]",
      [
        ["number", "0"],
        ["number", "1"],
        ["number", "2"],
      ],
    ],
    [
      "[1e-400,0.0e-400,-1e-999]",
      [
        ["number", "0"],
        ["number", "2"],
      ],
    ],
    [`[0.${"0".repeat(330)}1]`, [["number", "0"]]],
    [`[0.${"0".repeat(250)}1e-99]`, [["number", "0"]]],
    ['{"__proto__":{"a":1}}', [["prototype", "__proto__"]]],
    ['{"a":{"\\u005f_proto__":1}}', [["prototype", "a.__proto__"]]],
    [
      '[{"__proto__":1,"__proto__":2}]',
      [
        ["prototype", "0.__proto__"],
        ["prototype", "0.__proto__"],
        ["contradicted", "0.__proto__"],
      ],
    ],
  ])("refuses %s", (text, losses) => {
    expect(lossesOf(text)).toEqual(losses);
  });

  test.each([
    "9007199254740992",
    "9007199254740991",
    "-9007199254740994",
    "18446744073709551616",
    "18446744073709552000",
    "6.02214076e23",
    "1e23",
    "100000000000000000000000",
    "1.7976931348623157e308",
    "5e-324",
    "0.1",
    "3.14159265358979323846264338327950288",
    "-0",
    "0e-400",
    "0.0e999",
    "1e0000000000000000000000001",
    '": "',
    '{"a":": b","c":"\\":\\\\"}',
    '[": b",": c","\\\\",": d"]',
    '{"__proto":1,"a":"__proto__"}',
    '{"a":{"x":1},"b":{"x":1}}',
    '{"A":1,"a":2,"\u00e9":1,"e\u0301":2}',
    "[]",
    "null",
    '"\\u0000"',
  ])("keeps %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("says which key, where, both values and the next step", () => {
    expect(() => parseJson('{"edits":[{"old":"a","old":"b"}]}')).toThrow(
      'edits[0].old: the field was sent more than once with different values, "a" and "b": send it once, with the value that is meant',
    );
    expect(() => parseJson('{"id":1234567890123456789}')).toThrow(
      "id: the number 1234567890123456789 would arrive as 1234567890123456800: send it as a string if its digits matter",
    );
  });

  test("comes to an end of long and deep texts", () => {
    const deep = 100_000;
    expect(lossesOf(`${"[".repeat(deep)}1e999${"]".repeat(deep)}`)).toHaveLength(1);
    const twice = `{${'"a":1,'.repeat(100_000)}"a":2}`;
    expect(lossesOf(twice)).toHaveLength(2);
    const many = `[${"1e999,".repeat(100_000)}0]`;
    expect(() => parseJson(many)).toThrow(LossyJsonError);
    expect(lossesOf(many)).toHaveLength(100);
    expect(lossesOf(`[${"1".repeat(1_000_000)}]`)).toHaveLength(1);
    expect(lossesOf(`[0.${"0".repeat(1_000_000)}1]`)).toHaveLength(1);
    expect(lossesOf(`{"a":"${":".repeat(1_000_000)}"}`)).toEqual([]);
    expect(lossesOf(`{"a":"${"\\\\".repeat(1_000_000)}"}`)).toEqual([]);
    expect(lossesOf(`{"a":"${" ".repeat(300_000)}:"}`)).toEqual([]);
  });

  test("agrees with a slow reader that forgets nothing, for generated texts", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = new Set(lossesOf(text).map(([kind, path]) => `${kind} ${path}`));
        expect(found).toEqual(new Set(new SlowReader(text).losses));
      }),
      { numRuns: 3_000 },
    );
  });
});

const blank = fc.stringMatching(/^[ \t\r\n]{0,2}$/);
/** A character in plain or escaped letters. */
const letter = fc.constantFrom(
  "a",
  "\\u0061",
  "b",
  "\\u0062",
  "\\\\",
  '\\"',
  ":",
  "/",
  "\\/",
  " ",
  ",",
  "{",
  "1",
  "é",
  "\\ud83d\\ude00",
);
const key = fc.oneof(
  { weight: 8, arbitrary: fc.array(letter, { maxLength: 2 }).map((letters) => letters.join("")) },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "\\u005f_proto__", "constructor", "__proto", "0", "1") },
);
const numeral = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.integer({ min: -3, max: 3 }).map((near) => String(2n ** 53n + BigInt(near))),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(), fc.integer({ min: -420, max: 420 }))
    .map(([a, b, e]) => `${a}.${b}e${e}`),
  fc.tuple(fc.nat(99), fc.integer({ min: -330, max: 330 })).map(([a, e]) => `${a}E${e}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.nat(99).map(String),
);
const { text: texts } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    numeral,
    fc.array(letter, { maxLength: 4 }).map((letters) => `"${letters.join("")}"`),
    fc.constantFrom("true", "false", "null", '"__proto__"'),
    list("[", "]", tie("text")),
    list(
      "{",
      "}",
      fc.tuple(key, blank, blank, tie("text")).map(([name, a, b, value]) => `"${name}"${a}:${b}${value}`),
    ),
    // Of few names and values, so that repeated ones are often alike.
    list(
      "{",
      "}",
      fc
        .tuple(fc.constantFrom("a", "\\u0061", "b"), fc.constantFrom("1", "2"))
        .map(([name, value]) => `"${name}":${value}`),
    ),
  ),
}));

function list(open: string, close: string, member: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(blank, member, blank), { maxLength: 4 }), blank)
    .map(([members, end]) => `${open}${members.map((parts) => parts.join("")).join(",")}${end}${close}`);
}

/** Reads JSON by recursion and compares numbers as fractions of integers. Written independently of what it checks. */
class SlowReader {
  readonly losses: string[] = [];
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#value([]);
  }

  #skip(): void {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #value(path: readonly (string | number)[]): string {
    this.#skip();
    const start = this.#at;
    const first = this.#text[start];
    if (first === "{") this.#object(path);
    else if (first === "[") {
      this.#at += 1;
      for (let index = 0; ; index += 1) {
        this.#skip();
        if (this.#text[this.#at] === "]") break;
        this.#value([...path, index]);
        this.#skip();
        if (this.#text[this.#at] === ",") this.#at += 1;
      }
      this.#at += 1;
    } else if (first === '"') this.#string();
    else {
      while (/[\w.+-]/.test(this.#text[this.#at] ?? " ")) this.#at += 1;
      const literal = this.#text.slice(start, this.#at);
      if (/\d/.test(literal) && isChanged(literal)) this.losses.push(`number ${path.join(".")}`);
    }
    return this.#text.slice(start, this.#at);
  }

  #object(path: readonly (string | number)[]): void {
    this.#at += 1;
    const seen: [string, string][] = [];
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === "}") break;
      const name = JSON.parse(this.#string()) as string;
      if (name === "__proto__") this.losses.push(`prototype ${[...path, name].join(".")}`);
      this.#skip();
      this.#at += 1;
      const value = this.#value([...path, name]);
      const first = seen.find(([other]) => other === name);
      if (first === undefined) seen.push([name, value]);
      else this.losses.push(`${first[1] === value ? "repeated" : "contradicted"} ${[...path, name].join(".")}`);
      this.#skip();
      if (this.#text[this.#at] === ",") this.#at += 1;
    }
    this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
    return this.#text.slice(start, this.#at);
  }
}

function isChanged(literal: string): boolean {
  const arrived = Number(literal);
  if (!Number.isFinite(arrived)) return true;
  const sent = fractionOf(literal);
  if (arrived === 0) return sent[0] !== 0n;
  if (Math.abs(arrived) < 2 ** 53) return false;
  return ![fractionOf(String(arrived)), [BigInt(arrived), 1n] as const].some(([a, b]) => a * sent[1] === b * sent[0]);
}

/** The number as a numerator and a denominator. */
function fractionOf(literal: string): readonly [bigint, bigint] {
  const [, sign, whole, fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = BigInt(`${whole}${fraction}`) * (sign === "-" ? -1n : 1n);
  const exponent = BigInt(power) - BigInt(fraction.length);
  return exponent >= 0n ? [digits * 10n ** exponent, 1n] : [digits, 10n ** -exponent];
}
