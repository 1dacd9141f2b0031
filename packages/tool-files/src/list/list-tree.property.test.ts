import fs from "node:fs";
import fc from "fast-check";
import micromatch from "micromatch";
import { expect, test } from "vitest";
import { inTree } from "../../test/in-tree.ts";
import { globPattern, toGlobName } from "./glob-pattern.ts";
import { joinedPage, LIST_ORDERS, listPage, type ListPageRequest } from "./list-page.ts";
import { listTree } from "./list-tree.ts";

const name = fc.constantFrom("a", "a.b", "ab", "b", "[x]", ".h", "c\nd", "ü", "z.log", "x.ts", "y.tsx");
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
const part = fc.constantFrom(
  "a",
  "a*",
  "*",
  "**",
  "?",
  "[ab]",
  "[!a]*",
  "{a,b}",
  "*.{ts,tsx}",
  "\\[x\\]",
  ".h",
  "c*d",
  "a**b",
  "{b,\\[x\\]}",
  "a?",
);
const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const ignores = fc.constantFrom(
  "",
  "b\n",
  "*.log\n!a/z.log\n",
  "/a/\n",
  "a.b/**\n",
  `${"[a]*b*c*d*e*f*g\n".repeat(2)}b\n`,
);

function make(at: string, index: number): void {
  if (index % 5 === 4) fs.symlinkSync("a", at);
  else fs.writeFileSync(at, "x".repeat(index % 3));
}

const REQUEST = { path: ".", includeIgnored: false, includeHidden: true, attempt: "" };
const FILES = { ...REQUEST, recursive: true, links: false, directories: false };

/** Whether a pattern matches a path, asked of the whole path: no directory is left out beforehand. */
function isMatch(file: string, glob: string): boolean {
  const options = { dot: true, noext: true, posix: true };
  return micromatch
    .braces(glob, { expand: true, keepEscaping: true })
    .map((one) => (one.includes("/") ? one : one && `**/${one}`))
    .some((one) => one !== "" && !one.endsWith("/") && micromatch.isMatch(toGlobName(file), one, options));
}

test("listTree() finds with a pattern the files of the whole listing that match it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 14 }), pattern, ignores, (paths, glob, rules) =>
      inTree(
        paths,
        rules,
        async (sandbox) => {
          const all = await listTree(sandbox, { ...FILES, pattern: undefined });
          const wanted = globPattern(glob, "");
          const { files } = await listTree(sandbox, { ...FILES, pattern: wanted });
          expect(files).toEqual(all.files.filter((file) => isMatch(file, wanted)));
        },
        make,
      ),
    ),
  );
});

test("listPage() in parts gives together the page of the whole listing, in every order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 20 }),
      fc.option(pattern, { nil: undefined }),
      ignores,
      fc.constantFrom(...LIST_ORDERS),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 2, max: 3 }),
      (paths, glob, rules, sort, limit, count) =>
        inTree(
          paths,
          rules,
          async (sandbox) => {
            const wanted = glob === undefined ? undefined : globPattern(glob, "");
            const request = { ...REQUEST, pattern: wanted, recursive: true, sort, limit, place: undefined };
            const page = (more: Partial<ListPageRequest>) =>
              listPage(sandbox, { ...request, ...more }, { maxStats: Infinity }).then((found) => found!);
            const parts = Array.from({ length: count }, (_, index) => page({ share: { index, count } }));
            expect(joinedPage(await Promise.all(parts), request)).toEqual(await page({}));
          },
          make,
        ),
    ),
  );
});
