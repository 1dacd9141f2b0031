import { stripVTControlCharacters } from "node:util";
import { failure, success, type ToolResult } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { showCall } from "./call-line.ts";
import { columnsOf, wrapLine } from "./columns.ts";
import { newCall } from "./running-calls.ts";
import type { Screen } from "./screen.ts";

const LONG = "a/very/long/path/with/many/directories/the-file-name.test.ts";

/** The rows of a call in a terminal of this width. */
function rowsOf(width: number, sent: object, result: ToolResult, durationMs = 5): readonly string[] {
  const rows: string[] = [];
  const line = (text = ""): void => void rows.push(...wrapLine(stripVTControlCharacters(text), width));
  const screen = { width, paint: (_, text) => text, line } as Partial<Screen> as Screen;
  const event = { type: "call-end", callId: "1", parentCallId: undefined, name: "read_file" } as const;
  showCall(screen, newCall("read_file", sent), { ...event, result, durationMs }, false);
  return rows;
}

describe("showCall()", () => {
  test("shows the whole file name and the whole reason in a narrow terminal", () => {
    const missing = failure(`Cannot read "${LONG}": it does not exist, list_files shows what exists`);
    const rows = rowsOf(40, { path: LONG }, missing);
    expect(rows.slice(0, 2)).toEqual(["✗ read_file        5 ms", "    path: a/very/…/the-file-name.test.ts"]);
    expect(
      rows
        .slice(2)
        .map((row) => row.trim())
        .join(" "),
    ).toContain("list_files shows what exists");
  });

  test("puts argument and answer into one row where both fit, and shows no row without arguments", () => {
    expect(rowsOf(40, { path: "a.txt" }, success("4 lines"))[1]).toBe("    path: a.txt → 4 lines");
    expect(rowsOf(40, {}, success("x".repeat(60)))[1]).toBe(`    → ${"x".repeat(33)}…`);
  });

  test("keeps a file name whole beside other arguments and a long answer", () => {
    const sent = { path: ".vscode/settings.json", content: "{}" };
    const rows = rowsOf(40, sent, success(`Created .vscode/settings.json, 18 bytes, version KZABho-4wC`));
    expect(rows.slice(1)).toEqual(["    path: .vscode/settings.json …", expect.stringMatching(/^ {4}→ Created .*…$/)]);
  });

  test("shows no time where it is not known without the person's", () => {
    expect(rowsOf(100, { path: "a.txt" }, success("4 lines"), Number.NaN)).toEqual([
      "✓ read_file              path: a.txt → 4 lines",
    ]);
  });

  test.each([20, 24, 40, 60, 61, 62, 100])("is never wider than %i columns", (width) => {
    const texts = ["", "a.txt", LONG, "日本語のとても長い検索語です🙂".repeat(5)];
    for (const path of texts) {
      for (const answer of texts) {
        for (const result of [success(answer), failure(answer || "no")]) {
          const rows = rowsOf(width, { path, query: path }, result);
          for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(width);
          expect(rows.length).toBeLessThan(12);
          // No name of an argument stands without its value.
          if (path !== "") expect(rows.join("\n")).not.toMatch(/(path|query): *(→|,|$)/m);
        }
      }
    }
  });
});
