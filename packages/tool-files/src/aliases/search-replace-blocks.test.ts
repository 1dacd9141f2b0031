import { expect, test } from "vitest";
import { searchReplaceBlocks } from "./alias-readers.ts";

const block = (old: string, now: string) => `<<<<<<< SEARCH\n${old}=======\n${now}>>>>>>> REPLACE\n`;

test.each([
  ["one", block("a\n", "b\n"), [{ old_text: "a\n", new_text: "b\n" }]],
  ["two, with CRLF", (block("a\n", "b\n") + block("c\n", "")).replaceAll("\n", "\r\n"), 2],
  ["in a fence", `\`\`\`ts\n${block("a\n", "b\n")}\`\`\``, [{ old_text: "a\n", new_text: "b\n" }]],
  ["with dashes", "------- SEARCH\na\n=======\nb\n+++++++ REPLACE", [{ old_text: "a\n", new_text: "b\n" }]],
  [
    "with a hint",
    "<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\n>>>>>>> REPLACE",
    [{ old_text: "a\n", new_text: "" }],
  ],
  ["none", "", undefined],
  ["text between them", `${block("a\n", "b\n")}and\n${block("a\n", "b\n")}`, undefined],
  ["no end", "<<<<<<< SEARCH\na\n=======\nb\n", undefined],
  ["an edge in a text", block("a\n=======\n", "b\n"), undefined],
  ["a block in a block", block(block("a\n", "b\n"), "c\n"), undefined],
])("searchReplaceBlocks() reads %s", (_what, diff, expected) => {
  const blocks = searchReplaceBlocks(diff);
  if (typeof expected === "number") expect(blocks).toHaveLength(expected);
  else expect(blocks).toEqual(expected);
});

test("searchReplaceBlocks() comes to an end with a megabyte of separators", () => {
  expect(searchReplaceBlocks(`<<<<<<< SEARCH\n${"===\n".repeat(300_000)}`)).toBeUndefined();
});
