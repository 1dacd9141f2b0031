import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { dataOf, makeWorktree, SECRET, snapshot, toolsIn } from "../../test/worktree.ts";
import { createFileHistory, MemoryFileSystem, type FileToolsOptions } from "../index.ts";

const tools = ["apply_patch", "read_file"] as const;

function start(files: Readonly<Record<string, string | Uint8Array>> = {}, options: FileToolsOptions = {}) {
  const worktree = makeWorktree(files);
  const call = toolsIn(worktree.root, { ...options, tools });
  const apply = (...lines: readonly string[]) =>
    call("apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") });
  return { ...worktree, call, apply };
}

// The scenarios of the Codex repository's own tests, by their names there.
describe("apply_patch as Codex does", () => {
  test.each([
    ["add file", {}, ["*** Add File: bar.md", "+This is a new file"], { "bar.md": "This is a new file\n" }],
    [
      "multiple operations",
      { "modify.txt": "line1\nline2\n", "delete.txt": "obsolete\n" },
      [
        "*** Add File: nested/new.txt",
        "+created",
        "*** Delete File: delete.txt",
        "*** Update File: modify.txt",
        "@@",
        "-line2",
        "+changed",
      ],
      { "nested/new.txt": "created\n", "modify.txt": "line1\nchanged\n", "delete.txt": undefined },
    ],
    [
      "multiple chunks",
      { "multi.txt": "line1\nline2\nline3\nline4\n" },
      ["*** Update File: multi.txt", "@@", "-line2", "+changed2", "@@", "-line4", "+changed4"],
      { "multi.txt": "line1\nchanged2\nline3\nchanged4\n" },
    ],
    [
      "move to new directory",
      { "old/name.txt": "old content\n" },
      ["*** Update File: old/name.txt", "*** Move to: renamed/dir/name.txt", "@@", "-old content", "+new content"],
      { "renamed/dir/name.txt": "new content\n", "old/name.txt": undefined },
    ],
    [
      "update file appends trailing newline",
      { "no_newline.txt": "no newline at end" },
      ["*** Update File: no_newline.txt", "@@", "-no newline at end", "+first line", "+second line"],
      { "no_newline.txt": "first line\nsecond line\n" },
    ],
    [
      "pure addition update chunk",
      { "input.txt": "line1\nline2\n" },
      ["*** Update File: input.txt", "@@", "+added line 1", "+added line 2"],
      { "input.txt": "line1\nline2\nadded line 1\nadded line 2\n" },
    ],
    [
      "whitespace padded hunk header",
      { "foo.txt": "old\n" },
      ["  *** Update File: foo.txt", "@@", "-old", "+new"],
      { "foo.txt": "new\n" },
    ],
    [
      "unicode simple",
      { "foo.txt": "line1\nnaïve café\nline3\n" },
      ["*** Update File: foo.txt", "@@", " line1", "-naïve café", "+naïve café ✅"],
      { "foo.txt": "line1\nnaïve café ✅\nline3\n" },
    ],
    [
      "delete file",
      { "keep.txt": "k", "obsolete.txt": "o" },
      ["*** Delete File: obsolete.txt"],
      { "obsolete.txt": undefined, "keep.txt": "k" },
    ],
    [
      "update file deletion only",
      { "lines.txt": "line1\nline2\nline3\n" },
      ["*** Update File: lines.txt", "@@", " line1", "-line2", " line3"],
      { "lines.txt": "line1\nline3\n" },
    ],
    [
      "update file end of file marker",
      { "tail.txt": "first\nsecond\n" },
      ["*** Update File: tail.txt", "@@", " first", "-second", "+second updated", "*** End of File"],
      { "tail.txt": "first\nsecond updated\n" },
    ],
  ] as const)("%s", async (_name, files, lines, after) => {
    const { apply, at } = start(files);
    const result = await apply(...lines);
    expect(result.success, String(result)).toBe(true);
    for (const [path, content] of Object.entries(after as Record<string, string | undefined>))
      expect(fs.existsSync(at(path)) ? fs.readFileSync(at(path), "utf8") : undefined, path).toBe(content);
  });

  test.each([
    ["empty patch", [], "invalid_patch"],
    ["missing context", ["*** Update File: foo.txt", "@@", "-missing", "+changed"], "text_not_found"],
    ["missing file delete", ["*** Delete File: missing.txt"], "file_not_found"],
    ["empty update hunk", ["*** Update File: foo.txt"], "invalid_patch"],
    ["requires existing file for update", ["*** Update File: missing.txt", "@@", "-old", "+new"], "file_not_found"],
    ["delete directory fails", ["*** Delete File: dir"], "wrong_kind"],
    ["invalid hunk header", ["*** Frobnicate File: foo"], "invalid_patch"],
    // Codex replaces files in these two, and keeps the first change in the last.
    [
      "move overwrites existing destination",
      ["*** Update File: foo.txt", "*** Move to: dir/bar.txt", "@@", "-stable", "+new"],
      "file_exists",
    ],
    ["add overwrites existing file", ["*** Add File: foo.txt", "+new"], "file_exists"],
    [
      "failure after partial success",
      ["*** Add File: created.txt", "+hello", "*** Update File: missing.txt", "@@", "-old", "+new"],
      "file_not_found",
    ],
  ] as const)("refuses: %s", async (_name, lines, code) => {
    const { apply, root } = start({ "foo.txt": "stable\n", "dir/bar.txt": "x\n" });
    const before = snapshot(root);
    expect(await apply(...lines)).toMatchObject({ success: false, code });
    expect(snapshot(root)).toEqual(before);
  });

  test.each([
    "*** Begin Patch \n*** Update File: file.txt\n@@\n-one\n+two\n *** End Patch\n",
    "```\n*** Begin Patch\n*** Update File: file.txt\n@@\n-one\n+two\n*** End Patch\n```",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: file.txt\n@@\n-one\n+two\n*** End Patch\nEOF\n",
    "*** Begin Patch\r\n*** Update File: file.txt\r\n@@\r\n-one\r\n+two\r\n*** End Patch\r\n",
  ])("reads %j", async (patch) => {
    const { call, text } = start({ "file.txt": "one\n" });
    const result = await call("apply_patch", { input: patch });
    expect(result.success, String(result)).toBe(true);
    expect(text("file.txt")).toBe("two\n");
  });
});

