import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

async function edit(file: string | Uint8Array, edits: readonly object[]) {
  const { root, read } = makeWorktree({ "a.txt": file });
  const result = await toolsIn(root)("edit_file", { path: "a.txt", edits });
  return { result, bytes: read("a.txt") };
}

test("replace_all replaces every place and says how many", async () => {
  const { result, bytes } = await edit("a b a\na\n", [{ old_text: "a", new_text: "xy", replace_all: true }]);
  expect(bytes.toString()).toBe("xy b xy\nxy\n");
  expect(String(result)).toContain("edits[0] in 3 places");
  expect(dataOf(result)).toMatchObject({ replaced: [3], matched: ["exact"] });
});

test.each([
  ["overlapping places once each", "aaaa", { old_text: "aa", new_text: "b" }, "bb"],
  ["a text that holds itself", "a a", { old_text: "a", new_text: "aa" }, "aa aa"],
  ["nothing in its place", "xaxa", { old_text: "a", new_text: "" }, "xx"],
  [
    "CRLF lines as they are",
    "a\r\nb\r\na\r\nb\r\n",
    { old_text: "a\nb", new_text: "a\nc\nb" },
    "a\r\nc\r\nb\r\na\r\nc\r\nb\r\n",
  ],
  [
    "mixed line ends, each as around it",
    "a\r\nb\na\nb\n",
    { old_text: "a\nb\n", new_text: "c\nb\n" },
    "c\r\nb\nc\nb\n",
  ],
  ["a single place", "abc", { old_text: "b", new_text: "x" }, "axc"],
] as const)("replace_all replaces %s", async (_what, file, one, now) => {
  const { result, bytes } = await edit(file, [{ ...one, replace_all: true }]);
  expect(result.success, String(result)).toBe(true);
  expect(bytes.toString()).toBe(now);
});

test("replace_all keeps bytes that are no text", async () => {
  const { bytes } = await edit(Buffer.from("one a two\n\xff a\n", "latin1"), [
    { old_text: "a", new_text: "b", replace_all: true },
  ]);
  expect(bytes.toString("latin1")).toBe("one b two\n\xff b\n");
});

test("replace_all refuses what is not there, or would make the file too long", async () => {
  const missing = await edit("abc", [{ old_text: "x", new_text: "y", replace_all: true }]);
  expect(missing.result).toMatchObject({ success: false, code: "text_not_found" });
  const bomb = await edit("a".repeat(9000), [{ old_text: "a", new_text: "b".repeat(20_000), replace_all: true }]);
  expect(bomb.result).toMatchObject({ success: false, code: "file_too_large" });
  const many = await edit("a".repeat(20_000), [{ old_text: "a", new_text: "b", replace_all: true }]);
  expect(many.result).toMatchObject({ success: false, code: "text_ambiguous" });
});

test("replace_all replaces no indented twin", async () => {
  const { result } = await edit("  if (a) {\n    b();\n  }\n\tif (a) {\n\t  b();\n\t}\n", [
    { old_text: "if (a) {\n  b();\n}", new_text: "c();", replace_all: true },
  ]);
  expect(result.success).toBe(false);
});
