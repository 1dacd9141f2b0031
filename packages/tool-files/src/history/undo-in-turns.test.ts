import fs from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";
import { createFileHistory } from "../index.ts";

/** With three other changes and a rename a patch holds no more. */
const FILES = 97;
const names = Array.from({ length: FILES }, (_, index) => `f${index}.txt`);
const PATCH = [
  "*** Begin Patch",
  "*** Add File: added.txt",
  "+new",
  ...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-first", "+other"]),
  "*** Delete File: gone.txt",
  "*** Update File: from.txt",
  "*** Move to: to.txt",
  "*** End Patch",
].join("\n");

/** A worktree in which one patch has changed many files; `before` and `after` are its contents. */
async function start() {
  const text = `first\n${"line\n".repeat(4000)}`;
  const others = { "gone.txt": "gone\n", "from.txt": "moved\n" };
  const worktree = makeWorktree({ ...Object.fromEntries(names.map((name) => [name, text])), ...others });
  const before = snapshot(worktree.root);
  const history = createFileHistory();
  const call = toolsIn(worktree.root, { history, tools: ["apply_patch", "write_file"] });
  const patched = await call("apply_patch", { patch: PATCH });
  expect(patched.success, String(patched)).toBe(true);
  const after = snapshot(worktree.root);
  expect(after).not.toEqual(before);
  const undo = (mayWrite?: (path: readonly string[]) => void) =>
    history.undoIn({ worktreePath: worktree.root }, mayWrite === undefined ? {} : { mayWrite });
  return { ...worktree, history, call, before, after, undo };
}

test("undoIn lets other work go on between the files of a change, and undoes all of it", async () => {
  const { root, before, undo, history } = await start();
  let [turns, running] = [0, true];
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  // Each file takes long by this clock, so that a fast machine lets other work go on, too.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  onTestFinished(() => void vi.restoreAllMocks());
  const undone = await undo();
  running = false;
  expect([undone, ...(undone.also ?? [])]).toHaveLength(FILES + 3);
  expect(turns).toBeGreaterThanOrEqual(FILES);
  expect(snapshot(root)).toEqual(before);
  expect(history.changes(root)).toEqual([]);
});

test("undoIn undoes nothing when a file is changed while it is under way", async () => {
  const { root, at, after, undo, history } = await start();
  const changed = new Set<string>();
  // The first file of the patch is the last to be undone.
  const attempt = undo(([name = ""]) => {
    if (changed.size === 0) fs.writeFileSync(at("f0.txt"), "somebody else's\n");
    changed.add(name);
  });
  await expect(attempt).rejects.toMatchObject({ code: "changed_since" });
  expect(changed.size).toBeGreaterThan(FILES);
  expect(snapshot(root)).toEqual({ ...after, [at("f0.txt")]: "somebody else's\n" });
  expect(history.changes(root)).toHaveLength(FILES + 3);
});

test("undoIn replaces nothing that was changed after it was undone, and says that it stays", async () => {
  const { at, undo, text } = await start();
  const attempt = undo(([name = ""]) => {
    if (name !== "f1.txt" || text("f0.txt") === "somebody else's\n") return;
    for (const path of ["f0.txt", "f90.txt", "gone.txt", "from.txt"]) fs.writeFileSync(at(path), "somebody else's\n");
  });
  await expect(attempt).rejects.toThrow(
    /changed since.*some files stay undone, because they were changed by something/,
  );
  for (const path of ["f0.txt", "f90.txt", "gone.txt"]) expect(text(path), path).toBe("somebody else's\n");
  expect(text("f50.txt")).toMatch(/^other\n/);
});

test("undoIn called twice at once undoes the last change and then the one before it", async () => {
  const { root, call, text, before, undo } = await start();
  expect(await call("write_file", { path: "f0.txt", content: "written\n" })).toMatchObject({ success: true });
  const [first, second] = await Promise.all([undo(), undo()]);
  expect(first).toMatchObject({ path: "f0.txt" });
  expect(first.also).toBeUndefined();
  expect(second.also).toHaveLength(FILES + 2);
  expect(text("f0.txt")).toMatch(/^first\n/);
  expect(snapshot(root)).toEqual(before);
});

test("undoIn undoes a change after another could not be", async () => {
  const { root, at, undo, before, after } = await start();
  fs.writeFileSync(at("f3.txt"), "somebody else's\n");
  const [refused, again] = await Promise.allSettled([undo(), undo()]);
  expect([refused.status, again.status]).toEqual(["rejected", "rejected"]);
  fs.writeFileSync(at("f3.txt"), `other\n${"line\n".repeat(4000)}`);
  expect(snapshot(root)).toEqual(after);
  await undo();
  expect(snapshot(root)).toEqual(before);
});
