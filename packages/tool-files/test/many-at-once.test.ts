import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { expect, test } from "vitest";
import { childArguments } from "./child-process.ts";
import { filler, makeWorktree, toolsIn } from "./worktree.ts";

const run = promisify(execFile);

/** Calls a tool many times at once in a process that may open so many files. */
async function answers(root: string, files: number, name: string, params: object, count: number): Promise<string[]> {
  const program = [
    process.execPath,
    ...childArguments("call-together", root, name, JSON.stringify(params), `${count}`),
  ];
  const limited = ["-c", `ulimit -n ${files}; exec "$@"`, "sh", ...program];
  return JSON.parse((await run("sh", limited)).stdout) as string[];
}

test(
  "many searches and listings at once give the answers of one, however few files may be open",
  { timeout: 120_000 },
  async ({ skip }) => {
    skip(process.platform !== "linux", "needs Linux");
    const { root } = makeWorktree({ ...filler(), "a/b/c/d/e/f.txt": "needle\n" });
    const search = { query: "needle", mode: "files" };
    expect(await answers(root, 256, "search_files", search, 40)).toEqual(["a/b/c/d/e/f.txt"]);
    expect(await answers(root, 128, "list_files", { path: "a" }, 100)).toEqual(["a/b/c/d/e/f.txt"]);
  },
);

test("a listing that can open no more files fails, and does not say that there are none", async ({ skip }) => {
  skip(process.platform !== "linux", "needs Linux");
  const { root } = makeWorktree({ "a/b/c/d.txt": "" });
  const [answer] = await answers(root, 24, "list_files", {}, 1).catch(() => ["the process cannot start"]);
  expect(answer).not.toContain("no files");
});

test("search_files is not held up by a pipe that takes the place of a file", { timeout: 20_000 }, async ({ skip }) => {
  skip(process.platform !== "linux", "needs Linux");
  const { root, at, home } = makeWorktree({ ...filler(), "z.txt": "needle\n", "a.txt": "needle\n" });
  await run("mkfifo", [at(".git-pipe")]);
  const exchanging = `${home}/rg`;
  fs.writeFileSync(exchanging, `#!/bin/sh\nmv -f .git-pipe z.txt 2>/dev/null\nexec '${rgPath}' "$@"\n`, {
    mode: 0o755,
  });
  // The pattern keeps ripgrep from walking, so that it is given names.
  const params = { query: "needle", mode: "files", pattern: "**/*", include_hidden: false };
  const found = String(await toolsIn(root, { ripgrep: exchanging })("search_files", params));
  expect(found).toContain("a.txt");
  expect(fs.lstatSync(at("z.txt")).isFIFO()).toBe(true);
});
