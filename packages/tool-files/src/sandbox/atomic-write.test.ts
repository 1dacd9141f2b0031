import { execFile } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { killWriters } from "../../test/kill-writer.ts";
import { makeWorktree, snapshot } from "../../test/worktree.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxStrength } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";

const strengths: readonly SandboxStrength[] = process.platform === "linux" ? ["kernel", "verified"] : ["verified"];

function opened(root: string, strength: SandboxStrength): Sandbox {
  const sandbox = openSandbox(root, { strength });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test("a write that does not fit changes nothing, leaves nothing and says so", async ({ skip }) => {
  skip(process.platform === "win32", "Windows has no limit for the size of a file");
  const { root, home } = makeWorktree({ "a.txt": "old text", "b.txt": "x" });
  const before = snapshot(root);
  const content = "y".repeat(9000);
  const calls = [
    ["write_file", { path: "a.txt", content }],
    ["write_file", { path: "new.txt", content }],
    ["create_file", { path: "created.txt", content }],
    ["edit_file", { path: "b.txt", edits: [{ old_text: "x", new_text: content }] }],
  ];
  // No file of this process may be longer than 8 blocks, of 512 or 1,024 bytes by the shell.
  const limited = ["-c", 'ulimit -f 8; exec "$@"', "sh", process.execPath];
  const args = childArguments("call-tools", root, JSON.stringify(calls));
  const { stdout } = await promisify(execFile)("sh", [...limited, ...args]);
  for (const result of JSON.parse(stdout) as { error: string }[]) {
    expect(result).toMatchObject({
      success: false,
      code: "no_space",
      error: expect.stringContaining("no space left"),
    });
    expect(result.error).not.toContain(home);
  }
  expect(snapshot(root)).toEqual(before);
});

test("a process killed at any moment leaves the old file or the new one, never a part", async () => {
  const { root } = makeWorktree();
  const { torn, files } = await killWriters(root, 6);
  expect(torn).toEqual([]);
  expect(files).toBeGreaterThan(12);
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
  onTestFinished(() => clock.mockRestore());
  const sandbox = opened(root, strengths[0]!);
  for (const path of ["written.txt", "edited.txt", ...[0, 1, 2].map((number) => `made-${number}/next.txt`)])
    sandbox.writeFile(path, Buffer.from("next"));
  const left = fs
    .readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes(".dispatch-"));
  expect(left).toEqual([]);
});

