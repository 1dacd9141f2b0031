import { expect, test } from "vitest";
import { findEditMatches } from "./edit-match.ts";
import { editableText } from "./editable-text.ts";

const find = (file: string, old: string) => findEditMatches(editableText(Buffer.from(file)), old);
const block = "  function run() {\n    return start(now);\n  }\n";

test("findEditMatches() names the strictest tier in which there is a place", () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    [block, "return start(now)", "exact"],
    [block, block, "exact"],
    [block.replaceAll("\n", "\r\n"), block, "line_ends"],
    [block, block.replaceAll("\n", "\r\n"), "line_ends"],
    [block, "  function run() { \n    return start(now);\t\n", "trailing_space"],
    [block.replaceAll("\n", " \r\n"), "  function run() {\n    return start(now);\n", "trailing_space"],
    [block, "function run() {\n  return start(now);\n}", "indentation"],
    [`\ufeff${block}`, "    function run() {\n      return start(now);\n", "indentation"],
    [block, "7\t  function run() {\n8\t    return start(now);\n", "line_numbers"],
    [block, "9\t  function run() {\n10\t    return start(now);", "line_numbers"],
    [block, "7\t  function run() {\n9\t    return start(now);\n", undefined],
    [block, "7\tfunction run() {\n8\t  return start(now);\n", undefined],
    [block, "  function run() {\n    return  start(now);\n", undefined],
    [block, "  function run() {\n  return start(now);\n", undefined],
    [block, "return start(later)", undefined],
  ];
  for (const [file, old, tier] of cases) expect(find(file, old)?.tier, JSON.stringify([file, old])).toBe(tier);
});

test("findEditMatches() does not look further when a stricter tier has several places", () => {
  const search = find("a b\na b\n  a b  \nc d\n", "a b");
  expect([search?.tier, search?.places.length]).toEqual(["exact", 3]);
  const trailing = find("aa bb \ncc\naa bb \ncc\n  aa bb\n  cc", "aa bb\ncc\n");
  expect([trailing?.tier, trailing?.places.length]).toEqual(["trailing_space", 2]);
});

test("findEditMatches() does not tell places apart by line ends a model does not see", () => {
  expect(find("a\nb\n--\na\r\nb\r\n", "a\nb")?.places).toHaveLength(2);
  expect(find("a\nb\n--\na\r\nb\r\n", "a\r\nb")?.places).toHaveLength(1);
});
