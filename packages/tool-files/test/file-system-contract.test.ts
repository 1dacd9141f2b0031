import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { FilesError, MemoryFileSystem, mountFileSystems, openFileSystem, type FileSystem } from "../src/index.ts";
import { dataOf, makeWorktree, SECRET, snapshot, toolsIn } from "./worktree.ts";

const tools = [
  "read_file",
  "write_file",
  "edit_file",
  "create_file",
  "list_files",
  "search_files",
  "delete_file",
  "move_file",
] as const;

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A place where the tools work: their calls, and the state afterwards. */
interface World {
  readonly call: ReturnType<typeof toolsIn>;
  readonly fileSystem: FileSystem | undefined;
  readonly text: (path: string) => Promise<string | undefined>;
}

function onDisk(files: Files): World {
  const { root, at } = makeWorktree(files);
  const text = async (path: string) => (fs.existsSync(at(path)) ? fs.readFileSync(at(path), "latin1") : undefined);
  return { call: toolsIn(root, { tools }), fileSystem: undefined, text };
}

function inFileSystem(fileSystem: FileSystem): World {
  return {
    call: toolsIn("/work", { tools, fileSystem }),
    fileSystem,
    async text(path) {
      const stat = await fileSystem.stat(path);
      if (stat?.kind !== "file") return undefined;
      return Buffer.from((await fileSystem.readFile(path)).bytes).toString("latin1");
    },
  };
}

function opened(root: string): FileSystem {
  const fileSystem = openFileSystem(root);
  onTestFinished(() => fileSystem.close());
  return fileSystem;
}

const worlds: readonly (readonly [string, (files: Files) => World])[] = [
  ["this disk", onDisk],
  ["memory", (files) => inFileSystem(new MemoryFileSystem(files))],
  ["a sandbox as a file system", (files) => inFileSystem(opened(makeWorktree(files).root))],
  [
    "one root of several",
    (files) =>
      inFileSystem(
        mountFileSystems({
          ".": { fileSystem: new MemoryFileSystem(files) },
          "other-root": { fileSystem: new MemoryFileSystem(), readOnly: true },
        }),
      ),
  ],
];

