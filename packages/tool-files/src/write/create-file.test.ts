import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { contentVersion } from "../version/content-version.ts";

test("create_file makes a file and its directories", async () => {
  const { root, text } = makeWorktree();
  const result = await toolsIn(root)("create_file", { path: "a/b/c.txt", content: "né\n" });
  const version = contentVersion(Buffer.from("né\n"));
  expect(String(result)).toBe(`Created a/b/c.txt, 4 bytes, version ${version}`);
  expect(dataOf(result)).toEqual({ path: "a/b/c.txt", bytes: 4, version });
  expect(text("a/b/c.txt")).toBe("né\n");
});

test("create_file fails when anything of that name exists, and says what to use", async () => {
  const { root, at, text } = makeWorktree({ "a.txt": "old", "dir/x": "" });
  fs.symlinkSync("nothing", at("dangling"));
  const call = toolsIn(root);
  for (const path of ["a.txt", "dir", "dangling", "dir/../a.txt"]) {
    expect(await call("create_file", { path, content: "new" }), path).toMatchObject({
      success: false,
      code: "file_exists",
      error: expect.stringContaining("use write_file"),
    });
  }
  expect(text("a.txt")).toBe("old");
  expect(fs.readdirSync(root).toSorted()).toEqual(["a.txt", "dangling", "dir"]);
});

test("create_file lets one of many creators win, in this process and in several", async () => {
  const { root, text } = makeWorktree();
  const call = toolsIn(root);
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => call("create_file", { path: "one.txt", content: `${index}` })),
  );
  expect(results.filter(({ success }) => success)).toHaveLength(1);
  expect(text("one.txt")).toBe("0");
  const names = Array.from({ length: 40 }, (_, index) => `new/${index}.txt`);
  const run = async (who: string) => {
    const calls = names.map((path) => ["create_file", { path, content: who }]);
    const args = childArguments("call-tools", root, JSON.stringify(calls));
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return (JSON.parse(stdout) as { success: boolean }[]).map(({ success }) => (success ? who : ""));
  };
  const [one, other] = await Promise.all([run("one"), run("other")]);
  for (const [index, path] of names.entries()) {
    expect([one[index], other[index]].filter((who) => who !== "")).toEqual([text(path)]);
  }
  expect(fs.readdirSync(`${root}/new`)).toHaveLength(40);
});
