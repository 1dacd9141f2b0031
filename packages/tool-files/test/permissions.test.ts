import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { childArguments } from "./child-process.ts";
import { makeWorktree } from "./worktree.ts";

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