describe.each(worlds)("in %s", (_name, make) => {
  test("the tools read, write, edit, create, move and delete", async () => {
    const { call, text } = make({ "src/a.ts": "one\r\ntwo\r\n", "latin.txt": Buffer.from([0x63, 0xe9, 0x0a]) });
    expect(String(await call("read_file", { path: "src/a.ts", start_line: 1 }))).toMatch(/^1\ttwo\n/);
    const edit = { path: "src/a.ts", edits: [{ old_text: "two", new_text: "three" }] };
    expect(dataOf(await call("edit_file", edit))).toMatchObject({ path: "src/a.ts", matched: ["exact"] });
    expect(await text("src/a.ts")).toBe("one\r\nthree\r\n");
    expect(dataOf(await call("write_file", { path: "new/deep/b.txt", content: "b" }))).toMatchObject({ created: true });
    expect(dataOf(await call("write_file", { path: "new/deep/b.txt", content: "c" }))).toMatchObject({
      created: false,
    });
    expect(await call("create_file", { path: "new/deep/b.txt", content: "d" })).toMatchObject({ code: "file_exists" });
    expect((await call("create_file", { path: "new/e.txt", content: "e" })).success).toBe(true);
    expect(dataOf(await call("move_file", { path: "new", new_path: "moved/here" }))).toMatchObject({
      path: "moved/here",
    });
    expect(await text("moved/here/deep/b.txt")).toBe("c");
    expect(dataOf(await call("move_file", { path: "moved/here/e.txt", new_path: "f.txt" }))).toMatchObject({
      path: "f.txt",
    });
    expect(dataOf(await call("delete_file", { path: "f.txt" }))).toEqual({ path: "f.txt", kind: "file" });
    expect(await text("f.txt")).toBeUndefined();
    expect(await call("delete_file", { path: "moved" })).toMatchObject({ code: "wrong_kind" });
    expect(await call("move_file", { path: "src/a.ts", new_path: "latin.txt" })).toMatchObject({ code: "file_exists" });
  });

  test("the tools list and search as on this disk", async () => {
    const files: Files = {
      ".gitignore": "out/\n*.log\n",
      "a.ts": "needle\n",
      "b/c.ts": "x\nneedle y\n",
      "b/.gitignore": "!kept.log\n",
      "b/kept.log": "needle\n",
      "b/lost.log": "needle\n".repeat(3),
      "out/d.ts": "needle\n",
      ".git/config": "needle\n",
    };
    const [here, there] = [onDisk(files), make(files)];
    for (const [name, params] of [
      ["list_files", {}],
      ["list_files", { pattern: "*.ts" }],
      ["list_files", { path: "b" }],
      ["list_files", { path: "out" }],
      ["list_files", { recursive: false }],
      ["list_files", { include_ignored: true }],
      ["list_files", { include_ignored: true, sort: "size", limit: 2, path: "b" }],
      ["list_files", { path: ".git" }],
      ["list_files", { path: "missing" }],
      ["search_files", { query: "needle" }],
      ["search_files", { query: "needle", path: "b/c.ts" }],
      ["search_files", { query: "^needle$", is_regex: true, include_ignored: true }],
      ["search_files", { query: "needle", pattern: "*.ts", mode: "count" }],
      ["read_file", { path: "b" }],
      ["read_file", { path: "missing" }],
      ["read_file", { path: "a.ts/b" }],
      ["edit_file", { path: "a.ts", edits: [{ old_text: "absent", new_text: "x" }] }],
    ] as const) {
      const answers = [await here.call(name, params), await there.call(name, params)].map((result) =>
        String(result).replaceAll(/other-root\/?\n?/g, ""),
      );
      expect(answers[1], JSON.stringify(params)).toBe(answers[0]);
    }
  });

  test("no path leads out, and protected paths are protected", async () => {
    const { call, text } = make({ "a.txt": "a", "AGENTS.md": "x", "staged/workflows/ci.yml": "x" });
    for (const path of ["../secret", "/etc/passwd", "staged/../../secret", "/work/../etc/passwd", "/workers/a"]) {
      for (const name of ["read_file", "list_files", "delete_file"])
        expect(await call(name, { path }), path).toMatchObject({ success: false, code: "outside_worktree" });
      expect(await call("write_file", { path, content: "" })).toMatchObject({ code: "outside_worktree" });
      expect(await call("move_file", { path: "a.txt", new_path: path })).toMatchObject({ code: "outside_worktree" });
    }
    expect(await call("write_file", { path: ".git/hooks/pre-commit", content: "" })).toMatchObject({
      code: "protected_path",
    });
    for (const path of ["AGENTS.md", "agents.md", "staged/../.vscode/tasks.json"])
      expect(await call("write_file", { path, content: "" }), path).toMatchObject({ code: "denied" });
    const moved = await call("move_file", { path: "staged", new_path: ".github" });
    expect(moved.success).toBe(false);
    expect(await text("staged/workflows/ci.yml")).toBe("x");
  });

  test("of edits made at the same time none is lost", async () => {
    const { call, text } = make({ "a.txt": Array.from({ length: 8 }, (_, index) => `line ${index}.\n`).join("") });
    const edits = Array.from({ length: 8 }, (_, index) =>
      call("edit_file", { path: "a.txt", edits: [{ old_text: `line ${index}.`, new_text: `done ${index}.` }] }),
    );
    expect((await Promise.all(edits)).map(({ success }) => success)).toEqual(Array(8).fill(true));
    expect(await text("a.txt")).toBe(Array.from({ length: 8 }, (_, index) => `done ${index}.\n`).join(""));
  });

  test("if_version holds", async () => {
    const { call, text } = make({ "a.txt": "one\ntwo\n" });
    const { version } = dataOf<{ version: string }>(await call("read_file", { path: "a.txt" }));
    await call("write_file", { path: "a.txt", content: "one\n2\n" });
    for (const [name, params] of [
      ["write_file", { content: "x" }],
      ["delete_file", {}],
      ["move_file", { new_path: "b.txt" }],
      ["edit_file", { edits: [{ old_text: "2", new_text: "3" }] }],
    ] as const)
      expect(await call(name, { path: "a.txt", if_version: version, ...params }), name).toMatchObject({
        code: "version_conflict",
      });
    expect(await text("a.txt")).toBe("one\n2\n");
  });
});

