import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

async function edit(file: string | Uint8Array, old_text: string, new_text: string) {
  const { root, read } = makeWorktree({ "a.txt": file });
  const result = await toolsIn(root)("edit_file", { path: "a.txt", edits: [{ old_text, new_text }] });
  return { result, bytes: read("a.txt"), text: read("a.txt").toString() };
}

test.each([
  ["a no-break space", "one\u00a0two\n", "one two", "three", "three\n"],
  ["a smart quote", "it\u2019s here\n", "it's here", "gone", "gone\n"],
  ["double quotes", "say \u201chi\u201d\n", 'say "hi"', "x", "x\n"],
  ["a dash", "a \u2013 b\u2011c\n", "a - b-c", "x", "x\n"],
  ["a dash in the text looked for", "a - b\n", "a \u2014 b", "x", "x\n"],
  ["plain in the file", "it's\n", "it\u2019s", "x", "x\n"],
  ["several lines", "a\nb\u00a0c\nd\n", "a\nb c\nd", "a\nb c\ne", "a\nb\u00a0c\ne\n"],
  ["after other wide characters", "é — ü it\u2019s é\n", "it's", "is", "é — ü is é\n"],
  ["with CRLF", "a\u00a0b\r\nc\r\n", "a b\nc", "d\nc", "d\r\nc\r\n"],
])("edit_file finds a text that differs only in %s, and says so", async (_what, file, old, now, after) => {
  const { result, text } = await edit(file, old, now);
  expect(result.success, String(result)).toBe(true);
  expect(text).toBe(after);
  expect(dataOf(result)).toMatchObject({ matched: ["characters"] });
  expect(String(result)).toContain("found with other quotes, dashes or spaces");
});

test("edit_file finds it in UTF-16, too", async () => {
  const file = Buffer.from("\ufeffa\u00a0b\n", "utf16le");
  const { bytes, result } = await edit(file, "a b", "c");
  expect(result.success, String(result)).toBe(true);
  expect(bytes.equals(Buffer.from("\ufeffc\n", "utf16le"))).toBe(true);
});

test("a text that is there exactly is not confused with one that looks alike", async () => {
  const { text } = await edit("it\u2019s\nit's\n", "it's", "x");
  expect(text).toBe("it\u2019s\nx\n");
});

test("several places that look alike are ambiguous", async () => {
  const { result } = await edit("it\u2019s\nit\u2018s\n", "it's", "x");
  expect(result).toMatchObject({ success: false, code: "text_ambiguous" });
});

test("a difference in quotes among others is shown escaped", async () => {
  const { result } = await edit("const name = it\u2019s\u00a0here;\n", "const name = it's here,;", "x");
  expect(result).toMatchObject({ success: false, code: "text_not_found" });
  expect(String(result)).toContain("it\\u2019s\\u00a0here");
});
