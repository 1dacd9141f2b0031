import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { utf32Forms } from "./encoding-name.ts";
import { binaryReason } from "./text-kind.ts";

test("binaryReason() tells UTF-32, and no other bytes, for it", () => {
  for (const name of ["UTF-32LE", "UTF-32BE"] as const) {
    for (const addBOM of [true, false])
      expect(binaryReason(iconv.encode("имя 😀\tname\r\n", name, { addBOM }))).toContain(`it is ${name} text`);
    expect(utf32Forms("имя 😀")).toContainEqual(iconv.encode("имя 😀", name, { addBOM: false }));
  }
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(64),
    Buffer.from("plain text"),
    Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]),
  ])
    expect(binaryReason(bytes)).not.toContain("UTF-32");
});

test("read_file and search_files name UTF-32 for what it is, and leave it out in no answer", async () => {
  const { root } = makeWorktree({ "a.txt": iconv.encode("имя = name\n", "UTF-32LE"), "b.txt": "plain\n" });
  const call = toolsIn(root);
  expect(String(await call("read_file", { path: "a.txt" }))).toContain("it is UTF-32LE text");
  for (const query of ["имя", "name", "ИМЯ"])
    expect(dataOf(await call("search_files", { query, ignore_case: true }))).toMatchObject({
      matches: [],
      omissions: [{ reason: "encoding", paths: ["a.txt"] }],
    });
  expect(dataOf(await call("search_files", { query: "other" }))).toMatchObject({ omissions: [] });
});
