import fs from "node:fs";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";
import { createFileHistory } from "../index.ts";

const tools = ["delete_file", "write_file", "create_file", "read_file"] as const;

test("delete_file removes a file, an empty directory, a link itself", async () => {
  const { root, outside, at, text } = makeWorktree({ "a.txt": "a", "b.txt": "b" });
  fs.mkdirSync(at("empty"));
  fs.symlinkSync("b.txt", at("link"));
  fs.symlinkSync(outside, at("out"));
  const before = snapshot(outside);
  const call = toolsIn(root, { tools });
  expect(dataOf(await call("delete_file", { path: "a.txt" }))).toEqual({ path: "a.txt", kind: "file" });
  expect(dataOf(await call("delete_file", { path: "empty/" }))).toEqual({ path: "empty", kind: "directory" });
  expect(dataOf(await call("delete_file", { path: "link" }))).toEqual({ path: "link", kind: "link" });
  expect(dataOf(await call("delete_file", { path: "out" }))).toEqual({ path: "out", kind: "link" });
  expect(fs.readdirSync(root)).toEqual(["b.txt"]);
  expect(text("b.txt")).toBe("b");
  expect(snapshot(outside)).toEqual(before);
});

test.each([
  ["../root-evil/secret.txt", "outside_worktree"],
  ["out/secret.txt", "outside_worktree"],
  ["out/", "wrong_kind"],
  ["missing.txt", "file_not_found"],
  ["full", "wrong_kind"],
  [".", "protected_path"],
  ["full/..", "protected_path"],
  [".git", "protected_path"],
  [".git/config", "protected_path"],
  [".GIT/config", "protected_path"],
  ["git-link/config", "protected_path"],
  ["pipe", "wrong_kind"],
  [".vscode/tasks.json", "denied"],
  ["CLAUDE.md", "denied"],
])("delete_file of %j is refused: %s", async (path, code) => {
  const { root, outside, at } = makeWorktree({
    "full/a.txt": "a",
    ".git/config": "c",
    ".GIT/config": "c",
    ".vscode/tasks.json": "{}",
    "AGENTS.md": "x",
  });
  fs.symlinkSync(outside, at("out"));
  fs.symlinkSync(".git", at("git-link"));
  fs.symlinkSync("AGENTS.md", at("CLAUDE.md"));
  const { execFileSync } = await import("node:child_process");
  execFileSync("mkfifo", [at("pipe")]);
  const before = [snapshot(root), snapshot(outside)];
  expect(await toolsIn(root, { tools })("delete_file", { path })).toMatchObject({ success: false, code });
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
});

test("delete_file deletes only the version that was named", async () => {
  const { root, text } = makeWorktree({ "a.txt": "one" });
  const call = toolsIn(root, { tools });
  const { version } = dataOf<{ version: string }>(await call("read_file", { path: "a.txt" }));
  await call("write_file", { path: "a.txt", content: "two" });
  const refused = await call("delete_file", { path: "a.txt", if_version: version });
  expect(refused).toMatchObject({ success: false, code: "version_conflict" });
  expect(text("a.txt")).toBe("two");
  const now = dataOf<{ version: string }>(await call("read_file", { path: "a.txt" }));
  expect((await call("delete_file", { path: "a.txt", if_version: now.version })).success).toBe(true);
});

test("a deletion is undone: bytes, mode and empty directories come back, a link does not", async () => {
  const history = createFileHistory();
  const { root, at, text } = makeWorktree({ "run.sh": "#!/bin/sh\r\n", "b.txt": "b" });
  fs.chmodSync(at("run.sh"), 0o755);
  fs.mkdirSync(at("empty"));
  fs.symlinkSync("b.txt", at("link"));
  const call = toolsIn(root, { tools, history });
  await call("delete_file", { path: "run.sh" });
  await call("delete_file", { path: "empty" });
  expect(history.changes(root)[0]).toMatchObject({ path: "empty", removed: true });
  history.undo(root);
  expect(fs.statSync(at("empty")).isDirectory()).toBe(true);
  await call("create_file", { path: "run.sh", content: "other" });
  expect(() => history.undo(root, { path: "run.sh" })).not.toThrow();
  history.undo(root);
  expect(text("run.sh")).toBe("#!/bin/sh\r\n");
  expect(fs.statSync(at("run.sh")).mode & 0o111).toBe(0o111);
  await call("delete_file", { path: "link" });
  expect(() => history.undo(root)).toThrow(/not kept/);
});

test("a new file may be made executable, and an old one", async () => {
  const { root, at } = makeWorktree({ "old.sh": "x" });
  fs.chmodSync(at("old.sh"), 0o640);
  const call = toolsIn(root);
  await call("create_file", { path: "new.sh", content: "x", executable: true });
  expect(fs.statSync(at("new.sh")).mode & 0o111).not.toBe(0);
  await call("write_file", { path: "old.sh", content: "y", executable: true });
  expect(fs.statSync(at("old.sh")).mode & 0o777).toBe(0o750);
  await call("write_file", { path: "old.sh", content: "z" });
  expect(fs.statSync(at("old.sh")).mode & 0o777).toBe(0o750);
  await call("write_file", { path: "old.sh", content: "z", executable: false });
  expect(fs.statSync(at("old.sh")).mode & 0o777).toBe(0o640);
});
