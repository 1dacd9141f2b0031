import { describe, expect, test } from "vitest";
import { findPageViolations } from "./page-rules.ts";

/** A tree that keeps every rule, then with the files of the test. */
function tree(planted: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({
      "packages/kettle/README.md": "# Kettle\n\n[Boiling](docs/boiling.md#steam)\n",
      "packages/kettle/docs/boiling.md": `# Boiling\n\nHow to boil.\n\n\`\`\`sh\n# no title\n| ${"x".repeat(300)} |\n\`\`\`\n`,
      ...planted,
    }),
  );
}

describe("findPageViolations()", () => {
  test("finds none when every rule is kept", () => {
    expect(findPageViolations(tree({}))).toEqual([]);
  });

  test("finds a README and a page that are too long", () => {
    const found = findPageViolations(
      tree({
        "packages/kettle/README.md": `[Boiling](docs/boiling.md)\n${"ä".repeat(6_144)}`,
        "packages/kettle/docs/boiling.md": `# Boiling\n\n${"x".repeat(10_239)}`,
      }),
    );
    expect(found).toEqual([
      expect.stringContaining("README.md: 12315 bytes, at most 12288"),
      expect.stringContaining("docs/boiling.md: 10250 bytes, at most 10240"),
    ]);
  });

  test("finds a table cell that is too long", () => {
    const found = findPageViolations(
      tree({ "packages/kettle/docs/boiling.md": `# Boiling\n\nHow.\n\n| a \\| b | ${"x".repeat(201)} |\n` }),
    );
    expect(found).toEqual([expect.stringContaining("docs/boiling.md:5: a table cell of 201 characters")]);
  });

  test.each(["", "## Boiling\n", "# Boiling\n\nHow.\n\n# Steam\n"])(
    "finds a page whose title is not one: %j",
    (text) => {
      expect(findPageViolations(tree({ "packages/kettle/docs/boiling.md": text }))).toContainEqual(
        expect.stringContaining("begins with its title"),
      );
    },
  );

  test.each(["## Steam\n", "| a |\n", "```sh\nboil\n```\n", "- **Steam** is hot.\n"])(
    "finds a page that has no sentence below its title, but %j",
    (text) => {
      expect(findPageViolations(tree({ "packages/kettle/docs/boiling.md": `# Boiling\n\n${text}` }))).toEqual([
        expect.stringContaining("docs/boiling.md: below its title"),
      ]);
    },
  );

  test("finds a page that the README does not link to", () => {
    expect(findPageViolations(tree({ "packages/kettle/docs/steam.md": "# Steam\n\nIt is hot.\n" }))).toEqual([
      "packages/kettle/README.md: no link to docs/steam.md; add it to the table of topics",
    ]);
  });
});
