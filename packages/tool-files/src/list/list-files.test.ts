import fs from "node:fs";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

test("list_files lists files sorted, relative to the worktree, one a line", async () => {
  const { root } = makeWorktree({
    "b.txt": "",
    "a/c.txt": "",
    "a/b/d.txt": "",
    ".hidden": "",
    ".git/config": "",
    "sub/.git/HEAD": "",
  });
  const call = toolsIn(root);
  expect(String(await call("list_files", {}))).toBe(".hidden\na/b/d.txt\na/c.txt\nb.txt");
  expect(String(await call("list_files", { path: "a" }))).toBe("a/b/d.txt\na/c.txt");
  expect(String(await call("list_files", { path: "./a/../a/" }))).toBe("a/b/d.txt\na/c.txt");
  expect(String(await call("list_files", { path: "a", pattern: "*.txt" }))).toBe("a/b/d.txt\na/c.txt");
  expect(String(await call("list_files", { path: "a", pattern: "b/*.txt" }))).toBe("a/b/d.txt");
});

test("list_files that is not recursive shows directories with a slash", async () => {
  const { root } = makeWorktree({ "b.txt": "", "a/c.txt": "", "a/b/d.txt": "" });
  const call = toolsIn(root);
  const result = await call("list_files", { recursive: false });
  expect(String(result)).toBe("a/\nb.txt");
  expect(dataOf(result)).toEqual({ files: ["b.txt"], directories: ["a"], total: 2, truncated: false, ignored: 0 });
  expect(String(await call("list_files", { path: "a", recursive: false, pattern: "*.txt" }))).toBe("a/c.txt");
});

test("list_files fails for what is no directory", async () => {
  const { root } = makeWorktree({ "b.txt": "" });
  const call = toolsIn(root);
  expect(await call("list_files", { path: "nothing" })).toMatchObject({ success: false, code: "file_not_found" });
  expect(await call("list_files", { path: "b.txt" })).toMatchObject({ success: false, code: "wrong_kind" });
  expect(await call("list_files", { path: ".git" })).toMatchObject({ success: false });
  expect(String(await call("list_files", { pattern: "*.md" }))).toBe("[no files match the pattern]");
});

test("list_files says what it left out", async () => {
  const { root, at, outside } = makeWorktree({ ".gitignore": "*.log\nout\n", "a.log": "", "out/x": "", "b.txt": "" });
  fs.symlinkSync("b.txt", at("to-file"));
  fs.symlinkSync("out", at("to-directory"));
  fs.symlinkSync(outside, at("to-outside"));
  fs.symlinkSync("nothing", at("dangling"));
  const result = await toolsIn(root)("list_files", {});
  expect(String(result).split("\n")).toEqual([
    ".gitignore",
    "b.txt",
    "to-file",
    "[2 entries left out because of .gitignore, list them with include_ignored]",
    "[3 symbolic links left out: to a directory, to nothing, or out of the worktree]",
  ]);
});

test("list_files cuts at the limit and says how many there are", async () => {
  const { root } = makeWorktree(
    Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`f${String(index).padStart(2, "0")}`, ""])),
  );
  const call = toolsIn(root);
  const cut = await call("list_files", { limit: 10 });
  expect(String(cut).split("\n")).toHaveLength(11);
  expect(String(cut)).toContain(
    "f09\n[10 of 25 listed; go on with cursor 0:f09, narrow path or pattern, or raise limit (up to 10000)]",
  );
  expect(dataOf(cut)).toMatchObject({ total: 25, truncated: true });
  expect(String(await call("list_files", { limit: 25 }))).not.toContain("[");
});

test("list_files lists any name the system allows", async () => {
  const names = [
    "new\nline",
    "back\\slash",
    "tab\there",
    'quote"s',
    "-dash",
    "*star",
    "[set]",
    "{a,b}",
    "!not",
    "#hash",
    "trailing ",
    "ünïcode",
    "e\u0301 decomposed",
    "\u2028line",
    "dir\nbreak/inner\r.txt",
  ];
  const { root } = makeWorktree(Object.fromEntries(names.map((name) => [name, "needle"])));
  const call = toolsIn(root);
  const { files } = dataOf<{ files: string[] }>(await call("list_files", {}));
  expect(files).toEqual(names.toSorted());
  for (const path of files) expect((await call("read_file", { path })).success, path).toBe(true);
  for (const ripgrep of [undefined, false] as const) {
    const result = await toolsIn(root, ripgrep === false ? { ripgrep } : {})("search_files", { query: "needle" });
    expect(dataOf<{ matches: { path: string }[] }>(result).matches.map(({ path }) => path)).toEqual(names.toSorted());
  }
  expect(dataOf<{ files: string[] }>(await call("list_files", { path: "dir\nbreak" })).files).toEqual([
    "dir\nbreak/inner\r.txt",
  ]);
});

test("list_files walks a deep and a wide tree and stops when it is cancelled", async () => {
  const deep = "d/".repeat(150);
  const { root } = makeWorktree({
    [`${deep}end.txt`]: "",
    ...Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`wide/${index % 40}/f${index}`, ""])),
  });
  const call = toolsIn(root);
  expect(dataOf<{ total: number }>(await call("list_files", {})).total).toBe(1501);
  const controller = new AbortController();
  const pending = call("list_files", {}, controller.signal);
  controller.abort();
  expect(await pending).toMatchObject({ success: false, code: "cancelled" });
});

test("list_files enters no linked directory for a pattern without wildcards, on no page", async () => {
  const { root, at } = makeWorktree({ "a/x": "", "a/sub/y": "" });
  fs.symlinkSync("a", at("l"));
  fs.symlinkSync("a/x", at("f"));
  const call = toolsIn(root);
  for (const [pattern, files] of [
    ["l/x", []],
    ["l/sub/y", []],
    ["{l/x,a/x}", ["a/x"]],
    ["{f,a/sub/y}", ["a/sub/y", "f"]],
  ] as const) {
    const first = dataOf<{ files: string[]; cursor?: string }>(await call("list_files", { pattern, limit: 1 }));
    const { cursor } = first;
    const rest =
      cursor === undefined ? [] : dataOf<{ files: string[] }>(await call("list_files", { pattern, cursor })).files;
    expect([...first.files, ...rest], pattern).toEqual(files);
  }
  expect(dataOf(await call("list_files", { path: "l", pattern: "x" }))).toMatchObject({ files: ["a/x"] });
});
