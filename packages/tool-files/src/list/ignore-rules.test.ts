import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

const listed = async (root: string, params: object = {}) =>
  dataOf<{ files: string[] }>(await toolsIn(root)("list_files", params)).files;

test("IgnoreRules follow deeper files, negation and anchors", async () => {
  const { root } = makeWorktree({
    ".gitignore": "# comment\n*.log\n!keep.log\n/top\nbuild/\n\\#odd\nspace\\ \n",
    "a.log": "",
    "keep.log": "",
    "top/x": "",
    "sub/top/x": "",
    "build/x": "",
    "sub/build/x": "",
    "#odd": "",
    "space ": "",
    "sub/.gitignore": "!a.log\n/only-here\n*.tmp\n!build/\n",
    "sub/a.log": "",
    "sub/only-here": "",
    "sub/deep/only-here": "",
    "sub/deep/x.tmp": "",
    "x.tmp": "",
    "odd [dir]*/.gitignore": "/secret\n",
    "odd [dir]*/secret": "",
    "odd [dir]*/open": "",
  });
  expect(await listed(root)).toEqual([
    ".gitignore",
    "keep.log",
    "odd [dir]*/.gitignore",
    "odd [dir]*/open",
    "sub/.gitignore",
    "sub/a.log",
    "sub/build/x",
    "sub/deep/only-here",
    "sub/top/x",
    "x.tmp",
  ]);
  expect(await listed(root, { path: "build" })).toEqual(["build/x"]);
  expect(await listed(root, { include_ignored: true })).toContain("build/x");
});

test("IgnoreRules agree with Git for any rules", async () => {
  const name = fc.constantFrom("a", "b", "c.log", "build", "x y");
  const rule = fc
    .tuple(
      fc.constantFrom("", "!", ""),
      fc.constantFrom("", "/", ""),
      fc.array(fc.constantFrom("a", "b", "*.log", "build", "**", "*", "?", "[ab]", "x y"), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom("", "/", ""),
    )
    .map(([negated, anchor, names, end]) => negated + anchor + names.join("/") + end);
  const tree = fc.dictionary(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/")),
    fc.constant(""),
    { minKeys: 3, maxKeys: 12 },
  );
  const rules = fc.dictionary(fc.constantFrom("", "a/", "b/", "a/b/", "build/"), fc.array(rule, { maxLength: 4 }), {
    maxKeys: 3,
  });
  await fc.assert(
    fc.asyncProperty(tree, rules, async (files, ignores) => {
      const { root, at } = makeWorktree();
      for (const path of [
        ...Object.keys(files),
        ...Object.keys(ignores).map((directory) => `${directory}.gitignore`),
      ]) {
        try {
          fs.mkdirSync(dirname(at(path)), { recursive: true });
          fs.writeFileSync(at(path), path.endsWith(".gitignore") ? (ignores[path.slice(0, -10)] ?? []).join("\n") : "");
        } catch {
          // A file is where a directory would have to be.
        }
      }
      execFileSync("git", ["init", "-q"], { cwd: root });
      const git = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"], {
        cwd: root,
        encoding: "utf8",
      });
      expect(await listed(root)).toEqual(
        git
          .split("\0")
          .filter((path) => path !== "")
          .toSorted(),
      );
    }),
  );
});

test("IgnoreRules leave out rules that could make matching slow, and say so", async () => {
  const evil = `${"*a".repeat(25)}b`;
  const { root } = makeWorktree({ ".gitignore": `${evil}\nok.txt\n`, ["a".repeat(200)]: "", "ok.txt": "" });
  const result = await toolsIn(root)("list_files", {});
  expect(String(result)).toContain("[1 rule of .gitignore too complex to apply]");
  expect(dataOf(result)).toMatchObject({ files: [".gitignore", "a".repeat(200)] });
});

test("IgnoreRules are not read through a link", async () => {
  const { root, at, outside } = makeWorktree({ "a.txt": "" });
  fs.writeFileSync(`${outside}/rules`, "a.txt\n");
  fs.symlinkSync(`${outside}/rules`, at(".gitignore"));
  fs.mkdirSync(at("dir"));
  fs.writeFileSync(at("dir/rules"), "b.txt\n");
  fs.writeFileSync(at("dir/b.txt"), "");
  fs.symlinkSync("rules", at("dir/.gitignore"));
  expect(await listed(root)).toEqual(["a.txt", "dir/.gitignore", "dir/b.txt", "dir/rules"]);
});
