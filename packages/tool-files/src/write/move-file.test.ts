import fs from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { dataOf, makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";
import { createFileHistory, type FilesError, type FileToolsOptions, openSandbox } from "../index.ts";

const tools = ["move_file", "delete_file", "write_file", "read_file"] as const;

function start(files: Readonly<Record<string, string | Uint8Array>> = {}, options: FileToolsOptions = {}) {
  const worktree = makeWorktree(files);
  return { ...worktree, call: toolsIn(worktree.root, { ...options, tools }) };
}

test("move_file gives files and directories another name, making directories on the way", async () => {
  const { call, text, at } = start({ "a.txt": "a", "dir/sub/b.txt": "b" });
  fs.chmodSync(at("a.txt"), 0o750);
  const moved = await call("move_file", { path: "a.txt", new_path: "new/deep/c.txt" });
  expect(dataOf(moved)).toEqual({ path: "new/deep/c.txt", from: "a.txt" });
  expect(String(moved)).toBe("Moved a.txt to new/deep/c.txt");
  expect(text("new/deep/c.txt")).toBe("a");
  expect(fs.statSync(at("new/deep/c.txt")).mode & 0o777).toBe(0o750);
  expect(fs.existsSync(at("a.txt"))).toBe(false);
  await call("move_file", { path: "dir/", new_path: "other/" });
  expect(text("other/sub/b.txt")).toBe("b");
  expect(fs.existsSync(at("dir"))).toBe(false);
});

test.each([
  ["a file", "b.txt"],
  ["a directory", "full"],
  ["an empty directory", "empty"],
  ["a link", "link"],
  ["a dangling link", "dangling"],
  ["a link to a directory outside", "out"],
])("move_file replaces nothing: %s", async (_what, target) => {
  const { root, outside, at, call } = start({ "a.txt": "a", "b.txt": "b", "full/c.txt": "c", "from/d.txt": "d" });
  fs.mkdirSync(at("empty"));
  fs.symlinkSync("b.txt", at("link"));
  fs.symlinkSync("nothing", at("dangling"));
  fs.symlinkSync(outside, at("out"));
  const before = [snapshot(root), snapshot(outside)];
  for (const path of ["a.txt", "from"]) {
    const refused = await call("move_file", { path, new_path: target });
    expect(refused).toMatchObject({ success: false, code: "file_exists" });
  }
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
});

test.each([
  ["../a.txt", "b.txt", "outside_worktree"],
  ["a.txt", "../root-evil/b.txt", "outside_worktree"],
  ["a.txt", "out/b.txt", "outside_worktree"],
  ["out/secret.txt", "b.txt", "outside_worktree"],
  ["a.txt", "/tmp/b.txt", "outside_worktree"],
  ["out", "b", "wrong_kind"],
  ["missing", "b", "file_not_found"],
  [".", "b", "protected_path"],
  ["dir", ".", "protected_path"],
  ["dir", "dir/sub/dir", "invalid_path"],
  ["dir", "dir", "invalid_path"],
  ["a.txt/", "b.txt", "wrong_kind"],
  ["a.txt", "b.txt/", "wrong_kind"],
  ["pipe", "b", "wrong_kind"],
  [".git", "git", "protected_path"],
  ["dir", ".git", "protected_path"],
  ["a.txt", ".git/hooks/post-checkout", "protected_path"],
  ["a.txt", ".GIT/hooks/post-checkout", "protected_path"],
  ["a.txt", ".g\u200cit/config", "protected_path"],
  ["nested", "other", "protected_path"],
  ["climbing", "deeper/down/climbing", "protected_path"],
  ["hooks", ".git", "protected_path"],
])("move_file of %j to %j is refused: %s", async (path, to, code) => {
  const { root, outside, at, call } = start({
    "a.txt": "a",
    "dir/b.txt": "b",
    ".git/config": "c",
    "nested/repo/.git/config": "c",
    "hooks/hooks/post-checkout": "evil",
  });
  fs.symlinkSync(outside, at("out"));
  fs.mkdirSync(at("climbing"));
  fs.symlinkSync("../a.txt", at("climbing/link"));
  const { execFileSync } = await import("node:child_process");
  execFileSync("mkfifo", [at("pipe")]);
  const before = [snapshot(root), snapshot(outside)];
  const refused = await call("move_file", { path, new_path: to });
  expect(refused).toMatchObject({ success: false, code });
  expect(String(refused)).not.toContain(outside);
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
});

test("move_file asks about what other programs obey, at both places and below them", async () => {
  const { call, at } = start({
    "staged/workflows/ci.yml": "on: push",
    "staged/.vscode/tasks.json": "{}",
    "notes.md": "obey me",
    ".vscode/tasks.json": "{}",
    ".github/workflows/a.yml": "on: push",
  });
  for (const [path, to] of [
    ["notes.md", "AGENTS.md"],
    ["notes.md", "agents.MD"],
    [".vscode", "code"],
    [".github", "github"],
    ["staged", "hidden/.github"],
    ["staged/workflows", ".github/actions"],
  ] as const) {
    const result = await call("move_file", { path, new_path: to });
    expect(result).toMatchObject({ success: false, code: "denied" });
  }
  expect(fs.existsSync(at(".vscode/tasks.json"))).toBe(true);
});

test("move_file moves with a yes what it asked about, and nothing else", async () => {
  const { root, text } = makeWorktree({ "staged/workflows/ci.yml": "on: push" });
  const { createToolRegistry } = await import("@dispatch/tools-interface");
  const { registerFileTools } = await import("../index.ts");
  const registry = registerFileTools(createToolRegistry(), { tools: ["move_file"] });
  const approve = () => ({ approved: true as const });
  const options = { context: { worktreePath: root }, approve };
  const moved = await registry.dispatch("move_file", { path: "staged", new_path: ".github" }, options);
  expect(moved.success, String(moved)).toBe(true);
  expect(text(".github/workflows/ci.yml")).toBe("on: push");
});

test("move_file moves only the version that was named", async () => {
  const { call, text } = start({ "a.txt": "one" });
  const read = await call("read_file", { path: "a.txt" });
  const { version } = dataOf<{ version: string }>(read);
  await call("write_file", { path: "a.txt", content: "two" });
  expect(await call("move_file", { path: "a.txt", new_path: "b.txt", if_version: version })).toMatchObject({
    success: false,
    code: "version_conflict",
  });
  expect(text("a.txt")).toBe("two");
});

test("a move is undone, unless the file was changed or its name taken since", async () => {
  const history = createFileHistory();
  const { root, call, text, at } = start({ "a.txt": "a", "dir/b.txt": "b" }, { history });
  await call("move_file", { path: "a.txt", new_path: "c.txt" });
  await call("move_file", { path: "dir", new_path: "moved" });
  expect(history.changes(root).map(({ path, from }) => [from, path])).toEqual([
    ["dir", "moved"],
    ["a.txt", "c.txt"],
  ]);
  expect(history.undo(root)).toMatchObject({ path: "moved", from: "dir" });
  expect(text("dir/b.txt")).toBe("b");
  fs.writeFileSync(at("c.txt"), "changed");
  expect(() => history.undo(root)).toThrow(/changed since/);
  fs.writeFileSync(at("c.txt"), "a");
  fs.writeFileSync(at("a.txt"), "taken");
  expect(() => history.undo(root)).toThrow(/something of that name again/);
  fs.rmSync(at("a.txt"));
  history.undo(root);
  expect(text("a.txt")).toBe("a");
});

test("move_file looks at up to 10,000 entries, also where the system's list of them is long", async () => {
  const { call, at } = start({ "dir/inner/a.txt": "a" });
  // With "inner" and the file in it.
  const names = Array.from({ length: 9998 }, (_, index) => `${"long-".repeat(16)}${index}`);
  for (const name of names) fs.writeFileSync(at(`dir/${name}`), "");
  const move = { path: "dir", new_path: "other" };
  fs.rmSync(at(`dir/${names[0]}`));
  fs.symlinkSync("../out", at(`dir/${names[0]}`));
  expect(await call("move_file", move)).toMatchObject({ success: false, code: "protected_path" });
  fs.rmSync(at(`dir/${names[0]}`));
  for (const name of ["one", "two"]) fs.writeFileSync(at(`dir/${name}`), "");
  expect(await call("move_file", move)).toMatchObject({ success: false, code: "file_too_large" });
  fs.rmSync(at("dir/two"));
  expect(await call("move_file", move)).toMatchObject({ success: true });
  expect(fs.readdirSync(at("other"))).toHaveLength(9999);
});

test("move_file lets no other writer change the file while it has two names", async () => {
  const { root, text } = makeWorktree({ "a.txt": "a\n" });
  const call = toolsIn(root, { tools: ["move_file"] });
  const other = openSandbox(root);
  onTestFinished(() => other.close());
  const { linkSync } = fs;
  const refused: unknown[] = [];
  const link = vi.spyOn(fs, "linkSync").mockImplementation((from, to) => {
    linkSync(from, to);
    if (!String(to).endsWith("/b.txt")) return;
    link.mockRestore();
    for (const path of ["a.txt", "b.txt"]) {
      try {
        other.changeFile(path, 100, () => Buffer.from("other\n"));
      } catch (error) {
        refused.push((error as FilesError).code);
      }
    }
  });
  onTestFinished(() => link.mockRestore());
  expect(await call("move_file", { path: "a.txt", new_path: "b.txt" })).toMatchObject({ success: true });
  expect(refused).toEqual(["unstable_path", "unstable_path"]);
  expect([fs.readdirSync(root), text("b.txt")]).toEqual([["b.txt"], "a\n"]);
});
