import { describe, expect, test } from "vitest";
import { findStageFaults } from "./check-stages.ts";

const order = ["json", ["read", "write"], ".", "testing"];
const house = {
  "index.ts": 'export { read } from "./read/read.ts";',
  "json/json.ts": "export type Json = string;",
  "read/read.ts": 'import type { Json } from "../json/json.ts";\nexport const read: Json = "";',
  "write/write.ts": 'import { read } from "npm";',
  "testing/deep/suite.ts": 'import { read } from "../../index.ts";',
};

const manifest = {
  name: "@house/tool",
  exports: {
    ".": { "@dispatch/source": "./src/index.ts", default: "./dist/index.js" },
    "./read": { "@dispatch/source": "./src/read/read.ts" },
    "./package.json": "./package.json",
  },
};

function faultsWith(files: Readonly<Record<string, string>>): readonly string[] {
  return findStageFaults(order, new Map(Object.entries({ ...house, ...files })), manifest);
}

describe("findStageFaults()", () => {
  test("accepts imports of earlier directories", () => {
    expect(faultsWith({})).toEqual([]);
  });

  test.each([
    ["a value", 'import { read } from "../read/read.ts";'],
    ["a type", 'import type { read } from "../read/read.ts";'],
    ["a type in place", 'export type Read = typeof import("../read/read.ts");'],
    ["a re-export", 'export { read } from "../read/read.ts";'],
    ["a dynamic import", 'export const load = () => import("../read/read.ts");'],
    ["a template", "export const load = () => import(`../read/read.ts`);"],
    ["a required value", 'const read = require("../read/read.ts");'],
    ["a value of a require that was made", 'const read = createRequire(import.meta.url)("../read/read.ts");'],
    ["a value of a require under another name", 'const r = createRequire(import.meta.url);\nr("../read/read.ts");'],
    ["a required name", 'import read = require("../read/read.ts");'],
    ["a resolved path", 'import.meta.resolve("../read/read.ts");'],
    ["a URL", 'new Worker(new URL("../read/read.ts", import.meta.url));'],
    ["a path kept in a constant", 'const file = "../read/read.ts";\nrequire(file);'],
    ["the package's own name", 'import { read } from "@house/tool/read";'],
    ["the package's own name, required,", 'require("@house/tool/read");'],
    ["the spelling of what is built", 'import { read } from "../read/read.js";'],
    ["a path without extension", 'import { read } from "../read/read";'],
    ["a path with a query", 'import { read } from "../read/read.ts?again#part";'],
    ["a path out of src and back in", 'import { read } from "../../src/read/read.ts";'],
  ])("refuses %s imported from a later directory", (_, text) => {
    expect(faultsWith({ "json/late.ts": text })).toEqual([
      "json/late.ts: it imports read/read.ts, allowed are json and the directories before it",
    ]);
  });

  test.each(["mts", "cts", "tsx"])("refuses imports in and of a .%s file", (extension) => {
    const late = { [`json/late.${extension}`]: 'import "../read/read.ts";' };
    expect(faultsWith(late)).toEqual([expect.stringContaining("it imports read/read.ts")]);
    const text = { [`read/more.${extension}`]: "", "json/late.ts": `import "../read/more.${extension}";` };
    expect(faultsWith(text)).toEqual([expect.stringContaining(`it imports read/more.${extension}`)]);
  });

  test("refuses a URL without leading dot", () => {
    const files = { "json/late.ts": 'new URL("b.ts", import.meta.url);', "json/b.ts": 'import "./late.ts";' };
    expect(faultsWith(files)).toEqual(["json/late.ts → json/b.ts → json/late.ts: a cycle of imports"]);
  });

  test.each([
    ["a test", 'import "../read/read.test.ts";'],
    ["a file of the tests' directory", 'import "../../test/read.ts";'],
    ["a file that does not exist", 'export const load = () => import("./none.ts");'],
    ["a required file of the tests' directory", 'createRequire(import.meta.url)("../../test/read.ts");'],
    ["a URL of the tests' directory", 'new URL("../../test/read.ts", import.meta.url);'],
    ["another package's file", 'import "../../../tool-files/src/index.ts";'],
    ["a directory without index.ts", 'import "..";\nimport "../read";'],
    ["a name that the package does not export", 'import "@house/tool/none";'],
    ["a name for the package alone", 'import "#read";'],
    ["an absolute path", 'import "/read/read.ts";'],
    ["a file: URL", 'import "file:///read/read.ts";'],
    ["an escaped path", 'import "./%6ason.ts";'],
    ["what is no string", 'export const load = (name: string) => import("./" + name);'],
  ])("refuses %s", (_, text) => {
    expect(faultsWith({ "json/late.ts": text })).toContainEqual(
      expect.stringMatching(/^json\/late\.ts: it imports .*, allowed are/),
    );
  });

  test.each([
    ["a dependency", 'import { z } from "zod";'],
    ["a built-in module", 'import path from "node:path";'],
    ["JSON", 'import data from "./data.json" with { type: "json" };'],
    ["the manifest", 'require("@house/tool/package.json");'],
    ["text with dots", 'export const isOutside = (file: string) => file.startsWith("../") || file === "..";'],
    ["the URL of a directory", 'new URL("..", import.meta.url);\nnew URL("../../test/", import.meta.url);'],
    ["the package's name as text", 'export const scope = "@house/tool";'],
  ])("accepts %s", (_, text) => {
    expect(faultsWith({ "json/fine.ts": text })).toEqual([]);
  });

  test("refuses a listed directory that does not exist", () => {
    expect(findStageFaults(["gone", "."], new Map([["index.ts", ""]]), manifest)).toEqual([
      "gone: it is listed in .ci/stages.ts and holds no source file",
    ]);
  });

  test("refuses imports between directories of one stage", () => {
    expect(faultsWith({ "write/late.ts": 'import "../read/read.ts";' })).toHaveLength(1);
  });

  test("refuses a cycle of type imports inside one directory", () => {
    const cycle = { "json/a.ts": 'import type { B } from "./b.ts";', "json/b.ts": 'export type { A } from "./a.ts";' };
    expect(faultsWith(cycle)).toEqual(["json/a.ts → json/b.ts → json/a.ts: a cycle of imports"]);
  });

  test("refuses a directory that is not listed", () => {
    expect(faultsWith({ "odd/x.ts": "" })).toEqual(["odd/x.ts: its directory is not listed in .ci/stages.ts"]);
  });

  test("refuses a directory of more than 30 files", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`read/r${n}.ts`, ""]));
    expect(faultsWith(many)).toEqual(["read: it holds 31 source files, allowed are 30"]);
  });
});