test("a header tells places apart, also several of them", async () => {
  const file = "class A:\n  def f():\n    return 1\nclass B:\n  def f():\n    return 1\n";
  const { apply, text } = start({ "a.py": file });
  expect(await apply("*** Update File: a.py", "@@", "-    return 1", "+    return 2")).toMatchObject({
    code: "text_ambiguous",
  });
  const result = await apply("*** Update File: a.py", "@@ class B:", "@@   def f():", "-    return 1", "+    return 2");
  expect(result.success, String(result)).toBe(true);
  expect(text("a.py")).toBe(file.replace(/1\n$/, "2\n"));
});

test("a piece is found after the one before it", async () => {
  const { apply, text } = start({ "a.txt": "x\nend\ny\nend\n" });
  await apply("*** Update File: a.txt", "@@", "-y", "+z", "@@", "-end", "+END");
  expect(text("a.txt")).toBe("x\nend\nz\nEND\n");
});

test("bytes that a patch does not name stay: CRLF, encoding, mark", async () => {
  const { apply, read } = start({
    "crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "latin.txt": Buffer.from("caf\xe9 au lait et pass\xe9\r\ntwo\n", "latin1"),
    "wide.txt": Buffer.from("\ufeffone\r\ntwo\r\n", "utf16le"),
  });
  const result = await apply(
    "*** Update File: crlf.txt",
    "@@",
    " one",
    "-two",
    "+2",
    " three",
    "*** Update File: latin.txt",
    "@@",
    "-two",
    "+2",
    "*** Update File: wide.txt",
    "@@",
    "-two",
    "+2",
    "+3",
  );
  expect(result.success, String(result)).toBe(true);
  expect(read("crlf.txt").toString()).toBe("one\r\n2\r\nthree\r\n");
  expect(read("latin.txt").toString("latin1")).toBe("caf\xe9 au lait et pass\xe9\r\n2\n");
  expect(read("wide.txt").toString("utf16le")).toBe("\ufeffone\r\n2\r\n3\r\n");
});

