import { execFileSync } from "node:child_process";
import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, SECRET, toolsIn } from "../../test/worktree.ts";
import { indexedPaths } from "./tracked-files.ts";

function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, env, encoding: "utf8" });
}

const FILES = {
  ".gitignore": "dist/\n*.log\n",
  "dist/kept.js": "hit",
  "dist/deep/kept.js": "hit",
  "dist/other.js": "hit",
  "a.log": "hit",
  "b.log": "hit",
};
const KEPT = ["dist/deep/kept.js", "dist/kept.js", "a.log"];

async function listed(root: string, params: object = {}) {
  return dataOf<{ files: string[]; ignored: number }>(await toolsIn(root)("list_files", params));
}

test.each(["2", "3", "4"])(
  "list_files and search_files have tracked files that rules name, index version %s",
  async (version) => {
    const { root } = makeWorktree({ ...FILES, "sub/inner/.gitignore": "x\n", "sub/inner/x": "hit", "sub/inner/y": "" });
    git(root, "init", "-q", ".");
    git(root, "-c", `index.version=${version}`, "add", "-f", ...KEPT);
    // An entry with extended flags requires version 3.
    if (version === "3") git(root, "add", "-N", "-f", "dist/other.js");
    git(`${root}/sub/inner`, "init", "-q", ".");
    git(`${root}/sub/inner`, "add", "-f", "x");
    const extra = version === "3" ? ["dist/other.js"] : [];
    const { files } = await listed(root);
    const kept = [...KEPT, ...extra, "sub/inner/x"].toSorted();
    expect(files).toEqual([".gitignore", ...kept, "sub/inner/.gitignore", "sub/inner/y"].toSorted());
    expect((await listed(root, { pattern: "dist/kept.js" })).files).toEqual(["dist/kept.js"]);
    expect((await listed(root)).ignored).toBeGreaterThan(0);
    for (const options of [{}, { ripgrep: false as const }]) {
      const found = await toolsIn(root, options)("search_files", { query: "hit" });
      expect(dataOf<{ matches: { path: string }[] }>(found).matches.map(({ path }) => path)).toEqual(kept);
    }
  },
);

test("list_files reads no index outside the worktree, and believes no damaged one", async () => {
  const { root, outside, at, home } = makeWorktree(FILES);
  git(outside, "init", "-q", ".");
  fs.cpSync(root, outside, { recursive: true });
  git(outside, "add", "-f", ...KEPT);
  const plain = [".gitignore"];
  fs.symlinkSync(`${outside}/.git`, at(".git"));
  expect((await listed(root)).files).toEqual(plain);
  fs.rmSync(at(".git"));
  fs.writeFileSync(at(".git"), `gitdir: ${outside}/.git\n`);
  expect((await listed(root)).files).toEqual(plain);
  fs.rmSync(at(".git"));
  fs.mkdirSync(at(".git"));
  fs.symlinkSync(`${outside}/.git/index`, at(".git/index"));
  expect((await listed(root)).files).toEqual(plain);
  fs.rmSync(at(".git/index"));
  execFileSync("mkfifo", [at(".git/index")]);
  expect((await listed(root)).files).toEqual(plain);
  fs.rmSync(at(".git/index"));
  fs.writeFileSync(at(".git/index"), `DIRC\0\0\0\u0002\0\0\0\u0001${SECRET}`.padEnd(200, "../../x\0"));
  expect(JSON.stringify(await listed(root))).not.toMatch(new RegExp(`${SECRET}|${home}`));
  expect((await listed(root)).files).toEqual(plain);
});

test("indexedPaths() gives nothing for bytes that are no index, and never fails", () => {
  const { root } = makeWorktree(FILES);
  git(root, "init", "-q", ".");
  git(root, "-c", "index.version=4", "add", "-f", ".");
  const index = fs.readFileSync(`${root}/.git/index`);
  expect(indexedPaths(index)).toEqual(Object.keys(FILES).toSorted());
  fc.assert(
    fc.property(
      fc.nat(index.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.nat(index.length),
      (at, byte, length) => {
        const damaged = Buffer.from(index.subarray(0, length));
        if (at < length) damaged[at] = byte;
        for (const path of indexedPaths(damaged) ?? []) expect(path.length).toBeGreaterThan(0);
      },
    ),
  );
  expect(indexedPaths(index.subarray(0, -40))).toBeUndefined();
});
