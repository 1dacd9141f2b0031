import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorktree, SECRET, snapshot, toolsIn } from "../test/worktree.ts";

type Worktree = ReturnType<typeof makeWorktree>;

/** Each tool as something that tries to reach a path. */
const tools: Readonly<Record<string, (path: string) => object>> = {
  read_file: (path) => ({ path }),
  write_file: (path) => ({ path, content: "written" }),
  create_file: (path) => ({ path, content: "written" }),
  edit_file: (path) => ({ path, edits: [{ old_text: SECRET, new_text: "edited" }] }),
  list_files: (path) => ({ path }),
  search_files: (path) => ({ path, query: "secret" }),
};

/** Paths that lead out, after `prepare` has laid the links. */
function prepare({ at, outside }: Worktree): void {
  fs.mkdirSync(at("inside"));
  fs.symlinkSync(outside, at("out"));
  fs.symlinkSync(join(outside, "secret.txt"), at("file"));
  fs.symlinkSync("../root-evil", at("relative"));
  fs.symlinkSync("out", at("chain-1"));
  fs.symlinkSync("chain-1", at("chain-2"));
  fs.symlinkSync(join(outside, "not-there.txt"), at("dangling"));
  fs.symlinkSync(join(outside, "not-there"), at("dangling-directory"));
  fs.symlinkSync("..", at("inside/up"));
  fs.symlinkSync("inside/../../root-evil", at("winding"));
  fs.symlinkSync(`${outside}/`, at("slashed"));
  fs.symlinkSync("/proc/self/cwd", at("proc"));
  fs.symlinkSync("/proc/self/root", at("proc-root"));
}

const escapes = (outside: string, root: string): readonly string[] => [
  "../root-evil/secret.txt",
  "..",
  "../",
  "inside/../../root-evil/secret.txt",
  "inside/up/../root-evil/secret.txt",
  "./inside/./../..//root-evil/secret.txt",
  `${outside}/secret.txt`,
  outside,
  `${root}-evil/secret.txt`,
  `${root}/../root-evil/secret.txt`,
  "/etc/passwd",
  "/",
  "//",
  "/proc/self/environ",
  "file",
  "file/",
  "out/secret.txt",
  "out/",
  "out/sub/../secret.txt",
  "relative/secret.txt",
  "chain-2/secret.txt",
  "chain-2/sub/",
  "dangling-directory/x.txt",
  "winding/secret.txt",
  "slashed/secret.txt",
  "inside/up/out/secret.txt",
  "proc/package.json",
  "proc-root/etc/passwd",
];

describe.each(Object.entries(tools))("%s", (name, params) => {
  test("reaches nothing outside by any path", async () => {
    const worktree = makeWorktree();
    prepare(worktree);
    const { root, outside, home } = worktree;
    const call = toolsIn(root);
    const before = snapshot(home);
    for (const path of escapes(outside, root)) {
      const result = await call(name, params(path));
      expect(result.success, `${path}: ${String(result)}`).toBe(false);
      // A name that is taken, or a path of a directory where a file is to be written, is refused for that alone.
      expect(result, path).toMatchObject({
        code: expect.stringMatching(/^(outside_worktree|wrong_kind|file_exists)$/),
      });
      expect(String(result), path).not.toContain(SECRET);
      expect(String(result), path).not.toContain(home);
      expect(JSON.stringify(result), path).not.toContain(SECRET);
    }
    expect(snapshot(home)).toEqual(before);
  });

  test("does not make the target of a dangling link outside", async () => {
    const worktree = makeWorktree();
    prepare(worktree);
    const result = await toolsIn(worktree.root)(name, params("dangling"));
    expect(result.success).toBe(false);
    expect(fs.existsSync(join(worktree.outside, "not-there.txt"))).toBe(false);
    expect(String(result)).not.toContain(worktree.home);
  });

  test("answers, and does not hang, when it meets a pipe, a socket's kind or a device", async () => {
    const { root, at } = makeWorktree();
    execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
    fs.symlinkSync("pipe", at("to-pipe"));
    fs.symlinkSync("/dev/zero", at("zero"));
    const call = toolsIn(root);
    for (const path of ["pipe", "to-pipe", "zero", "pipe/"])
      expect((await call(name, params(path))).success, path).toBe(false);
    for (const path of ["."])
      if (name === "list_files" || name === "search_files") expect((await call(name, params(path))).success).toBe(true);
    expect(fs.lstatSync(at("pipe")).isFIFO()).toBe(true);
  });

  test("refuses names no file can have, and says so without the host's path", async () => {
    const { root, home } = makeWorktree({ "a.txt": "x" });
    const call = toolsIn(root);
    const paths = [
      "a.txt\0",
      "\0",
      "a\0/../b",
      "",
      "x".repeat(256),
      "x/".repeat(3000),
      `${"d/".repeat(2100)}f`,
      "a\ud800b",
    ];
    for (const path of paths) {
      const result = await call(name, params(path));
      expect(result.success, path.slice(0, 20)).toBe(false);
      expect(String(result)).not.toContain(home);
      expect(String(result).length).toBeLessThan(1000);
    }
  });

  test("takes encoded, backslashed, full-width and home paths for the plain names they are", async () => {
    const { root, home } = makeWorktree();
    const call = toolsIn(root);
    const before = snapshot(join(home, "root-evil"));
    for (const path of [
      "%2e%2e%2froot-evil",
      "..\\root-evil",
      "．．／root-evil",
      "~",
      "$HOME",
      "@secret",
      "file:secret",
      "\u2025/secret",
    ]) {
      const result = await call(name, params(path));
      expect(String(result)).not.toContain(SECRET);
      if (result.success && (name === "write_file" || name === "create_file"))
        expect(fs.existsSync(join(root, path))).toBe(true);
    }
    expect(snapshot(join(home, "root-evil"))).toEqual(before);
  });

  test("takes an absolute path inside the worktree for the relative one", async () => {
    const { root } = makeWorktree({ "dir/a.txt": `${SECRET}\n` });
    const path =
      name === "list_files" || name === "search_files"
        ? `${root}/dir`
        : name === "create_file"
          ? `${root}/dir/new.txt`
          : `${root}//dir/a.txt`;
    const result = await toolsIn(root)(name, params(path));
    expect(result.success, String(result)).toBe(true);
    expect(String(result)).not.toContain(root);
  });

  test("fails readably when the worktree is gone or none was given", async () => {
    const { root, home } = makeWorktree();
    fs.rmSync(root, { recursive: true });
    const result = await toolsIn(root)(name, params("x"));
    expect(result).toMatchObject({ success: false, code: "invalid_worktree" });
    expect(String(result)).not.toContain(home);
    expect(await toolsIn("relative/root")(name, params("x"))).toMatchObject({
      success: false,
      code: "invalid_worktree",
    });
  });
});

