import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { FilesError } from "../error/files-error.ts";
import { globPattern } from "./glob-pattern.ts";

test("globPattern() refuses what climbs, explodes or cannot be meant", () => {
  const refused = [
    "",
    "/etc/*",
    "C:\\x",
    "c:/x",
    "../*",
    "a/../b",
    "{1..100000}",
    "{a,{b,c}}",
    "!*.ts",
    "a\0b",
    "a\nb",
    "x".repeat(501),
    "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    "*a*a*a*a",
    "**/a/**/b/**/c/**",
    "a\ud800",
  ];
  for (const pattern of refused) expect(() => globPattern(pattern, "Cannot list"), pattern).toThrow(FilesError);
});

test("globPattern() gives special meaning to stars, question marks, sets and one level of braces alone", async () => {
  const names = [
    "a.ts",
    "b.ts",
    "(group)/page.tsx",
    "[id].ts",
    "a+b.ts",
    "@scope/x.js",
    "sub/deep/a.ts",
    "sub/c.js",
    "x|y.txt",
    "$var.txt",
    "q?.txt",
    "#h.txt",
    "{z}.txt",
    ".dot/f.ts",
  ];
  const { root } = makeWorktree(Object.fromEntries(names.map((name) => [name, "x"])));
  const call = toolsIn(root);
  const match = async (pattern: string) => dataOf<{ files: string[] }>(await call("list_files", { pattern })).files;
  expect(await match("*.ts")).toEqual([".dot/f.ts", "[id].ts", "a+b.ts", "a.ts", "b.ts", "sub/deep/a.ts"]);
  expect(await match("./sub/*.js")).toEqual(["sub/c.js"]);
  expect(await match("sub/**/*.ts")).toEqual(["sub/deep/a.ts"]);
  expect(await match("sub/")).toEqual(["sub/c.js", "sub/deep/a.ts"]);
  expect(await match("**/*.{js,tsx}")).toEqual(["(group)/page.tsx", "@scope/x.js", "sub/c.js"]);
  expect(await match("(group)/*.tsx")).toEqual(["(group)/page.tsx"]);
  expect(await match("@scope/*")).toEqual(["@scope/x.js"]);
  expect(await match("[ab].ts")).toEqual(["a.ts", "b.ts", "sub/deep/a.ts"]);
  expect(await match("[!a].ts")).toEqual(["b.ts", ".dot/f.ts"].toSorted());
  expect(await match("?.ts")).toEqual([".dot/f.ts", "a.ts", "b.ts", "sub/deep/a.ts"]);
  expect(await match("a+b.ts")).toEqual(["a+b.ts"]);
  expect(await match("x|y.txt")).toEqual(["x|y.txt"]);
  expect(await match("$var.*")).toEqual(["$var.txt"]);
  expect(await match("#h.*")).toEqual(["#h.txt"]);
  expect(await match("q\\?.txt")).toEqual(["q?.txt"]);
  expect(await match("\\[id\\].ts")).toEqual(["[id].ts"]);
  expect(await match("\\{z\\}.txt")).toEqual(["{z}.txt"]);
  expect(await match("+(a).ts")).toEqual([]);
  expect(await match("nothing/*")).toEqual([]);
});
