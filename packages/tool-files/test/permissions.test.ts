import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { childArguments } from "./child-process.ts";
import { makeWorktree, snapshot, toolsIn } from "./worktree.ts";

/** Calls tools in another process, as nobody if this one is root, who has all permissions. */
async function callAsNobody(
  root: string,
  calls: readonly (readonly [string, unknown])[],
): Promise<{ success: boolean; code?: string; output?: string; error?: string }[]> {
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const { stdout } = await promisify(execFile)(
    process.execPath,
    childArguments("call-tools", root, JSON.stringify(calls)),
    { ...nobody, cwd: "/", env: {} },
  );
  return JSON.parse(stdout) as never;
}

test("missing permission is a failure that says so, and nothing is skipped silently", async ({ skip }) => {
  skip(process.platform === "win32", "Windows has no such permissions");
  const { home, root, at } = makeWorktree({
    "secret.txt": "needle",
    "readonly.txt": "old",
    "locked/x.txt": "needle",
    "open.txt": "needle",
    "closed/y.txt": "needle",
  });
  fs.chmodSync(home, 0o755);
  fs.chmodSync(root, 0o777);
  fs.chmodSync(at("secret.txt"), 0o600);
  fs.chmodSync(at("readonly.txt"), 0o444);
  fs.chmodSync(at("locked"), 0o700);
  fs.chmodSync(at("closed"), 0o755);
  // A file that may be written, in a directory that may not.
  fs.chmodSync(at("closed/y.txt"), 0o666);
  const owned = process.getuid?.() === 0;
  if (!owned) for (const path of ["secret.txt", "locked"]) fs.chmodSync(at(path), 0o000);
  if (!owned) fs.chmodSync(at("closed"), 0o555);
  const [read, inside, write, edit, create, replace, change, list, search, builtin] = await callAsNobody(root, [
    ["read_file", { path: "secret.txt" }],
    ["read_file", { path: "locked/x.txt" }],
    ["write_file", { path: "readonly.txt", content: "new" }],
    ["edit_file", { path: "readonly.txt", edits: [{ old_text: "old", new_text: "new" }] }],
    ["create_file", { path: "closed/new.txt", content: "new" }],
    ["write_file", { path: "closed/y.txt", content: "new" }],
    ["edit_file", { path: "closed/y.txt", edits: [{ old_text: "needle", new_text: "new" }] }],
    ["list_files", {}],
    ["search_files", { query: "needle" }],
    ["search_files without ripgrep", { query: "needle" }],
  ]);
  for (const result of [read, inside, write, edit, create, replace, change]) {
    expect(result).toMatchObject({ success: false, code: "permission_denied" });
    expect(result?.error).not.toContain(home);
  }
  expect(list?.output).toContain("[1 directory could not be read: locked]");
  for (const result of [search, builtin])
    expect(result?.output).toBe(
      "closed/y.txt:0: needle\nopen.txt:0: needle\n[2 could not be read: locked, secret.txt]",
    );
  fs.chmodSync(at("locked"), 0o700);
  fs.chmodSync(at("closed"), 0o755);
  expect(fs.readFileSync(at("readonly.txt"), "utf8")).toBe("old");
  expect(fs.readFileSync(at("closed/y.txt"), "utf8")).toBe("needle");
  expect(fs.readdirSync(at("closed"))).toEqual(["y.txt"]);
  expect(fs.readdirSync(root).toSorted()).toEqual(["closed", "locked", "open.txt", "readonly.txt", "secret.txt"]);
});

test("a read-only file system is named as such, and no permission is asked for", async ({ skip }) => {
  const { root, at } = makeWorktree({ "fixed/a.txt": "old", "fixed/b/c.txt": "old" });
  const mount = (...args: readonly string[]) => spawnSync("mount", args).status === 0;
  const isMounted = mount("--bind", at("fixed"), at("fixed"));
  skip(!isMounted, "no directory may be mounted here");
  onTestFinished(() => void spawnSync("umount", [at("fixed")]));
  expect(mount("-o", "remount,bind,ro", at("fixed"))).toBe(true);
  const before = snapshot(root);
  const call = toolsIn(root, {
    tools: ["write_file", "create_file", "edit_file", "delete_file", "move_file", "apply_patch"],
  });
  const edits = [{ old_text: "old", new_text: "new" }];
  const patch = "*** Begin Patch\n*** Delete File: fixed/a.txt\n*** End Patch\n";
  for (const [name, params] of [
    ["write_file", { path: "fixed/a.txt", content: "new" }],
    ["write_file", { path: "fixed/new/a.txt", content: "new" }],
    ["create_file", { path: "fixed/new.txt", content: "new" }],
    ["edit_file", { path: "fixed/a.txt", edits }],
    ["delete_file", { path: "fixed/a.txt" }],
    ["delete_file", { path: "fixed/b/c.txt" }],
    ["move_file", { path: "fixed/a.txt", new_path: "fixed/moved.txt" }],
    ["apply_patch", { patch }],
  ] as const) {
    const result = await call(name, params);
    expect([name, result]).toMatchObject([name, { success: false, code: "read_only" }]);
    expect(String(result)).toContain("read-only");
    expect(String(result)).not.toMatch(/ask for it/);
  }
  expect(snapshot(root)).toEqual(before);
});

test("a file is deleted from a disk that has room for nothing more", async ({ skip }) => {
  const { root } = makeWorktree();
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,nr_inodes=4", "tmpfs", root]).status === 0;
  skip(!isMounted, "no disk may be mounted here");
  onTestFinished(() => void spawnSync("umount", [root]));
  const call = toolsIn(root, { tools: ["create_file", "delete_file"] });
  for (const path of ["a.txt", "b.txt", "c.txt"]) fs.writeFileSync(`${root}/${path}`, "x");
  expect(await call("create_file", { path: "d.txt", content: "x" })).toMatchObject({ code: "no_space" });
  expect(await call("delete_file", { path: "b.txt" })).toMatchObject({ success: true });
  expect(fs.readdirSync(root).toSorted()).toEqual(["a.txt", "c.txt"]);
});
