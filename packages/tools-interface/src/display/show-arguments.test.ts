import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showArguments } from "./display.ts";

describe("showArguments()", () => {
  test("hides nothing of what a yes would be a yes to", () => {
    const edits = [{ old_text: "a\nb\n", new_text: "c\u001B[8m" }];
    expect(showArguments({ path: ".github/x.yml", edits, content: "1\n2\n", force: true })).toEqual([
      "path: .github/x.yml",
      "@@",
      "-a",
      "-b",
      "+c\uFFFD[8m",
      "content:",
      "  1",
      "  2",
      "force: true",
    ]);
  });

  test.each<[unknown, readonly string[]]>([
    [{ edits: [{ old_text: "a", new_text: "b", replace_all: true }] }, ["@@ replace_all: true", "-a", "+b"]],
    // No edits of text, though a tool of somebody else calls them so.
    [{ edits: [{ command: "rm -rf /" }] }, ['edits: [{"command":"rm -rf /"}]']],
    [{ edits: [{ old_text: "a", new_text: "b" }, "drop"] }, ['edits: [{"old_text":"a","new_text":"b"},"drop"]']],
    [{ edits: [] }, ["edits: []"]],
    [{ "n: 6\nforce": true }, ['"n: 6\\nforce": true']],
    [{ "-a": 1, "@@": 2, "na\u001Bme": 3 }, ['"-a": 1', '"@@": 2', "na\uFFFDme: 3"]],
    [
      { force: "false", n: "5", none: "null", quoted: '"a"' },
      ['force: "false"', 'n: "5"', 'none: "null"', 'quoted: "\\"a\\""'],
    ],
    [{ path: " a", to: "a  b", empty: "" }, ['path: " a"', "to: a  b", 'empty: ""']],
    [{ body: '{"a":1}', date: "2026-01-01" }, ['body: {"a":1}', "date: 2026-01-01"]],
    [{ deep: { text: "a  b\n" } }, ['deep: {"text":"a  b\\n"}']],
    [{ left: undefined, n: null }, ["n: null"]],
    ["{broken\ntext", ["{broken", "text"]],
    [undefined, ["nothing"]],
    [
      ["a", 1],
      ["0: a", "1: 1"],
    ],
  ])("shows %j whole", (params, shown) => expect(showArguments(params)).toEqual(shown));

  test("shows that a value has no JSON", () => {
    expect(showArguments({ big: 10n })).toEqual([expect.stringMatching(/^big: "\(not recorded: .*bigint/)]);
  });

  test("shows no two calls of one tool alike that differ in a value without text of several lines", () => {
    const value = fc.jsonValue({ maxDepth: 2 }).filter((one) => !/\\n|[^ -~]/.test(JSON.stringify(one)));
    fc.assert(
      fc.property(fc.constantFrom("path", "edits", "a b"), value, value, (name, one, other) => {
        const isPlainText = [one, other].some((text) => typeof text === "string" && /^\s*[[{]/.test(text));
        fc.pre(!isPlainText && JSON.stringify(one) !== JSON.stringify(other));
        expect(showArguments({ [name]: one })).not.toEqual(showArguments({ [name]: other }));
      }),
    );
  });

  test("gives each row of an argument to it alone", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (params) => {
        for (const row of showArguments(params)) expect(row).not.toMatch(/[\n\r\u001B]/);
      }),
    );
  });
});
