import fs from "node:fs";
import fc from "fast-check";
import micromatch from "micromatch";
import { expect, test } from "vitest";
import { inTree } from "../../test/in-tree.ts";
import { globPattern } from "./glob-pattern.ts";
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

const FILES = { path: ".", recursive: true, includeIgnored: false, includeHidden: true, links: false, attempt: "" };

/** Whether a pattern matches a path, asked of the whole path: no directory is left out beforehand. */
function isMatch(file: string, glob: string): boolean {
  const options = { dot: true, noext: true, posix: true };
  return micromatch
    .braces(glob, { expand: true, keepEscaping: true })
    .map((one) => (one.includes("/") ? one : one && `**/${one}`))
    .some(
      (one) => one !== "" && !one.endsWith("/") && new RegExp(micromatch.makeRe(one, options).source, "s").test(file),
    );
}

test("listTree() finds with a pattern the files of the whole listing that match it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 14 }), pattern, ignores, (paths, glob, rules) =>
      inTree(
        paths,
        rules,
        async (sandbox) => {
          const all = listTree(sandbox, { ...FILES, pattern: undefined });
          const wanted = globPattern(glob, "");
          const { files } = listTree(sandbox, { ...FILES, pattern: wanted });
          expect(files).toEqual(all.files.filter((file) => isMatch(file, wanted)));
        },
        make,
      ),
    ),
  );
});

test("listTree() gives, where its budget ends it, the first files of the whole listing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 20 }),
      fc.option(pattern, { nil: undefined }),
      ignores,
      fc.integer({ min: 1, max: 12 }),
      (paths, glob, rules, maxEntries) =>
        inTree(
          paths,
          rules,
          async (sandbox) => {
            const request = { ...FILES, pattern: glob === undefined ? undefined : globPattern(glob, "") };
            const all = listTree(sandbox, request);
            const { files, stopped, reached } = listTree(sandbox, request, { maxEntries });
            expect(all).toMatchObject({ complete: true, stopped: false });
            expect(files).toEqual(all.files.filter((file) => !stopped || file <= (reached ?? "")));
          },
          make,
        ),
    ),
  );
});
