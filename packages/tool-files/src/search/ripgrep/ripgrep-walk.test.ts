import fs from "node:fs";
import { rgPath } from "@vscode/ripgrep";
import { expect, test } from "vitest";
import { filler, makeWorktree, toolsIn } from "../../../test/worktree.ts";

const find = async (root: string, ripgrep?: string) =>
  String(
    await toolsIn(root, ripgrep === undefined ? {} : { ripgrep })("search_files", { query: "hit", mode: "files" }),
  );

test("ripgrepWalk() reads no rules through a link", async () => {
  const { root, at, outside } = makeWorktree({ "secret.txt": "hit", "a/secret.txt": "hit", ...filler() });
  fs.writeFileSync(`${outside}/rules`, "secret.txt\n");
  fs.symlinkSync(`${outside}/rules`, at(".gitignore"));
  expect(await find(root)).toBe("a/secret.txt\nsecret.txt");
  fs.rmSync(at(".gitignore"));
  fs.symlinkSync("../../root-evil/rules", at("a/.gitignore"));
  expect(await find(root)).toBe("a/secret.txt\nsecret.txt");
});

test("ripgrepWalk() does not believe a ripgrep that does not say which rules it has read", async () => {
  const { root, at, outside, home } = makeWorktree({
    "secret.txt": "hit",
    "b.log": "hit",
    "sub/.gitignore": "*.log\n",
    ...filler(),
  });
  fs.writeFileSync(`${outside}/rules`, "secret.txt\n");
  fs.symlinkSync(`${outside}/rules`, at(".gitignore"));
  const silent = `${home}/rg`;
  fs.writeFileSync(silent, `#!/bin/sh\nexec '${rgPath}' "$@" 2>/dev/null\n`, { mode: 0o755 });
  expect(await find(root, silent)).toBe("b.log\nsecret.txt");
});

test("ripgrepWalk() applies rules from above the directory that is searched, unless it is ignored itself", async () => {
  const { root } = makeWorktree({
    ".gitignore": "*.log\n/a/b/gen\nout/\n",
    "a/.gitignore": "/b/own\n!keep.log\n",
    "a/b/x.log": "hit",
    "a/b/keep.log": "hit",
    "a/b/gen": "hit",
    "a/b/own": "hit",
    "a/b/c/own": "hit",
    "out/x.log": "hit",
    "out/.gitignore": "mine\n",
    "out/mine": "hit",
    ...filler("a/b/"),
    ...filler("out/"),
  });
  for (const options of [{}, { ripgrep: false }] as const) {
    const search = async (path: string) =>
      String(await toolsIn(root, options)("search_files", { query: "hit", mode: "files", path }));
    expect(await search("a/b")).toBe("a/b/c/own\na/b/keep.log");
    expect(await search("out")).toBe("out/x.log");
  }
});

test("ripgrepWalk() reads unusual rules as Git does, not as ripgrep does", async () => {
  const { root } = makeWorktree({
    ".gitignore": "{a,b}.txt\n",
    "a.txt": "hit",
    "{a,b}.txt": "hit",
    ...filler(),
  });
  expect(await find(root)).toBe("a.txt");
});

test("ripgrepWalk() leaves nothing in the temporary directory", async () => {
  const { root, home } = makeWorktree({ "a.txt": "hit", ...filler() });
  const before = process.env["TMPDIR"];
  const scratch = fs.mkdtempSync(`${home}/tmp-`);
  process.env["TMPDIR"] = scratch;
  try {
    expect(await find(root)).toBe("a.txt");
    expect(fs.readdirSync(scratch)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});
