import { expect, test } from "vitest";
import { describeTarballs } from "./packed-files.ts";

test("describeTarballs() counts the files of each directory and names the others", () => {
  const paths = ["dist/index.js", "README.md", "dist/a/b.js", "docs/brewing.md", "package.json"];
  const packed = [
    { name: "@tea/kettle", files: paths.map((path) => ({ path })) },
    { name: "@tea/spoon", files: [{ path: "package.json" }] },
  ];
  expect(describeTarballs(`warning: [old] setting\n${JSON.stringify(packed, undefined, 2)}\n`)).toBe(
    `@tea/kettle: 5 files
  README.md
  dist/ (2)
  docs/ (1)
  package.json

@tea/spoon: 1 files
  package.json
`,
  );
});
