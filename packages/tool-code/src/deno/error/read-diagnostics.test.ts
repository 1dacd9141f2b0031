import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDiagnostics } from "./read-diagnostics.ts";

const at = (line: number, column: number, file = "/tmp/x/main.ts"): string => `    at file://${file}:${line}:${column}`;
const said = (message: string, where: string): string => `TS2304 [ERROR]: ${message}\nquoted source\n~~~\n${where}\n\n`;

describe("readDiagnostics()", () => {
  test("reads message and place, on the first line without what stands before the program", () => {
    const text = `${said("Cannot find name 'a'.", at(1, 31))}${said("Cannot find name 'b'.", at(2, 3))}Found 2 errors.\n`;
    expect(readDiagnostics(text, { lines: 2, offset: 28 })).toEqual([
      { line: 1, column: 3, code: 2304, message: "Cannot find name 'a'." },
      { line: 2, column: 3, code: 2304, message: "Cannot find name 'b'." },
    ]);
  });

  test("leaves out what is said of other lines and of other files", () => {
    const text = said("of the stubs", at(3, 1)) + said("of a file", at(1, 1, "/etc/passwd"));
    expect(readDiagnostics(text, { lines: 2, offset: 0 })).toEqual([]);
  });

  test("passes on no quoted line, whatever it looks like", () => {
    const quoted = fc.array(
      fc.constantFrom("SECRET", "    at ", "file:///tmp/main.ts:1:1", "\n", "[ERROR]: ", "TS", "~~~", " "),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(quoted, (pieces) => {
        const source = pieces.join("").replaceAll(/^TS/gm, " TS");
        const text = `TS1 [ERROR]: m\n${source}\n~~~\n${at(1, 1)}\n`;
        expect(JSON.stringify(readDiagnostics(text, { lines: 2, offset: 0 }))).not.toContain("SECRET");
      }),
    );
  });
});
