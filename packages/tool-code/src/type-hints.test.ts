import { describe, expect, test } from "vitest";
import type { CodeError } from "./code-outcome.ts";
import type { CodeDiagnostic } from "./type-checker.ts";
import { mayHelp, typeHints } from "./type-hints.ts";

const failed = (part: Partial<CodeError> = {}): CodeError => ({
  kind: "runtime",
  message: "TypeError: x",
  line: 5,
  stack: [],
  ...part,
});
const said = (line: number, code: number): CodeDiagnostic => ({ line, column: 2, code, message: `said ${code}` });

describe("typeHints()", () => {
  test("tells what concerns the line that failed, then unknown names elsewhere", () => {
    const all = [said(1, 2304), said(2, 2322), said(5, 2345), said(5, 2532)];
    expect(typeHints(all, failed())).toEqual([
      "main.ts:5:2: said 2345",
      "main.ts:5:2: said 2532",
      "main.ts:1:2: said 2304",
    ]);
  });

  test("tells three at most", () => {
    expect(
      typeHints(
        Array.from({ length: 9 }, (_, at) => said(at, 2339)),
        failed(),
      ).length,
    ).toBe(3);
  });

  test("leaves out what is said of every value without a type", () => {
    expect(typeHints([said(5, 7006), said(5, 18_046), said(5, 2571)], failed())).toEqual([]);
  });
});

describe("mayHelp()", () => {
  test.each([
    ["an error that types foresee", failed(), false, true],
    ["an unknown name", failed({ message: "ReferenceError: x is not defined" }), false, true],
    ["an error of the program's own", failed({ message: "Error: x" }), false, false],
    ["a tool that refused the parameters", failed({ kind: "tool", message: "x" }), true, true],
    ["a tool that failed", failed({ kind: "tool", message: "TypeError" }), false, false],
    ["a limit", failed({ kind: "timeout" }), false, false],
    ["what cannot be parsed", failed({ kind: "syntax" }), false, false],
  ])("%s", (_, error, isRefused, expected) => {
    expect(mayHelp(error, isRefused)).toBe(expected);
  });
});
