import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEscapes, layLinks } from "./attack-escapes.ts";
import { describeNames } from "./attack-names.ts";
import { makeWorktree, SECRET, toolsIn } from "./worktree.ts";

describeEscapes();
describeNames();

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
  layLinks(worktree);
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

test("a .gitignore that leads out is not read", async () => {
  const { root, outside, at } = makeWorktree({ "secret.txt": "x", "a.txt": "x" });
  fs.writeFileSync(join(outside, "rules"), "secret.txt\n");
  fs.symlinkSync(join(outside, "rules"), at(".gitignore"));
  expect(String(await toolsIn(root)("list_files", {}))).toContain("secret.txt");
});
