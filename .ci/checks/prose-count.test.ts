import { describe, expect, test } from "vitest";
import { countProse, proseOf } from "./prose-count.ts";

describe("proseOf()", () => {
  test("keeps the comments of TypeScript in their lines, without code", () => {
    const text = [
      "/** The first. `what` is code. */",
      'const address = "https://example.org"; // the second',
      "// the third, {@link whatever}",
      "/**",
      " * The fourth.",
      " * ```ts",
      " * const what = 1;",
      " * ```",
      " */",
    ].join("\n");
    const prose = proseOf("a.ts", text) ?? "";
    expect(prose.split("\n").map((line) => line.match(/\b(?:first|second|third|fourth|what\w*|example)\b/g))).toEqual([
      ["first"],
      ["second"],
      ["third"],
      null,
      ["fourth"],
      null,
      null,
      null,
      null,
    ]);
  });

  test("keeps the text of a page without its code and addresses", () => {
    const prose = proseOf("a.md", "See [here](what.md) and `what`.\n\n```sh\nwhat\n```\n") ?? "";
    expect(prose).toContain("See [here");
    expect(prose).not.toContain("what");
  });

  test("knows no prose in another file", () => expect(proseOf("a.json", "what")).toBeUndefined());
});

describe("countProse()", () => {
  test.each([
    "What is sent.",
    "It asks whoever is there.",
    "A list of what was read.",
    "The model is told.",
    "whatever",
  ])("counts %j", (text) => expect(countProse(text).places).toEqual([{ line: 1, text }]));

  test.each(["What does it cost?", "It says what to do next.", "Somewhat", "The caller names the file."])(
    "does not count %j",
    (text) => expect(countProse(text).places).toEqual([]),
  );

  test("counts words", () => expect(countProse("Don't count 12 or `x`: well-known").words).toBe(5));
});
