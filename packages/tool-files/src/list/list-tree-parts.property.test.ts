import fc from "fast-check";
import { expect, test } from "vitest";
import { inTree } from "../../test/in-tree.ts";
import { treePath } from "../../test/tree-paths.ts";
import { makeWorktree } from "../../test/worktree.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { globPattern } from "./glob-pattern.ts";
import { listTree } from "./list-tree.ts";

const pattern = fc.constantFrom(
  "*.log",
  "a*",
  "**/b/*",
  "{a,b}/**",
  "a/**/b",
  "[ab]",
  "[!a]*",
  "?",
  "a/b",
  "*/*",
  "**/b/**",
  "[[]x]/*",
  "c*d",
);
const ignores = fc.constantFrom("", "b\n", "*.log\n!a/z.log\n", "/a/\n", "a.b/**\n");

test("listTree() gives page after page the files of the whole listing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(treePath, { minLength: 1, maxLength: 14 }),
      fc.option(pattern, { nil: undefined }),
      ignores,
      fc.constantFrom(".", "a", "b"),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (paths, glob, rules, from, maxFiles, includeHidden) =>
        inTree(paths, rules, async (sandbox) => {
          if (sandbox.kindOf(from) !== "directory") return;
          const wanted = glob === undefined ? undefined : globPattern(glob, "");
          const request = {
            path: from,
            recursive: true,
            pattern: wanted,
            includeIgnored: false,
            includeHidden,
            links: false,
            attempt: "",
          };
          const tree = listTree(sandbox, request);
          const found: string[] = [];
          for (let after: { path: string; inclusive: boolean } | undefined, pages = 0; pages < 50; pages += 1) {
            const page = listTree(sandbox, { ...request, after, maxFiles });
            found.push(...page.files);
            if (page.complete) break;
            after = { path: found.at(-1)!, inclusive: false };
          }
          expect(found).toEqual(tree.files);
          const [first] = found;
          const again = { ...request, maxFiles: 1, after: { path: first ?? "", inclusive: true } };
          expect(listTree(sandbox, again).files).toEqual(found.slice(0, 1));
        }),
    ),
  );
});

test("listTree() enters no directory before the place where it goes on, nor after the last file it gives", () => {
  const many = Object.fromEntries(
    ["a", "c"].flatMap((directory) => Array.from({ length: 50 }, (_, at) => [`${directory}/${at}`, ""])),
  );
  const { root } = makeWorktree({ ...many, "b/1": "", "b/2": "" });
  const sandbox = openSandbox(root);
  const request = {
    path: ".",
    recursive: true,
    pattern: undefined,
    includeIgnored: false,
    includeHidden: true,
    links: false,
    attempt: "",
  };
  const after = { path: "a0", inclusive: false };
  const page = listTree(sandbox, { ...request, after, maxFiles: 1 }, { maxEntries: 10 });
  expect(page).toMatchObject({ files: ["b/1"], complete: false, stopped: false });
  sandbox.close();
});