describe.each(strengths)("%s", (strength) => {
  test("writeFile() removes what killed writers left in its directory, once it is old, and nothing else", () => {
    const { root, at, outside } = makeWorktree({ "a/keep.txt": "x" });
    const name = (digit: string) => `.dispatch-${digit.repeat(18)}.tmp`;
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    const make = (path: string, age: number) => {
      fs.writeFileSync(at(path), "part");
      fs.utimesSync(at(path), hours(age), hours(age));
    };
    const kept = [`a/${name("1")}`, "a/.dispatch-old.tmp", `a/${name("g")}`, name("2")];
    make(`a/${name("0")}`, 2);
    make(kept[0]!, 0.001);
    for (const path of kept.slice(1)) make(path, 2);
    fs.mkdirSync(at(`a/${name("3")}`));
    fs.utimesSync(at(`a/${name("3")}`), hours(2), hours(2));
    fs.symlinkSync(join(outside, "secret.txt"), at(`a/${name("4")}`));
    fs.lutimesSync(at(`a/${name("4")}`), hours(2), hours(2));
    opened(root, strength).writeFile("a/new.txt", Buffer.from("x"));
    expect(fs.readdirSync(at("a")).toSorted()).toEqual(
      [name("1"), ".dispatch-old.tmp", name("g"), name("3"), name("4"), "keep.txt", "new.txt"].toSorted(),
    );
    expect(fs.existsSync(at(name("2")))).toBe(true);
    expect(fs.existsSync(join(outside, "secret.txt"))).toBe(true);
  });

  test("createFile() lets one creator win and is whole where there are no hard links", () => {
    const { root, at, text } = makeWorktree({ "there.txt": "old" });
    // There is no such file system at hand: its answer is all that is put in place of the system's.
    const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    });
    onTestFinished(() => link.mockRestore());
    const sandbox = opened(root, strength);
    sandbox.createFile("new.txt", Buffer.from("whole"));
    expect(() => sandbox.createFile("there.txt", Buffer.from("x"))).toThrow("exists already");
    expect(() => sandbox.createFile("new.txt", Buffer.from("x"))).toThrow("exists already");
    fs.symlinkSync("nothing", at("dangling"));
    expect(() => sandbox.createFile("dangling", Buffer.from("x"))).toThrow("exists already");
    expect(link).toHaveBeenCalled();
    expect([text("new.txt"), text("there.txt")]).toEqual(["whole", "old"]);
    expect(fs.readdirSync(root).toSorted()).toEqual(["dangling", "new.txt", "there.txt"]);
  });

  test("removePath() removes the file that was checked, and keeps one that came in its place", () => {
    const { root, at, text } = makeWorktree({ "a.txt": "mine", "b.txt": "b" });
    const sandbox = opened(root, strength);
    sandbox.removePath("b.txt", (bytes, path) => expect([bytes?.toString(), path]).toEqual(["b", "b.txt"]));
    expect(() => sandbox.removePath("b.txt", () => {})).toThrow("there is no such file");
    expect(() => sandbox.removePath("../x", () => {})).toThrow("out of the worktree");
    let asked = 0;
    const check = (bytes: Buffer | undefined) => {
      asked += 1;
      if (asked > 1) throw new Error(`it is ${bytes?.toString()}`);
      fs.writeFileSync(at("other"), "theirs");
      fs.renameSync(at("other"), at("a.txt"));
    };
    expect(() => sandbox.removePath("a.txt", check)).toThrow("it is theirs");
    expect(text("a.txt")).toBe("theirs");
    expect(fs.readdirSync(root)).toEqual(["a.txt"]);
  });

  test("removePath() puts back what came in the last moment", () => {
    const { root, at, text } = makeWorktree({ "a.txt": "mine" });
    const sandbox = opened(root, strength);
    const { renameSync } = fs;
    const rename = vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.rmSync(at("a.txt"));
      fs.writeFileSync(at("a.txt"), "theirs, in the last moment");
      renameSync(from, to);
    });
    onTestFinished(() => rename.mockRestore());
    const check = (bytes: Buffer | undefined) => {
      if (bytes?.toString() !== "mine") throw new Error("not mine");
    };
    expect(() => sandbox.removePath("a.txt", check)).toThrow("not mine");
    expect(text("a.txt")).toBe("theirs, in the last moment");
    expect(fs.readdirSync(root)).toEqual(["a.txt"]);
  });
});

test("in a verified sandbox nothing is written to a file that was led out and is no longer there", () => {
  const { root, at, text, outside } = makeWorktree({ "dir/a.txt": "inside" });
  const sandbox = opened(root, "verified");
  const { openSync } = fs;
  const open = vi.spyOn(fs, "openSync").mockImplementationOnce((path, ...how) => {
    fs.renameSync(at("dir"), at("kept"));
    fs.symlinkSync(outside, at("dir"));
    const fd = openSync(path, ...how);
    fs.rmSync(at("dir"));
    fs.renameSync(at("kept"), at("dir"));
    return fd;
  });
  onTestFinished(() => open.mockRestore());
  sandbox.createFile("dir/new.txt", Buffer.from("meant for the inside"));
  expect(text("dir/new.txt")).toBe("meant for the inside");
  expect(JSON.stringify(snapshot(outside))).not.toContain("meant for");
  expect(fs.readdirSync(outside).some((name) => name.endsWith(".tmp"))).toBe(true);
});
