import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import type { AfterWriteChange } from "../index.ts";

const tools = [
  "write_file",
  "create_file",
  "edit_file",
  "delete_file",
  "move_file",
  "apply_patch",
  "read_file",
] as const;

test("afterWrite is called after each change, and its notes reach the model", async () => {
  const { root } = makeWorktree({ "a.txt": "a\n" });
  const heard: unknown[] = [];
  const call = toolsIn(root, {
    tools,
    afterWrite({ path, kind, from, worktreePath }: AfterWriteChange) {
      heard.push([kind, path, from, worktreePath === root]);
      return kind === "changed" ? ["a.txt:1: unused", "1 problem"] : undefined;
    },
  });
  const edited = await call("edit_file", { path: "a.txt", edits: [{ old_text: "a", new_text: "b" }] });
  expect(String(edited)).toMatch(/\n\[after the write\]\na\.txt:1: unused\n1 problem$/);
  await call("create_file", { path: "b.txt", content: "b" });
  await call("write_file", { path: "b.txt", content: "c" });
  await call("move_file", { path: "b.txt", new_path: "c.txt" });
  await call("delete_file", { path: "c.txt" });
  await call("apply_patch", {
    patch: "*** Begin Patch\n*** Add File: d.txt\n+d\n*** Update File: a.txt\n@@\n-b\n+c\n*** End Patch",
  });
  await call("write_file", { path: "../b.txt", content: "refused" });
  expect(heard).toEqual([
    ["changed", "a.txt", undefined, true],
    ["created", "b.txt", undefined, true],
    ["changed", "b.txt", undefined, true],
    ["moved", "c.txt", "b.txt", true],
    ["deleted", "c.txt", undefined, true],
    ["created", "d.txt", undefined, true],
    ["changed", "a.txt", undefined, true],
  ]);
});

test("a formatter that changes the file changes the version that is answered", async () => {
  const { root } = makeWorktree();
  const afterWrite = async ({ worktreePath, path }: AfterWriteChange): Promise<undefined> => {
    await fs.promises.writeFile(join(worktreePath, path), "formatted\n");
  };
  const call = toolsIn(root, { tools, afterWrite });
  const written = await call("write_file", { path: "a.txt", content: "raw" });
  const { version } = dataOf<{ version: string }>(written);
  expect(String(written)).toContain(`changed after the write, it is now version ${version}`);
  expect(dataOf(await call("read_file", { path: "a.txt" }))).toMatchObject({ version });
});

test("what afterWrite throws is not shown and undoes nothing", async () => {
  const { root, text } = makeWorktree();
  const afterWrite = () => {
    throw new Error("/home/host/secret");
  };
  const written = await toolsIn(root, { tools, afterWrite })("write_file", { path: "a.txt", content: "x" });
  expect(written.success).toBe(true);
  expect(String(written)).not.toContain("/home/host");
  expect(text("a.txt")).toBe("x");
});
