import fs from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KernelDirectory } from "../src/sandbox/kernel-directory.ts";
import { describeEscapes } from "./attack-escapes.ts";
import { describeNames } from "./attack-names.ts";
import { dataOf, makeWorktree, toolsIn, withoutNote } from "./worktree.ts";

// As on systems without /proc.
beforeEach(() => {
  vi.spyOn(KernelDirectory, "open").mockReturnValue(undefined);
});
afterEach(() => void vi.restoreAllMocks());

describeEscapes();
describeNames();

test.each([{}, { ripgrep: false }] as const)("all tools work in a verified sandbox, %o", async (options) => {
  const { root, at, text } = makeWorktree({ ".gitignore": "out/\n", "out/x": "needle", "a/b.txt": "needle\n" });
  fs.symlinkSync("a", at("link"));
  const call = toolsIn(root, options);
  expect(String(await call("read_file", { path: "link/b.txt" }))).toContain("0\tneedle\n");
  expect(String(await call("write_file", { path: "new/dir/c.txt", content: "one" }))).toMatch(
    /^Created new\/dir\/c\.txt, 3 bytes/,
  );
  expect(String(await call("create_file", { path: "link/d.txt", content: "needle" }))).toMatch(
    /^Created a\/d\.txt, 6 bytes/,
  );
  expect(
    (await call("edit_file", { path: "new/dir/c.txt", edits: [{ old_text: "one", new_text: "two" }] })).success,
  ).toBe(true);
  expect(text("new/dir/c.txt")).toBe("two");
  expect(dataOf<{ files: string[] }>(await call("list_files", {})).files).toEqual([
    ".gitignore",
    "a/b.txt",
    "a/d.txt",
    "new/dir/c.txt",
  ]);
  expect(String(await call("search_files", { query: "needle" }))).toBe("a/b.txt:0: needle\na/d.txt:0: needle");
  expect(withoutNote(await call("search_files", { query: "ne+dle", is_regex: true, path: "link" }))).toBe(
    "a/b.txt:0: needle\na/d.txt:0: needle",
  );
});
