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

function faultsWith(files: Readonly<Record<string, string>>): readonly string[] {
  return findStageFaults(order, new Map(Object.entries({ ...house, ...files })));
}

describe("findStageFaults()", () => {
  test("accepts imports of earlier folders", () => {
    expect(faultsWith({})).toEqual([]);
  });

  test.each([
    ["a value", 'import { read } from "../read/read.ts";'],
    ["a type", 'import type { read } from "../read/read.ts";'],
    ["a type in place", 'export type Read = typeof import("../read/read.ts");'],
    ["a re-export", 'export { read } from "../read/read.ts";'],
    ["a dynamic import", 'export const load = () => import("../read/read.ts");'],
  ])("refuses %s imported from a later folder", (_, text) => {
    expect(faultsWith({ "json/late.ts": text })).toEqual([
      "json/late.ts: it imports read/read.ts, allowed are json and the folders before it",
    ]);
  });

  test("refuses imports between folders of one stage", () => {
    expect(faultsWith({ "write/late.ts": 'import "../read/read.ts";' })).toHaveLength(1);
  });

  test("refuses a cycle of type imports inside one folder", () => {
    const cycle = { "json/a.ts": 'import type { B } from "./b.ts";', "json/b.ts": 'export type { A } from "./a.ts";' };
    expect(faultsWith(cycle)).toEqual(["json/a.ts → json/b.ts → json/a.ts: a cycle of imports"]);
  });

  test("refuses a folder that is not listed", () => {
    expect(faultsWith({ "odd/x.ts": "" })).toEqual(["odd/x.ts: its folder is not listed in .ci/stages.ts"]);
  });

  test("refuses a folder of more than 30 files", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`read/r${n}.ts`, ""]));
    expect(faultsWith(many)).toEqual(["read: it holds 31 source files, allowed are 30"]);
  });
});