test("a name that looks like output cannot be taken for it", async () => {
  const { root } = makeWorktree({
    "a.txt:1: needle": "needle",
    "b\nc.txt:9: needle": "needle",
    "[2 more files]": "needle",
    "\u202egnp.exe": "needle",
    '"quoted"': "needle",
    " lead": "needle",
  });
  const call = toolsIn(root);
  const listed = String(await call("list_files", {})).split("\n");
  expect(listed).toEqual([
    '" lead"',
    '"\\"quoted\\""',
    '"[2 more files]"',
    '"a.txt:1: needle"',
    '"b\\nc.txt:9: needle"',
    '"\\u202egnp.exe"',
  ]);
  const found = String(await call("search_files", { query: "needle" })).split("\n");
  expect(found.map((line) => JSON.parse(/^("(?:[^"\\]|\\.)*"):0: needle$/.exec(line)?.[1] ?? '"?"'))).toEqual([
    " lead",
    '"quoted"',
    "[2 more files]",
    "a.txt:1: needle",
    "b\nc.txt:9: needle",
    "\u202egnp.exe",
  ]);
});

test("a pattern does not climb, follow links or name absolute places", async () => {
  const worktree = makeWorktree({ "in.txt": "secret" });
  prepare(worktree);
  const { root, outside } = worktree;
  const call = toolsIn(root);
  const patterns = [
    "../**",
    "**/../../**",
    "{a,../root-evil}/**",
    "out/*",
    "out/**",
    "chain-2/**/*.txt",
    `${outside}/**`,
    "/etc/*",
    "inside/up/out/*",
    "[.][.]/**",
    "@(..)/**",
    "{.,}./root-evil/*",
    "\\.\\./**",
    "file",
    "out/secret.txt",
    "relative/secret.txt",
    ".{.}/**",
    "?./**",
    "!**",
  ];
  for (const pattern of patterns) {
    for (const [name, params] of [
      ["list_files", { pattern, include_ignored: true }],
      ["list_files", { pattern, recursive: false }],
      ["search_files", { query: "secret", pattern }],
    ] as const) {
      const result = String(await call(name, params));
      expect(result, pattern).not.toMatch(/secret\.txt$/m);
      expect(result, pattern).not.toContain(SECRET);
      expect(result, pattern).not.toContain("passwd:");
    }
  }
});

test("a query or pattern that looks like an option is none", async () => {
  const { root, home } = makeWorktree({ "a.txt": "--pre=touch\n-f/etc/passwd\n--files\n-e x\n" });
  const call = toolsIn(root);
  for (const query of ["--pre=touch", "-f/etc/passwd", "--files", "-e x"]) {
    for (const is_regex of [false, true])
      expect(String(await call("search_files", { query, is_regex })), query).toContain(`: ${query}`);
  }
  expect(String(await call("search_files", { query: "x", pattern: "--pre=sh" }))).toContain("no matches");
  expect(fs.readdirSync(home).toSorted()).toEqual(["root", "root-evil"]);
});
