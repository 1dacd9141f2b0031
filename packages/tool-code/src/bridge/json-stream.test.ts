import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonStream } from "./json-stream.ts";

/** Reads a text in pieces of the given sizes, in turn. */
function read(text: string | Buffer, sizes: readonly number[], limits = { depth: 200, values: 1_000_000 }): unknown {
  const bytes = Buffer.from(text);
  const stream = new JsonStream(limits);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    stream.push(bytes.subarray(at, at + size));
    at += size;
  }
  return stream.end();
}

const unit = fc.constantFrom(
  "a",
  "é",
  "語",
  "\u{1F600}",
  '"',
  "\\",
  "\n",
  "\u2028",
  "\ud83d",
  "\0",
  "/",
  "u",
  "__proto__",
);
const text = fc.string({ unit, maxLength: 20 });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1.5e-300, 1e21, -123456789012345),
    // JSON has no negative zero.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    text,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(
      text.filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 5 },
    ),
  ),
}));
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });

describe("JsonStream", () => {
  // Not compared with JSON.parse: that of Node 26 confuses a key that holds an escape with one it has read before.
  test("reads what was written, however it is cut, spaced and escaped", () => {
    fc.assert(
      fc.property(value, sizes, fc.constantFrom("", " ", "\t\r "), fc.boolean(), (data, cuts, space, escapes) => {
        let json = JSON.stringify(data, undefined, space);
        if (space === "\t\r ") json = json.replaceAll("\n", space);
        if (escapes)
          json = json.replaceAll(/[^\0-~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
        expect(read(json, cuts)).toEqual({ value: data });
      }),
      { numRuns: 2_000 },
    );
  });

  test("refuses what JSON.parse refuses", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "a",
      "\\",
      "1",
      "-",
      "true",
      "null",
      " ",
      '"b"',
      '"\\u00',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), sizes, (pieces, cuts) => {
        const json = pieces.join("");
        let expected: { value: unknown } | undefined;
        try {
          expected = { value: JSON.parse(json) };
        } catch {}
        expect(read(json, cuts)).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  test("replaces bytes that are no UTF-8, as a decoder of the whole would", () => {
    const bytes = Buffer.concat([
      Buffer.from('["'),
      Buffer.alloc(100, 0xff),
      Buffer.from([0xe8, 0xaa]),
      Buffer.from('"]'),
    ]);
    for (const size of [1, 3, 7, 1_000]) expect(read(bytes, [size])).toEqual({ value: JSON.parse(bytes.toString()) });
  });

  test("drops keys that name a prototype, however they are spelled", () => {
    for (const key of ["__proto__", "\\u005f_proto__"]) {
      const found = read(`{"${key}":{"admin":true},"a":{"${key}":[1,{"b":2}],"c":3}}`, [4]) as { value: object };
      expect(found).toEqual({ value: { a: { c: 3 } } });
      expect(Object.getPrototypeOf(found.value)).toBe(Object.prototype);
    }
  });

  test("holds depth and the number of values", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(read(nested(20), [7], { depth: 20, values: 100 })).toBeDefined();
    expect(read(nested(21), [7], { depth: 20, values: 100 })).toBeUndefined();
    const list = (count: number): string => JSON.stringify(Array.from({ length: count }, () => ({})));
    expect(read(list(99), [7], { depth: 20, values: 100 })).toBeDefined();
    expect(read(list(100), [7], { depth: 20, values: 100 })).toBeUndefined();
  });

  test("reads a long text in many pieces, each byte once", () => {
    const long = "é\n".repeat(2_000_000);
    expect(read(JSON.stringify(long), [10_000])).toEqual({ value: long });
    expect(read("1".repeat(8_000_000), [10_000])).toBeUndefined();
  });
});