test("several roots: a read-only one is read and not changed, moves stay in their root", async () => {
  const disk = makeWorktree({ "b.txt": "from disk\n" });
  const main = new MemoryFileSystem({ "a.txt": "a\n", "docs/hidden.txt": "hidden by the mount\n" });
  const fileSystem = mountFileSystems({
    ".": { fileSystem: main },
    docs: { fileSystem: opened(disk.root), readOnly: true },
  });
  const call = toolsIn("/work", { tools, fileSystem });
  expect(String(await call("list_files", {}))).toBe("a.txt\ndocs/b.txt");
  expect(String(await call("read_file", { path: "/work/docs/b.txt" }))).toContain("from disk");
  expect(String(await call("search_files", { query: "disk" }))).toBe("docs/b.txt:0: from disk");
  for (const [name, params] of [
    ["write_file", { path: "docs/b.txt", content: "" }],
    ["write_file", { path: "docs/new.txt", content: "" }],
    ["edit_file", { path: "docs/b.txt", edits: [{ old_text: "from", new_text: "to" }] }],
    ["delete_file", { path: "docs/b.txt" }],
    ["move_file", { path: "docs/b.txt", new_path: "docs/c.txt" }],
    ["move_file", { path: "a.txt", new_path: "docs/a.txt" }],
    ["delete_file", { path: "docs" }],
  ] as const)
    expect((await call(name, params)).success, name).toBe(false);
  expect(await call("write_file", { path: "a.txt", content: "b\n" })).toMatchObject({ success: true });
  expect(fs.readdirSync(disk.root)).toEqual(["b.txt"]);
});

test("a sandbox as a file system follows links inside and none that leads out", async () => {
  const { root, outside, at } = makeWorktree({ "a/b.txt": "b\n", "AGENTS.md": "x" });
  fs.symlinkSync("a", at("link"));
  fs.symlinkSync("AGENTS.md", at("notes.md"));
  fs.symlinkSync(join(outside, "secret.txt"), at("out.txt"));
  fs.symlinkSync(outside, at("out"));
  const before = snapshot(outside);
  const call = toolsIn("/work", { tools, fileSystem: opened(root) });
  expect(dataOf(await call("read_file", { path: "link/b.txt" }))).toMatchObject({ path: "a/b.txt" });
  const written = await call("write_file", { path: "link/c.txt", content: "c" });
  expect(dataOf(written)).toMatchObject({ path: "a/c.txt" });
  for (const path of ["out.txt", "out/secret.txt", "out/new.txt"]) {
    for (const [name, params] of [
      ["read_file", {}],
      ["write_file", { content: "x" }],
      ["search_files", { query: "secret" }],
    ] as const) {
      const result = String(await call(name, { path, ...params }));
      expect(result).not.toContain(SECRET);
    }
  }
  expect(await call("write_file", { path: "notes.md", content: "obey" })).toMatchObject({ code: "protected_path" });
  expect(snapshot(outside)).toEqual(before);
});

test("a hostile file system gets nothing written outside its copy, and its errors are not shown", async () => {
  const hostile = (name: string): FileSystem => ({
    stat: (path) => ({ path, kind: path === "" ? "directory" : "file", size: 1, modifiedMs: 0, executable: false }),
    readFile: () => {
      throw new Error("/home/host/secret-path");
    },
    readDirectory: () => [{ name, kind: "file" }],
    writeFile: () => {
      throw new FilesError("no");
    },
    remove: () => {},
    rename: () => {},
    makeDirectory: () => {},
  });
  for (const name of ["../escaped.txt", "..", "a/b", "a\0b", ""]) {
    const call = toolsIn("/work", { tools, fileSystem: hostile(name) });
    expect(await call("search_files", { query: "x" }), name).toMatchObject({ success: false, code: "io_error" });
  }
  const result = await toolsIn("/work", { tools, fileSystem: hostile("a") })("read_file", { path: "a" });
  expect(String(result)).not.toContain("secret-path");
});

test("the copies of a call are gone afterwards", async () => {
  // Tests that run beside this one stage files too.
  const directory = fs.mkdtempSync(join(tmpdir(), "dispatch-copies-"));
  vi.stubEnv("TMPDIR", directory);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    fs.rmSync(directory, { recursive: true });
  });
  const call = toolsIn("/work", { tools, fileSystem: new MemoryFileSystem({ "a.txt": "a" }) });
  await call("read_file", { path: "a.txt" });
  await call("search_files", { query: "a" });
  await call("read_file", { path: "missing" });
  await call("edit_file", { path: "a.txt", edits: [{ old_text: "b", new_text: "c" }] });
  expect(fs.readdirSync(directory)).toEqual([]);
});