test("a patch is all or nothing, and undone as one", async () => {
  const history = createFileHistory();
  const { apply, root, at } = start({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" }, { history });
  fs.chmodSync(at("b.txt"), 0o755);
  const before = snapshot(root);
  const lines = [
    "*** Update File: a.txt",
    "@@",
    "-a",
    "+A",
    "*** Delete File: b.txt",
    "*** Add File: new/d.txt",
    "+d",
    "*** Update File: c.txt",
    "*** Move to: moved/c.txt",
    "@@",
    "-c",
    "+C",
  ];
  expect((await apply(...lines, "*** Update File: missing", "@@", "-x", "+y")).success).toBe(false);
  expect(snapshot(root)).toEqual(before);
  expect(["new", "moved"].map((name) => fs.existsSync(at(name)))).toEqual([false, false]);
  expect(history.changes(root)).toEqual([]);

  const result = await apply(...lines);
  expect(String(result)).toContain("M a.txt\nD b.txt\nA new/d.txt\nR c.txt -> moved/c.txt");
  const undone = history.undo(root);
  expect([undone, ...(undone.also ?? [])]).toHaveLength(5);
  fs.rmSync(at("new"), { recursive: true });
  fs.rmSync(at("moved"), { recursive: true });
  expect(snapshot(root)).toEqual(before);
  expect(fs.statSync(at("b.txt")).mode & 0o111).toBe(0o111);
});

test("a refused patch leaves none of the directories that it made, and all others", async () => {
  const { apply, at } = start({ "a.txt": "a\n", "here/x.txt": "x\n" });
  for (const name of ["empty", "gone/old"]) fs.mkdirSync(at(name), { recursive: true });
  const entries = () => fs.readdirSync(at("."), { recursive: true }).map(String).toSorted();
  const before = entries();
  for (const file of ["1/2/3/new.txt", "here/4/new.txt", "empty/new.txt", "gone/old/5/new.txt"]) {
    for (const bad of [
      "*** Update File: missing\n@@\n-x\n+y",
      "*** Add File: 6/../../out.txt\n+x",
      "*** Add File: here/x.txt/7/b\n+x",
    ]) {
      const moved = ["*** Update File: a.txt", `*** Move to: ${file}.moved`, "@@", "-a", "+A"];
      const result = await apply(`*** Add File: ${file}`, "+new", ...moved, ...bad.split("\n"));
      expect(result).toMatchObject({ success: false });
      expect(entries()).toEqual(before);
    }
  }
});

test("undo of a patch undoes nothing where one file was changed since", async () => {
  const history = createFileHistory();
  const { apply, root, at } = start({ "a.txt": "a\n", "b.txt": "b\n" }, { history });
  await apply("*** Update File: a.txt", "@@", "-a", "+A", "*** Update File: b.txt", "@@", "-b", "+B");
  fs.writeFileSync(at("a.txt"), "other\n");
  const before = snapshot(root);
  expect(() => history.undo(root)).toThrow(/changed since/);
  expect(snapshot(root)).toEqual(before);
});

test.each([
  ["*** Add File: ../root-evil/new.txt", "outside_worktree"],
  ["*** Add File: /etc/new.txt", "outside_worktree"],
  ["*** Add File: out/new.txt", "outside_worktree"],
  ["*** Add File: .git/hooks/pre-commit", "protected_path"],
  ["*** Add File: .GIT/hooks/pre-commit", "protected_path"],
  ["*** Delete File: out/secret.txt", "outside_worktree"],
  ["*** Delete File: .git/config", "protected_path"],
  ["*** Add File: .vscode/tasks.json", "denied"],
  ["*** Add File: .git/../AGENTS.md", "denied"],
  ["*** Add File: agents.md", "denied"],
  ["*** Update File: a.txt\n*** Move to: ../b.txt", "outside_worktree"],
  ["*** Update File: a.txt\n*** Move to: .git/config2", "protected_path"],
  ["*** Update File: a.txt\n*** Move to: .github/workflows/x.yml", "denied"],
  ["*** Update File: secret-link\n@@\n-x\n+y", "outside_worktree"],
  ["*** Update File: secret-link\n*** Move to: mine.txt", "wrong_kind"],
])("a patch that says %j is refused and changes nothing: %s", async (line, code) => {
  const { apply, root, outside, at } = start({ "a.txt": "a\n", ".git/config": "c" });
  fs.symlinkSync(outside, at("out"));
  fs.symlinkSync("../root-evil/secret.txt", at("secret-link"));
  const before = [snapshot(root), snapshot(outside)];
  // The first change is good, so that it has to be taken back.
  const result = await apply(
    "*** Add File: good.txt",
    "+good",
    ...line.split("\n"),
    ...(line.startsWith("*** Add") ? ["+x"] : []),
  );
  expect(result).toMatchObject({ success: false, code });
  expect(String(result)).not.toContain(SECRET);
  expect([snapshot(root), snapshot(outside)]).toEqual(before);
});

test("a patch is applied in another file system, all or nothing", async () => {
  const fileSystem = new MemoryFileSystem({ "a.txt": "a\n", "b.txt": "b\n" });
  const call = toolsIn("/work", { tools, fileSystem });
  const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const lines = [
    "*** Update File: /work/a.txt",
    "*** Move to: c.txt",
    "@@",
    "-a",
    "+A",
    "*** Delete File: b.txt",
    "*** Add File: d/e.txt",
    "+e",
  ];
  const failed = await call("apply_patch", { patch: patch(...lines, "*** Delete File: missing") });
  expect(failed.success).toBe(false);
  expect(fileSystem.stat("a.txt")?.kind).toBe("file");
  const result = await call("apply_patch", { patch: patch(...lines) });
  expect(result.success, String(result)).toBe(true);
  expect(Buffer.from(fileSystem.readFile("c.txt").bytes).toString()).toBe("A\n");
  expect([fileSystem.stat("a.txt"), fileSystem.stat("b.txt")]).toEqual([undefined, undefined]);
  expect(fileSystem.stat("d/e.txt")?.size).toBe(2);
});

test("apply_patch answers what it did to each file", async () => {
  const { apply } = start({ "a.txt": "a\n" });
  const { changes } = dataOf<{ changes: { path: string; kind: string; version: string | null }[] }>(
    await apply("*** Update File: a.txt", "@@", "-a", "+b"),
  );
  expect(changes).toEqual([{ path: "a.txt", kind: "update", version: expect.stringMatching(/^[\w-]{10}$/) as string }]);
});

test("apply_patch leaves each file whole, the old one or the new one, when its process is killed in the middle", () => {
  const { root, text } = makeWorktree({ "a.txt": "old\n", "b.txt": "old\n" });
  const killed = spawnSync(process.execPath, childArguments("die-patching", root));
  expect([killed.signal, text("a.txt"), text("b.txt")]).toEqual(["SIGKILL", "new\n", "old\n"]);
});

test("a patch that fails gives a deleted file its permissions back", async () => {
  const { apply, at, text } = start({ "key.pem": "key\n", "run.sh": "run\n", "there.txt": "" });
  fs.chmodSync(at("key.pem"), 0o600);
  fs.chmodSync(at("run.sh"), 0o750);
  const result = await apply("*** Delete File: key.pem", "*** Delete File: run.sh", "*** Add File: there.txt", "+x");
  expect(result).toMatchObject({ code: "file_exists" });
  expect([text("key.pem"), text("run.sh")]).toEqual(["key\n", "run\n"]);
  expect(["key.pem", "run.sh"].map((path) => fs.statSync(at(path)).mode & 0o777)).toEqual([0o600, 0o750]);
});

test("a patch deletes a link or a long file, which could not be taken back, only at its end", async () => {
  const { apply, root, at } = start({ "a.txt": "a\n", "there.txt": "" });
  fs.symlinkSync("a.txt", at("link"));
  fs.writeFileSync(at("long.bin"), Buffer.alloc(8 * 1024 * 1024 + 1));
  const before = snapshot(root);
  for (const [path, code] of [
    ["link", "wrong_kind"],
    ["long.bin", "file_too_large"],
  ]) {
    const result = await apply(`*** Delete File: ${path}`, "*** Add File: there.txt", "+x");
    expect(result, path).toMatchObject({ success: false, code });
    expect(snapshot(root), path).toEqual(before);
  }
  for (const path of ["link", "long.bin"])
    expect(await apply("*** Update File: a.txt", "@@", "-a", "+a", `*** Delete File: ${path}`)).toMatchObject({
      success: true,
    });
  expect(fs.readdirSync(root).toSorted()).toEqual(["a.txt", "there.txt"]);
});

test("a patch of which another file system takes nothing back says so, and shows no error of its own", async () => {
  const fileSystem = new MemoryFileSystem({ "a.txt": "a\n", "b.txt": "b\n" });
  const write = fileSystem.writeFile.bind(fileSystem);
  let tries = 0;
  fileSystem.writeFile = (path, bytes, how) => {
    if (path === "a.txt" && (tries += 1) === 1) return write(path, bytes, how);
    throw new Error("failed at /home/host/secret-path");
  };
  const patch =
    "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n*** Update File: b.txt\n@@\n-b\n+B\n*** End Patch";
  const result = await toolsIn("/work", { tools, fileSystem })("apply_patch", { patch });
  expect(result).toMatchObject({ success: false, code: "io_error" });
  expect(String(result)).toMatch(/"b\.txt": the file system failed.*some files stay changed/);
  expect(String(result)).not.toContain("secret-path");
});

test("a patch does not begin anew over what it could not take back in another file system", async () => {
  const fileSystem = new MemoryFileSystem({ "a.txt": "a\nx\n", "b.txt": "b\n" });
  const write = fileSystem.writeFile.bind(fileSystem);
  fileSystem.writeFile = (path, bytes, how) => {
    write(path, bytes, path === "b.txt" ? { ...how, expected: "another" } : how);
    // Another writer changes the file that was just patched.
    if (path === "a.txt") write(path, Buffer.from("A\ny\n"), { expected: fileSystem.readFile(path).revision });
  };
  const history = createFileHistory();
  const patch =
    "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+A\n*** Update File: b.txt\n@@\n-b\n+B\n*** End Patch";
  const result = await toolsIn("/work", { tools, fileSystem, history })("apply_patch", { patch });
  expect(result).toMatchObject({ success: false, code: "file_changed" });
  expect(String(result)).toContain("some files stay changed");
  expect(Buffer.from(fileSystem.readFile("a.txt").bytes).toString()).toBe("A\ny\n");
  // What stays is in the history.
  expect(history.changesIn({ worktreePath: "/work", fileSystem }).map(({ path }) => path)).toEqual(["a.txt"]);
});

test("a patch changes what it has moved in another file system", async () => {
  const fileSystem = new MemoryFileSystem({ "a.txt": "a\n" });
  const patch = `*** Begin Patch
*** Update File: a.txt
*** Move to: b.txt
@@
-a
+b
*** Update File: b.txt
@@
-b
+c
*** Add File: a.txt
+new
*** End Patch`;
  const result = await toolsIn("/work", { tools, fileSystem })("apply_patch", { patch });
  expect(result.success, String(result)).toBe(true);
  const text = (path: string) => Buffer.from(fileSystem.readFile(path).bytes).toString();
  expect([text("a.txt"), text("b.txt")]).toEqual(["new\n", "c\n"]);
});
