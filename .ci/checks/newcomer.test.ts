import { readFileSync } from "node:fs";
import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../machine/run-command.ts";

/** A search that lists more files than this leads nowhere. */
const MAX_FOUND = 12;
const NOT_SOURCE = /\.(?:test|test-d)\.ts$|\/__fixtures__\//;

const text = readFileSync(path.join(root, "AGENTS.md"), "utf8");
const [map = "", section = ""] = text.split("## Where is …\n");
/** The paths that the text before the table names. */
const named = [...map.matchAll(/`(?<file>[^`\s]+)`/g)].map(({ groups }) => groups?.["file"]?.replace(/\/$/, "") ?? "");
const rows = [...section.matchAll(/^\| (?<question>[^|]+?) +\| `(?<word>[^`]+)` +\| `(?<file>[^`]+)` +\|$/gm)].map(
  ({ groups }) => groups as { question: string; word: string; file: string },
);

describe("a newcomer's search leads from AGENTS.md", () => {
  test("for twenty questions", () => {
    expect(rows).toHaveLength(20);
  });

  test.each(rows)("to $question", ({ word, file }) => {
    const [, src = ""] = /^((?:packages|apps)\/[^/]+\/src)\//.exec(file) ?? [];
    // The first hop: a directory below the package's `src`, or `src`, that the map names and that holds the file.
    expect(named).toContainEqual(
      expect.toSatisfy((first: string) => first.startsWith(src) && `${file}/`.startsWith(`${first}/`)),
    );
    // The second hop: a search in it for the whole word.
    const whole = new RegExp(`(?<!\\w)${RegExp.escape(word)}(?![\\w])`, "i");
    const found = globSync(`${src}/**/*.ts`, { cwd: root }).filter(
      (name) => !NOT_SOURCE.test(name) && whole.test(readFileSync(path.join(root, name), "utf8")),
    );
    expect(found).toContain(file);
    expect(found.length).toBeLessThanOrEqual(MAX_FOUND);
  });
});
