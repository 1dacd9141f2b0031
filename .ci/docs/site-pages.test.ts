import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sitePages } from "./site-pages.ts";

test("sitePages() has every page of the repository and of the API once, with its title and first sentence", () => {
  const api = mkdtempSync(path.join(tmpdir(), "site-pages-"));
  onTestFinished(() => rmSync(api, { recursive: true }));
  mkdirSync(path.join(api, "@dispatch/kettle/index"), { recursive: true });
  writeFileSync(path.join(api, "@dispatch/kettle/README.md"), "# kettle\n");
  writeFileSync(path.join(api, "@dispatch/kettle/index/README.md"), "# index\n\nBoils `water`. Then stops.\n");
  const pages = sitePages(api);
  const files = pages.map(({ file }) => file);
  expect(new Set(files).size).toBe(files.length);
  expect(files).toEqual(
    expect.arrayContaining([
      "README.md",
      "packages/tools-interface/docs/loop.md",
      "packages/tool-code/THREAT_MODEL.md",
    ]),
  );
  expect(pages.filter(({ title }) => title === "").map(({ file }) => file)).toEqual([]);
  expect(pages.slice(-2)).toMatchObject([
    { file: "api/@dispatch/kettle/README.md", title: "@dispatch/kettle: entry points" },
    { file: "api/@dispatch/kettle/index/README.md", title: "@dispatch/kettle", summary: "Boils water." },
  ]);
});
