import fs from "node:fs";
import { expect, test, vi } from "vitest";
import { dataOf, makeWorktree, SECRET, snapshot, toolsIn } from "../test/worktree.ts";

// The real sandbox, of the kind that systems without /proc have.
vi.mock("./open-sandbox.ts", async (original) => {
  const { openSandbox } = await original<typeof import("./open-sandbox.ts")>();
  return { openSandbox: (path: string) => openSandbox(path, { strength: "verified" }) };
});

test.each([{}, { ripgrep: false }] as const)("all tools work in a verified sandbox, %o", async (options) => {
  const { root, at, text } = makeWorktree({ ".gitignore": "out/\n", "out/x": "needle", "a/b.txt": "needle\n" });
  fs.symlinkSync("a", at("link"));
  const call = toolsIn(root, options);
  expect(String(await call("read_file", { path: "link/b.txt" }))).toBe("0\tneedle");
  expect(String(await call("write_file", { path: "new/dir/c.txt", content: "one" }))).toBe(
    "Created new/dir/c.txt, 3 bytes",
  );
  expect(String(await call("create_file", { path: "link/d.txt", content: "needle" }))).toBe("Created a/d.txt, 6 bytes");
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
  expect(String(await call("search_files", { query: "ne+dle", is_regex: true, path: "link" }))).toBe(
    "a/b.txt:0: needle\na/d.txt:0: needle",
  );
});

test("no tool leaves a verified sandbox", async () => {
  const { root, home, outside, at } = makeWorktree();
  fs.symlinkSync(outside, at("out"));
  fs.symlinkSync(`${outside}/not-there`, at("dangling"));
  const before = snapshot(home);
  const call = toolsIn(root);
  const tools = {
    read_file: {},
    write_file: { content: "x" },
    create_file: { content: "x" },
    edit_file: { edits: [{ old_text: SECRET, new_text: "x" }] },
    list_files: {},
    search_files: { query: "outside" },
  };
  for (const [name, params] of Object.entries(tools)) {
    for (const path of [
      "../root-evil/secret.txt",
      "out/secret.txt",
      "out/",
      "out/sub",
      `${outside}/secret.txt`,
      "dangling",
      "out/../x",
    ]) {
      const result = await call(name, { path, ...params });
      expect(result.success, `${name} ${path}`).toBe(false);
      expect(JSON.stringify(result)).not.toContain(home);
    }
  }
  expect(snapshot(home)).toEqual(before);
});
