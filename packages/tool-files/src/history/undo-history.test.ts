import { execFile } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";
import { createFileHistory, FilesError, openSandbox, type FileHistoryOptions } from "../index.ts";

function codeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return error.code;
  }
}

describe.each(["memory", "a directory"])("in %s", (where) => {
  function start(files: Readonly<Record<string, string>> = {}, bounds: Omit<FileHistoryOptions, "directory"> = {}) {
    const worktree = makeWorktree(files);
    const directory = join(worktree.home, "journal");
    const options = { ...bounds, ...(where === "a directory" && { directory }) };
    const history = createFileHistory(options);
    const call = toolsIn(worktree.root, { history });
    return {
      ...worktree,
      directory,
      options,
      history,
      call,
      undo: (path?: string) => history.undo(worktree.root, { path }),
    };
  }

  test("undo() gives a deleted file its permissions back", async () => {
    const { at, root, history, undo } = start({ "key.pem": "key\n" });
    fs.chmodSync(at("key.pem"), 0o600);
    await toolsIn(root, { tools: ["delete_file"], history })("delete_file", { path: "key.pem" });
    undo();
    expect(fs.statSync(at("key.pem")).mode & 0o777).toBe(0o600);
  });

  test("undo() takes back that a file may be run, and that it may not", async () => {
    const { at, call, undo } = start({ "a.sh": "a\n", "b.sh": "b\n", "c.sh": "c\n" });
    for (const path of ["b.sh", "c.sh"]) fs.chmodSync(at(path), 0o755);
    await call("write_file", { path: "a.sh", content: "A\n", executable: true });
    await call("write_file", { path: "b.sh", content: "B\n", executable: false });
    await call("write_file", { path: "c.sh", content: "C\n" });
    expect(["a.sh", "b.sh", "c.sh"].map((path) => fs.statSync(at(path)).mode & 0o111)).toEqual([0o111, 0, 0o111]);
    for (const path of ["a.sh", "b.sh", "c.sh"]) undo(path);
    expect(["a.sh", "b.sh", "c.sh"].map((path) => fs.statSync(at(path)).mode & 0o111)).toEqual([0, 0o111, 0o111]);
  });

  test("undo() takes back the last changes one after the other, byte for byte", async () => {
    const { root, at, call, undo, history } = start({ "a.txt": "one\r\ntwo\r\n" });
    fs.writeFileSync(at("bytes"), Buffer.from([0xff, 0x41, 0x0d]));
    fs.chmodSync(at("a.txt"), 0o640);
    const before = snapshot(root);
    await call("write_file", { path: "a.txt", content: "whole" });
    await call("edit_file", { path: "a.txt", edits: [{ old_text: "who", new_text: "so" }] });
    await call("create_file", { path: "new/b.txt", content: "b" });
    await call("write_file", { path: "bytes", content: "text" });
    await call("write_file", { path: "new/c.txt", content: "" });
    expect(history.changes(root).map(({ path, created }) => [path, created])).toEqual([
      ["new/c.txt", true],
      ["bytes", false],
      ["new/b.txt", true],
      ["a.txt", false],
      ["a.txt", false],
    ]);
    expect(undo()).toMatchObject({ path: "new/c.txt", created: true });
    expect(undo()).toMatchObject({ path: "bytes", created: false });
    expect(undo()).toMatchObject({ path: "new/b.txt", created: true });
    expect(undo()).toMatchObject({ path: "a.txt" });
    expect(fs.readFileSync(at("a.txt"), "utf8")).toBe("whole");
    expect(undo()).toMatchObject({ path: "a.txt" });
    expect(codeOf(undo)).toBe("nothing_to_undo");
    fs.rmdirSync(at("new"));
    expect(snapshot(root)).toEqual(before);
    expect(fs.statSync(at("a.txt")).mode & 0o777).toBe(0o640);
  });

  test("undo() of a path leaves later changes of other files", async () => {
    const { call, undo, text, at } = start({ "a.txt": "a", "b.txt": "b" });
    fs.symlinkSync("a.txt", at("link"));
    await call("write_file", { path: "link", content: "A" });
    await call("write_file", { path: "b.txt", content: "B" });
    expect(undo("./link")).toMatchObject({ path: "a.txt" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["a", "B"]);
    expect(codeOf(() => undo("a.txt"))).toBe("nothing_to_undo");
    expect(codeOf(() => undo("../root-evil/secret.txt"))).toBe("outside_worktree");
  });

  test("undo() refuses when the file has moved on, and changes nothing", async () => {
    const { root, call, undo, at } = start({ "a.txt": "a", "b.txt": "b", "dir/c.txt": "c" });
    await call("write_file", { path: "a.txt", content: "A" });
    await call("create_file", { path: "new.txt", content: "new" });
    await call("write_file", { path: "b.txt", content: "B" });
    await call("write_file", { path: "dir/c.txt", content: "C" });
    fs.writeFileSync(at("a.txt"), "theirs");
    fs.appendFileSync(at("new.txt"), " and more");
    fs.rmSync(at("b.txt"));
    fs.renameSync(at("dir"), at("moved"));
    fs.symlinkSync("moved", at("dir"));
    const before = snapshot(root);
    for (const path of ["a.txt", "new.txt", "b.txt"])
      expect(
        codeOf(() => undo(path)),
        path,
      ).toBe("changed_since");
    expect(codeOf(undo)).toBe("changed_since");
    expect(snapshot(root)).toEqual(before);
    fs.writeFileSync(at("a.txt"), "A");
    expect(undo("a.txt")).toMatchObject({ path: "a.txt" });
  });

  test("undo() passes over a change that did not take place, or was taken back", async () => {
    const { call, undo, text, at, history } = start({ "a.txt": "a", "b.txt": "b" });
    await call("write_file", { path: "b.txt", content: "B" });
    await call("write_file", { path: "a.txt", content: "A" });
    await call("create_file", { path: "new.txt", content: "new" });
    fs.writeFileSync(at("a.txt"), "a");
    fs.rmSync(at("new.txt"));
    expect(undo()).toMatchObject({ path: "b.txt" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["a", "b"]);
    expect(history.changes(at("."))).toEqual([]);
  });

  test("a write that failed is not kept", async () => {
    const { root, call, history, at } = start({ "a.txt": "a" });
    fs.mkdirSync(at("dir"));
    await call("write_file", { path: "dir", content: "x" });
    await call("create_file", { path: "a.txt", content: "x" });
    await call("edit_file", { path: "a.txt", edits: [{ old_text: "nothing", new_text: "x" }] });
    await call("write_file", { path: ".git/config", content: "x" });
    expect(history.changes(root)).toEqual([]);
  });

  test("keeps no more than it may, the oldest go first", async () => {
    const { root, call, history, undo, home, options } = start(
      { "a.txt": "a".repeat(600), "big.txt": "b".repeat(5000) },
      { maxChanges: 20, maxBytes: 4000 },
    );
    for (let number = 0; number < 50; number += 1) await call("write_file", { path: "n.txt", content: `${number}` });
    expect(history.changes(root).length).toBeLessThanOrEqual(20);
    expect(history.changes(root).length).toBeGreaterThanOrEqual(10);
    await call("write_file", { path: "big.txt", content: "small" });
    expect(codeOf(undo)).toBe("not_kept");
    for (let number = 0; number < 12; number += 1)
      await call("write_file", { path: "a.txt", content: `${number}`.repeat(600) });
    expect(history.changes(root).length).toBeLessThan(8);
    undo();
    expect(fs.readFileSync(join(root, "a.txt"), "utf8")).toBe("10".repeat(600));
    const kept = where === "a directory" ? fs.readdirSync(join(home, "journal")) : [];
    const bytes = kept.reduce((sum, name) => sum + fs.statSync(join(home, "journal", name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(options.maxBytes ?? 0);
  });

  test("serves several worktrees without mixing them", async () => {
    const { history, root } = start({ "a.txt": "a" });
    const other = makeWorktree({ "a.txt": "other" });
    await toolsIn(root, { history })("write_file", { path: "a.txt", content: "A" });
    await toolsIn(other.root, { history })("write_file", { path: "a.txt", content: "O" });
    expect(history.changes(root)).toHaveLength(1);
    history.undo(root);
    expect(other.text("a.txt")).toBe("O");
    expect(codeOf(() => history.undo(root))).toBe("nothing_to_undo");
  });

  test("undo() is not stopped by rules, unless it is given some", async () => {
    const { history, root, text } = start({ ".vscode/x": "old" });
    await toolsIn(root, { history, protectedPaths: { ".vscode": "allow" } })("write_file", {
      path: ".vscode/x",
      content: "new",
    });
    const mayWrite = () => {
      throw new FilesError("no", { code: "no" });
    };
    expect(codeOf(() => history.undo(root, { mayWrite }))).toBe("no");
    history.undo(root);
    expect(text(".vscode/x")).toBe("old");
  });
});

test("a directory keeps changes for another process, readable for its owner only", async () => {
  const { root, home, text } = makeWorktree({ "a.txt": "a" });
  const directory = join(home, "deep", "journal");
  const calls = JSON.stringify([["write_file", { path: "a.txt", content: "A" }]]);
  const args = childArguments("call-tools", root, calls);
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, JOURNAL: directory } });
  expect(text("a.txt")).toBe("A");
  const [name = ""] = fs.readdirSync(directory);
  if (process.platform !== "win32")
    expect([directory, join(directory, name)].map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  // A torn file of a killed process, and a foreign file.
  fs.writeFileSync(join(directory, "99999999999999999-torn.undo"), '{"worktree":');
  fs.writeFileSync(join(directory, "99999999999999999-odd.undo"), "\n");
  fs.appendFileSync(join(directory, name), fs.readFileSync(join(directory, name)).subarray(0, -2));
  fs.writeFileSync(join(directory, "README"), "not ours");
  expect(createFileHistory({ directory }).undo(root)).toMatchObject({ path: "a.txt" });
  expect(text("a.txt")).toBe("a");
  expect(fs.readdirSync(directory)).toContain("README");
});

test("write_file and edit_file say that a change cannot be undone when the history does not keep what was there", async () => {
  const { root } = makeWorktree({ "long.txt": `line\n${"x".repeat(200)}\n`, "short.txt": "line\n" });
  const history = createFileHistory({ maxBytes: 100 });
  const call = toolsIn(root, { history });
  const edits = [{ old_text: "line", new_text: "new" }];
  const note = "; it cannot be undone, the previous contents are above 100 bytes and were not kept";
  expect(String(await call("edit_file", { path: "long.txt", edits }))).toContain(note);
  expect(codeOf(() => history.undo(root))).toBe("not_kept");
  expect(String(await call("write_file", { path: "long.txt", content: "x" }))).toContain(note);
  for (const [name, params] of [
    ["edit_file", { path: "short.txt", edits }],
    ["write_file", { path: "short.txt", content: "x" }],
    ["create_file", { path: "new.txt", content: "x".repeat(200) }],
  ] as const)
    expect(String(await call(name, params))).not.toContain("undone");
});

test("createFileHistory() refuses a directory others may read, one in the worktree, and odd bounds", async () => {
  const { root, home, at, text } = makeWorktree({ "a.txt": "a" });
  const open = join(home, "open");
  fs.mkdirSync(open, { mode: 0o755 });
  fs.symlinkSync(home, join(home, "link"));
  fs.writeFileSync(join(home, "file"), "");
  const posix = process.platform === "win32" ? [] : [open];
  for (const directory of [...posix, "relative", join(home, "file"), join(home, "link")])
    expect(() => createFileHistory({ directory }), directory).toThrow("Cannot keep a history");
  for (const bounds of [{ maxChanges: 0 }, { maxBytes: -1 }, { maxBytes: 0.5 }, { maxChanges: Number.NaN }])
    expect(() => createFileHistory(bounds)).toThrow("allowed are whole numbers from 1");
  const inside = createFileHistory({ directory: at("journal") });
  const refused = await toolsIn(root, { history: inside })("write_file", { path: "a.txt", content: "A" });
  expect(refused).toMatchObject({ success: false, code: "invalid_history" });
  expect(String(refused)).not.toContain(home);
  expect(text("a.txt")).toBe("a");
});

test("a history that cannot be written stops the write and says so", async () => {
  const { root, home, text } = makeWorktree({ "a.txt": "a" });
  const directory = join(home, "journal");
  const history = createFileHistory({ directory });
  fs.rmSync(directory, { recursive: true });
  const result = await toolsIn(root, { history })("write_file", { path: "a.txt", content: "A" });
  expect(result).toMatchObject({ success: false, code: "history_failed" });
  expect(String(result)).not.toContain(home);
  expect(text("a.txt")).toBe("a");
  expect(fs.readdirSync(root)).toEqual(["a.txt"]);
});

test("writeFile() with a journal records what it replaced, also when another process was faster", () => {
  const { root, at } = makeWorktree({ "a.txt": "first" });
  const history = createFileHistory();
  let meddle = true;
  const journal = {
    maxFileBytes: 100,
    begin(write: Parameters<typeof history.begin>[0]) {
      if (meddle) fs.writeFileSync(at("a.txt"), "second, by another");
      meddle = false;
      return history.begin(write);
    },
  };
  const sandbox = openSandbox(root, { journal });
  sandbox.writeFile("a.txt", Buffer.from("third"));
  sandbox.close();
  expect(history.changes(root)).toHaveLength(1);
  history.undo(root);
  expect(fs.readFileSync(at("a.txt"), "utf8")).toBe("second, by another");
});
