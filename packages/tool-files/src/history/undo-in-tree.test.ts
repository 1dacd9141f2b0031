import { createToolRegistry } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { makeWorktree } from "../../test/worktree.ts";
import {
  createFileHistory,
  createUndoTool,
  MemoryFileSystem,
  mountFileSystems,
  openFileSystem,
  registerFileTools,
  type FileSystem,
} from "../index.ts";

const tools = ["write_file", "edit_file", "create_file", "delete_file", "move_file", "apply_patch"] as const;
const worktreePath = "/work";

/** Calls on a file system whose changes are kept. */
function start(fileSystem: FileSystem, history = createFileHistory(), approve?: () => boolean) {
  const registry = registerFileTools(createToolRegistry(), { history, tools }).register(createUndoTool(history));
  const context = { worktreePath, fileSystem };
  const call = (name: string, params: object) =>
    registry.dispatch({ name, arguments: params }, { context, ...(approve && { approve }) });
  return { history, context, call, undo: (path?: string) => history.undoIn(context, { path }) };
}

/** Every file of a tree with its contents, and every directory. */
async function contents(fileSystem: FileSystem, directory = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, kind } of await fileSystem.readDirectory(directory)) {
    const path = directory === "" ? name : `${directory}/${name}`;
    if (kind === "directory") Object.assign(found, { [`${path}/`]: "" }, await contents(fileSystem, path));
    else {
      const { executable } = (await fileSystem.stat(path))!;
      found[path] = Buffer.from((await fileSystem.readFile(path)).bytes).toString("latin1") + (executable ? " x" : "");
    }
  }
  return found;
}

const files = { "a.txt": "a\n", "d/b.txt": "b\r\n", "d/e/c.bin": Buffer.from([0, 255]), "f/empty/x": "" };
const patch = [
  "*** Begin Patch",
  "*** Update File: a.txt",
  "@@",
  "-a",
  "+A",
  "*** Delete File: d/b.txt",
  "*** Add File: d/new.txt",
  "+new",
  "*** Update File: d/e/c.bin",
  "*** Move to: d/c.bin",
  "*** End Patch",
].join("\n");

const worlds: readonly (readonly [name: string, make: () => FileSystem])[] = [
  ["memory", () => new MemoryFileSystem(files)],
  [
    "a directory that is mounted",
    () => mountFileSystems({ ".": { fileSystem: openFileSystem(makeWorktree(files).root) } }),
  ],
];

test.each(
  worlds.flatMap(([world, make]) =>
    (
      [
        ["write_file", { path: "a.txt", content: "other", executable: true }],
        ["write_file", { path: "made.txt", content: "new" }],
        ["edit_file", { path: "d/b.txt", edits: [{ old_text: "b", new_text: "B" }] }],
        ["create_file", { path: "d/made.txt", content: "new" }],
        ["delete_file", { path: "d/e/c.bin" }],
        ["move_file", { path: "a.txt", new_path: "d/moved.txt" }],
        ["move_file", { path: "d", new_path: "moved" }],
        ["apply_patch", { patch }],
      ] as const
    ).map(([tool, params]) => [world, tool, params, make] as const),
  ),
)("undoIn() takes back in %s what %s did: %j", async (_world, tool, params, make) => {
  const fileSystem = make();
  const before = await contents(fileSystem);
  const { call, undo, history, context } = start(fileSystem);
  const result = await call(tool, params);
  expect(result.success, String(result)).toBe(true);
  expect(await contents(fileSystem)).not.toEqual(before);
  const { length } = history.changesIn(context);
  const undone = await undo();
  expect(await contents(fileSystem)).toEqual(before);
  expect([undone, ...(undone.also ?? [])]).toHaveLength(length);
  await expect(undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
});

test("undoIn() makes a directory again, and undoes one change after the other", async () => {
  const fileSystem = new MemoryFileSystem(files);
  const { call, undo } = start(fileSystem);
  const before = await contents(fileSystem);
  for (const path of ["f/empty/x", "f/empty"]) expect((await call("delete_file", { path })).success).toBe(true);
  await undo();
  await undo();
  expect(await contents(fileSystem)).toEqual(before);
});

test("undoIn() refuses what was changed since, and changes nothing", async () => {
  const fileSystem = new MemoryFileSystem(files);
  const { call, undo } = start(fileSystem);
  await call("apply_patch", { patch });
  const { revision } = fileSystem.readFile("a.txt");
  fileSystem.writeFile("a.txt", Buffer.from("by another"), { expected: revision });
  const before = await contents(fileSystem);
  await expect(undo()).rejects.toMatchObject({ code: "changed_since" });
  expect(await contents(fileSystem)).toEqual(before);
});

test("undoIn() mixes up no file systems that have the same worktreePath, nor this disk", async () => {
  const history = createFileHistory();
  const [one, other] = [new MemoryFileSystem(files), new MemoryFileSystem(files)].map((fileSystem) =>
    start(fileSystem, history),
  );
  await one!.call("write_file", { path: "a.txt", content: "one" });
  expect(other!.history.changesIn(other!.context)).toEqual([]);
  await expect(other!.undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
  const { root } = makeWorktree({ "a.txt": "disk" });
  expect(history.changes(root)).toEqual([]);
  expect(await one!.undo("a.txt")).toMatchObject({ path: "a.txt" });
});

test("a write that failed is not kept", async () => {
  const reference = new MemoryFileSystem({ "r.txt": "r\n" });
  const fileSystem = mountFileSystems({
    ".": { fileSystem: new MemoryFileSystem(files) },
    reference: { fileSystem: reference, readOnly: true },
  });
  const { call, history, context } = start(fileSystem);
  const both = "*** Begin Patch\n*** Delete File: a.txt\n*** Delete File: reference/r.txt\n*** End Patch";
  expect((await call("apply_patch", { patch: both })).success).toBe(false);
  expect((await call("delete_file", { path: "reference/r.txt" })).success).toBe(false);
  expect(history.changesIn(context)).toEqual([]);
  expect(await contents(fileSystem)).toHaveProperty(["a.txt"]);
});

test("undo_file_change undoes in another file system, and asks for what was asked for", async () => {
  let answer = true;
  const fileSystem = new MemoryFileSystem({ ".vscode/x": "x", "a.txt": "a" });
  const { call } = start(fileSystem, createFileHistory(), () => answer);
  await call("write_file", { path: "a.txt", content: "A" });
  await call("write_file", { path: ".vscode/x", content: "X" });
  answer = false;
  expect(await call("undo_file_change", {})).toMatchObject({ code: "denied" });
  expect(await call("undo_file_change", { path: "a.txt" })).toMatchObject({ success: true });
  answer = true;
  expect(await call("undo_file_change", {})).toMatchObject({ success: true, data: { path: ".vscode/x" } });
  expect(await contents(fileSystem)).toMatchObject({ ".vscode/x": "x", "a.txt": "a" });
});
