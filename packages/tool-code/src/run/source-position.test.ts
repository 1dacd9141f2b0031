import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findName, findOnly, findThrow } from "./source-position.ts";

describe("findThrow()", () => {
  test.each([
    ["the only throw", "const a = 1;\n  throw a;", "7", { line: 2, column: 3 }],
    ["the one that throws this value", "if (x) throw 'b';\nthrow 'a';", '"a"', { line: 2, column: 1 }],
    [
      "an object, however it is written",
      'throw {\n  code: 7,\n  why: "x",\n};',
      '{ code: 7, why: "x" }',
      { line: 1, column: 1 },
    ],
    ["none among errors", "throw new Error('a');\nthrow new MyError();\nthrow 1", "1", { line: 3, column: 1 }],
    ["a rejection", "return new Promise((_, reject) => reject(4));", "4", { line: 1, column: 35 }],
    ["nothing where two could be meant", "if (x) throw a;\nthrow b;", "1", undefined],
    ["nothing in texts and comments", "// throw 1\nconst s = 'throw 1' + `throw 1`; /throw 1/;", "1", undefined],
    ["what stands in a template", "`a\n${(() => { throw 1 })()}`", "1", { line: 2, column: 12 }],
    ["no method of that name", "g.throw(1); h.reject(1);", "1", undefined],
    ["a throw without anything", "throw", "1", { line: 1, column: 1 }],
  ])("finds %s", (_, code, shown, position) => {
    const found = findThrow(code, shown);
    expect(found && { line: found.line, column: found.column }).toEqual(position);
  });

  test("names a throw of the program, or nothing, whatever the program is", () => {
    const piece = fc.constantFrom(
      "throw",
      " ",
      "\n",
      "\r\n",
      "'",
      "`",
      "${",
      "}",
      "/",
      "//",
      "/*",
      "*/",
      "reject",
      "(",
      ")",
      "1",
      ";",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.string(), (pieces, shown) => {
        const code = pieces.join("");
        const position = findThrow(code, shown);
        if (position === undefined) return;
        const line = code.split(/\r\n?|\n/)[position.line - 1] ?? "";
        expect(line.slice(position.column - 1)).toMatch(/^(?:throw|reject)/);
      }),
    );
  });

  test("takes programs of 50,000 brackets and quotes", () => {
    for (const text of ["`", "/", "'", "(", "throw ", "reject(", "{", "${", "<!--", "a/"]) {
      const line = findThrow(text.repeat(50_000 / text.length), "'no'")?.line;
      expect([1, undefined]).toContain(line);
    }
  });
});
describe("findName()", () => {
  test("is the name at or after the column, else before it", () => {
    expect(findName("a\nb + b;", "b", { line: 2, column: 3 })).toMatchObject({ line: 2, column: 5 });
    expect(findName("a\nb + c;", "b", { line: 2, column: 3 })).toMatchObject({ line: 2, column: 1 });
    expect(findName("a\nc;", "b", { line: 2, column: 1 })).toBeUndefined();
  });
});

describe("findOnly()", () => {
  test("is where words stand that stand there only", () => {
    expect(findOnly("x;\nPromise . any([])", "Promise", ".", "any")).toMatchObject({ line: 2, column: 1 });
    expect(findOnly("Promise.any([]), Promise.any([])", "Promise", ".", "any")).toBeUndefined();
  });
});
