import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorktree, snapshot } from "../../test/worktree.ts";
import { FileExistsError, FileNotFoundError, FilesError, SandboxError, WrongKindError } from "../error/files-error.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxStrength } from "./sandbox-hooks.ts";

const strengths: readonly SandboxStrength[] = process.platform === "linux" ? ["kernel", "verified"] : ["verified"];

describe.each(strengths)("%s", (strength) => {
  function open(files: Readonly<Record<string, string>> = {}) {
    const worktree = makeWorktree({ "a/b/c.txt": "c", "top.txt": "top", ...files });
    return { ...worktree, sandbox: openSandbox(worktree.root, { strength }) };
  }

  test("strength says what it is", () => {
    const { sandbox } = open();
    expect(sandbox.strength).toBe(strength);
    sandbox.close();
  });

  test("resolvePath() gives the real path when it is inside", () => {
    const { sandbox, root, at } = open();
    fs.symlinkSync("a/b", at("link"));
    fs.symlinkSync(at("a"), at("absolute"));
    const cases = {
      ".": "",
      "a/b/c.txt": "a/b/c.txt",
      "./a//b/./c.txt": "a/b/c.txt",
      "a/b/../b": "a/b",
      "link/c.txt": "a/b/c.txt",
      "link/../b": "a/b",
      "absolute/b": "a/b",
      "new/dir/file": "new/dir/file",
      "..a": "..a",
    };
    for (const [path, expected] of Object.entries(cases))
      expect(sandbox.resolvePath(path), path).toBe(join(root, expected));
    expect(sandbox.resolvePath(root)).toBe(root);
    expect(sandbox.resolvePath(`${root}/a/../top.txt`)).toBe(at("top.txt"));
    sandbox.close();
  });

  test("resolvePath() throws SandboxError when it is outside", () => {
    const { sandbox, root, outside, at } = open();
    fs.symlinkSync(outside, at("out"));
    fs.symlinkSync("../root-evil", at("relative"));
    fs.symlinkSync("out", at("chain"));
    fs.symlinkSync(join(outside, "nothing"), at("dangling"));
    const paths = [
      "..",
      "../",
      "../root-evil",
      "a/../../root-evil/secret.txt",
      "a/b/../../..",
      "/",
      "/etc/passwd",
      outside,
      `${root}-evil/secret.txt`,
      `${root}/../root-evil`,
      "out",
      "out/",
      "out/secret.txt",
      "relative/secret.txt",
      "chain/sub",
      "chain/",
      "dangling",
    ];
    for (const path of paths) {
      expect(() => sandbox.resolvePath(path), path).toThrow(SandboxError);
      expect(sandbox.isWithinWorktree(path), path).toBe(false);
    }
    sandbox.close();
  });

  test("isWithinWorktree() is true for what could be made there, false for what no path can be", () => {
    const { sandbox, root } = open();
    for (const path of [".", "a", "new/file", root, `${root}/x`])
      expect(sandbox.isWithinWorktree(path), path).toBe(true);
    for (const path of ["", "a\0b", `${"x/".repeat(3000)}x`]) expect(sandbox.isWithinWorktree(path), path).toBe(false);
    sandbox.close();
  });

  test("every operation names no host path when it fails", () => {
    const { sandbox, home, outside, at } = open();
    fs.symlinkSync(outside, at("out"));
    fs.symlinkSync("loop", at("loop"));
    const bytes = Buffer.from("x");
    const operations: readonly ((path: string) => unknown)[] = [
      (path) => sandbox.openFile(path).close(),
      (path) => sandbox.openDirectory(path).close(),
      (path) => sandbox.resolvePath(path),
      (path) => sandbox.writeFile(path, bytes),
      (path) => sandbox.createFile(path, bytes),
      (path) => sandbox.changeFile(path, 10, (old) => old),
    ];
    const paths = [
      "out",
      "out/secret.txt",
      "../x",
      "loop/x",
      "nothing/x",
      "top.txt/x",
      "a",
      `${outside}/secret.txt`,
      "x".repeat(300),
      "a\0b",
      "",
    ];
    let failures = 0;
    for (const operation of operations) {
      for (const path of paths) {
        try {
          operation(path);
        } catch (error) {
          failures += 1;
          expect(error).toBeInstanceOf(FilesError);
          expect((error as Error).message, path).not.toContain(home);
        }
      }
    }
    expect(failures).toBeGreaterThan(40);
    sandbox.close();
  });

  test("openFile() opens regular files only", () => {
    const { sandbox } = open();
    const file = sandbox.openFile("a/b/c.txt");
    expect(file).toMatchObject({ path: "a/b/c.txt", size: 1 });
    file.close();
    expect(() => sandbox.openFile("a")).toThrow(WrongKindError);
    expect(() => sandbox.openFile("top.txt/")).toThrow(WrongKindError);
    expect(() => sandbox.openFile("top.txt/x")).toThrow(WrongKindError);
    expect(() => sandbox.openFile("nothing")).toThrow(FileNotFoundError);
    expect(() => sandbox.openFile("no/where")).toThrow(FileNotFoundError);
    sandbox.close();
  });

  test("writeFile() makes directories, follows links inside and keeps the mode", () => {
    const { sandbox, at, text } = open();
    expect(sandbox.writeFile("new/dir/file", Buffer.from("1"))).toEqual({ path: "new/dir/file", created: true });
    fs.symlinkSync("top.txt", at("link"));
    fs.chmodSync(at("top.txt"), 0o4751);
    expect(sandbox.writeFile("link", Buffer.from("2"))).toEqual({ path: "top.txt", created: false });
    expect(text("top.txt")).toBe("2");
    expect(fs.lstatSync(at("link")).isSymbolicLink()).toBe(true);
    // The set-user bit is not for contents that somebody else wrote.
    expect(fs.statSync(at("top.txt")).mode & 0o7777).toBe(0o751);
    sandbox.close();
  });

  test("writeFile() and createFile() leave nothing behind when they fail", () => {
    const { sandbox, at, root } = open();
    fs.mkdirSync(at("directory"));
    const before = snapshot(root);
    expect(() => sandbox.writeFile("directory", Buffer.from("x"))).toThrow(WrongKindError);
    expect(() => sandbox.writeFile("fresh/", Buffer.from("x"))).toThrow(WrongKindError);
    expect(() => sandbox.createFile("top.txt", Buffer.from("x"))).toThrow(FileExistsError);
    expect(() => sandbox.createFile("directory", Buffer.from("x"))).toThrow(FileExistsError);
    expect(snapshot(root)).toEqual(before);
    expect(fs.existsSync(at("fresh"))).toBe(false);
    sandbox.close();
  });

  test("changeFile() gives up nothing that another process wrote meanwhile", () => {
    const { sandbox, at, text } = open();
    let asked = 0;
    sandbox.changeFile("top.txt", 100, (bytes) => {
      asked += 1;
      if (asked === 1) fs.writeFileSync(at("top.txt"), "theirs");
      return Buffer.from(`${bytes.toString()}+ours`);
    });
    expect(text("top.txt")).toBe("theirs+ours");
    expect(asked).toBe(2);
    sandbox.close();
  });

  test("changeFile() changes nothing when the change throws, or the file is too long", () => {
    const { sandbox, root } = open();
    const before = snapshot(root);
    expect(() =>
      sandbox.changeFile("top.txt", 100, () => {
        throw new FilesError("no");
      }),
    ).toThrow("no");
    expect(() => sandbox.changeFile("top.txt", 2, (bytes) => bytes)).toThrow("allowed are 2");
    expect(snapshot(root)).toEqual(before);
    sandbox.close();
  });

  test("writing below .git is refused however it is spelt", () => {
    const { sandbox, at } = open({ ".git/config": "x" });
    fs.symlinkSync(".git", at("alias"));
    for (const path of [
      ".git/hooks/pre-commit",
      ".git/config",
      ".GIT/config",
      "a/.git/x",
      "alias/config",
      ".git",
      ".g\u200cit/x",
      "GIT~1/config",
    ]) {
      expect(() => sandbox.writeFile(path, Buffer.from("x")), path).toThrow(SandboxError);
      expect(() => sandbox.createFile(path, Buffer.from("x")), path).toThrow(FilesError);
    }
    expect(fs.readdirSync(at(".git"))).toEqual(["config"]);
    sandbox.close();
  });

  test("a long chain of links or of steps back ends in an error", () => {
    const { sandbox, at } = open();
    for (let number = 0; number < 60; number += 1)
      fs.symlinkSync(number === 59 ? "top.txt" : `link-${number + 1}`, at(`link-${number}`));
    expect(() => sandbox.openFile("link-0")).toThrow("too many symbolic links");
    sandbox.openFile("link-30").close();
    expect(() => sandbox.openFile(`${"a/b/../../".repeat(400)}nothing`)).toThrow(FilesError);
    sandbox.close();
  });

  test("no file descriptor is left open after thousands of calls, failed ones among them", () => {
    const { sandbox, at, outside, root } = open();
    fs.symlinkSync(outside, at("out"));
    fs.symlinkSync("a/b", at("link"));
    const count = () => fs.readdirSync("/proc/self/fd").length;
    const tryAll = () => {
      for (const path of [
        "a/b/c.txt",
        "link/c.txt",
        "out/secret.txt",
        "../x",
        "no/where",
        "top.txt/x",
        "a",
        "a/b/../../top.txt",
      ]) {
        for (const operate of [
          () => sandbox.openFile(path).close(),
          () => sandbox.openDirectory(path).close(),
          () => sandbox.writeFile(path, Buffer.from("x")),
          () => sandbox.createFile(path, Buffer.from("x")),
          () => sandbox.resolvePath(path),
          () => sandbox.kindOf(path),
          () => openSandbox(root, { strength }).close(),
        ]) {
          try {
            operate();
          } catch (error) {
            if (!(error instanceof FilesError)) throw error;
          }
        }
      }
    };
    tryAll();
    const before = process.platform === "linux" ? count() : 0;
    for (let round = 0; round < 40; round += 1) tryAll();
    expect(process.platform === "linux" ? count() : 0).toBe(before);
    sandbox.close();
  });

  test("close() ends every operation", () => {
    const { sandbox } = open();
    sandbox.close();
    sandbox.close();
    expect(() => sandbox.openFile("top.txt")).toThrow("the sandbox is closed");
  });
});

test("openSandbox() follows links to the worktree and refuses what is none", () => {
  const { root, home, at } = makeWorktree({ "x.txt": "x" });
  fs.symlinkSync(root, join(home, "alias"));
  const sandbox = openSandbox(join(home, "alias"));
  expect(sandbox.resolvePath(join(home, "alias", "x.txt"))).toBe(at("x.txt"));
  sandbox.close();
  for (const path of ["relative", join(home, "nothing"), at("x.txt"), ""]) {
    expect(() => openSandbox(path), path).toThrow(FilesError);
    for (const strength of strengths) expect(() => openSandbox(path, { strength })).not.toThrow(home);
  }
});
