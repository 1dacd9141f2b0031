import fc from "fast-check";
import { expect, test } from "vitest";
import { searchInSameThread } from "../../test/same-thread-search.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { FilesError } from "../error/files-error.ts";
import { toJavaScriptRegex } from "./regex-dialect.ts";

searchInSameThread();

test("toJavaScriptRegex() refuses what JavaScript cannot say the same way", () => {
  for (const pattern of [
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    "(a)\\1",
    "\\k<n>",
    "[[:alpha:]]",
    "[a&&b]",
    "[\\W]",
    "(?x)a",
    "a(?i)b",
    "[\\PL]",
    "(?i:a)b",
    "\\A",
    "\\z",
    "\\b{start}",
    "\\<a",
    "a\\nb",
    "a\\r",
    "\\x0D",
    "(",
    "a**",
  ]) {
    expect(() => toJavaScriptRegex(pattern, "Cannot search"), pattern).toThrow(FilesError);
  }
});

test("toJavaScriptRegex() finds the lines that ripgrep finds", async () => {
  const lines = [
    "",
    "a",
    "ab",
    "A-b",
    "ä ß",
    "x1_y",
    "tab\there",
    "[set]",
    "{2}",
    "a.b",
    "a+b",
    "(a|b)",
    "back\\slash",
    "١٢",
    "a\u00a0b",
    "end  ",
    "aaa",
    "ab ab",
    "é",
    "日本語",
    "$1^",
    "a-z",
    "~!@#%&",
    "a/b",
    '"q"',
    "a\u2028b",
    "a]b",
  ];
  const { root } = makeWorktree({ "a.txt": lines.join("\n"), "b.txt": `${lines.join("\r\n")}\r\n` });
  const [ripgrep, builtin] = [toolsIn(root), toolsIn(root, { ripgrep: false })];
  const fixed = [
    "a",
    "^a",
    "b$",
    ".",
    "^.$",
    "\\d+",
    "\\w+",
    "^\\W",
    "\\s",
    "\\S+\\s+\\S",
    "\\bab\\b",
    "\\Bb",
    "[a-c]+",
    "[^a-z]",
    "[\\d_]",
    "[\\w-]$",
    "[]a]",
    "[^]a]",
    "a{2,}",
    "a{3}",
    "(a|b)+",
    "(?:a)b",
    "(?P<n>a)b",
    "(?<n>a)b",
    "(?i)A",
    "(?i)Ä",
    "\\.",
    "\\[",
    "\\{2\\}",
    "\\\\",
    "\\-",
    "\\/",
    "\\x61",
    "\\x{61}",
    "\\u{61}",
    "\\pL",
    "\\p{Greek}",
    "\\p{Lu}",
    "\\PL",
    "\\t",
    "x*",
    "^$",
    "\\$1\\^",
    "[a/]",
    "[.]",
    "\\~",
    '\\"',
    "a|",
    "]",
    "[a\\]]",
    "\\#",
    "[&]",
    "[~!]",
    "a-z",
    "(?i)[A-B]",
    "[(?:]",
    "[{2}]",
    "[(?]b",
    "[\\^a]",
    "[a^]",
    "[^^]",
    "\\p{Letter}",
    "/",
  ];
  const arbitrary = fc
    .array(
      fc.constantFrom(
        "a",
        "b",
        ".",
        "\\w",
        "\\d",
        "\\s",
        "\\b",
        "[ab]",
        "[^a]",
        "^",
        "$",
        "|",
        "(?:ab)",
        "*",
        "+",
        "?",
        "-",
        "{2}",
        "é",
        " ",
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.join(""));
  const agree = async (query: string) => {
    const [one, other] = await Promise.all([
      ripgrep("search_files", { query, is_regex: true }),
      builtin("search_files", { query, is_regex: true }),
    ]);
    // What one of them refuses is not to be compared: a refusal is no wrong answer.
    if (one.success && other.success) expect(dataOf(other), query).toEqual(dataOf(one));
    return one.success && other.success;
  };
  for (const query of fixed) expect(await agree(query), query).toBe(true);
  await fc.assert(
    fc.asyncProperty(arbitrary, async (query) => void (await agree(query))),
    { numRuns: 30 },
  );
});
