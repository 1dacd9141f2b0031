import fs from "node:fs";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, snapshot, toolsIn } from "../../test/worktree.ts";
import { contentVersion } from "../version/content-version.ts";

test("edit_file answers with the number of edits and a unified diff", async () => {
  const { root, text, read } = makeWorktree({ "a.ts": "one\ntwo\nthree\n" });
  const result = await toolsIn(root)("edit_file", {
    path: "a.ts",
    edits: [
      { old_text: "two", new_text: "2" },
      { old_text: "three", new_text: "3" },
    ],
  });
  expect(String(result)).toBe(
    "Applied 2 edits to a.ts, now version aR-4z7SIwq; line numbers of the diff are 1-based\n--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3",
  );
  expect(dataOf(result)).toMatchObject({
    path: "a.ts",
    edits: 2,
    version: contentVersion(read("a.ts")),
    merged: false,
    matched: ["exact", "exact"],
  });
  expect(text("a.ts")).toBe("one\n2\n3\n");
});

test("edit_file says how an old text was found that is not there exactly", async () => {
  const { root, text } = makeWorktree({ "a.ts": "class A {\r\n\trun() {\r\n\t\tgo();\r\n\t}\r\n}\r\n" });
  const result = await toolsIn(root)("edit_file", {
    path: "a.ts",
    edits: [
      { old_text: "run() {\n\tgo();\n}", new_text: "run() {\n\tstop();\n}" },
      { old_text: "class A {\n\trun()  ".trimEnd(), new_text: "class B {\n\trun()" },
      { old_text: "2\t\t\tstop();\n", new_text: "2\t\t\thalt();\n" },
      { old_text: "\t}  \n}\n", new_text: "\t}\n" },
    ],
  });
  expect(String(result)).toContain(
    ", edits[0] found with other indentation, new_text written with 1 tab more" +
      ", edits[1] found with other line ends, edits[2] found without the line numbers it was given with" +
      ", edits[3] found with other white space at line ends",
  );
  expect(dataOf(result)).toMatchObject({ matched: ["indentation", "line_ends", "line_numbers", "trailing_space"] });
  expect(text("a.ts")).toBe("class B {\r\n\trun() {\r\n\t\thalt();\r\n\t}\r\n");
});

test("edit_file edits UTF-16 as UTF-16 and shows it as text", async () => {
  const { root, at } = makeWorktree({ "a.txt": Buffer.from("\ufeffeins\r\nzwei\r\n", "utf16le") });
  const result = await toolsIn(root)("edit_file", {
    path: "a.txt",
    edits: [{ old_text: "eins\nzwei", new_text: "grün\n→" }],
  });
  expect(String(result)).toContain("-zwei\n+grün\n+→");
  expect(fs.readFileSync(at("a.txt"), "utf16le")).toBe("\ufeffgrün\r\n→\r\n");
});

test("edit_file changes nothing when one of the edits fails", async () => {
  const { root } = makeWorktree({ "a.ts": "one\ntwo\ntoo\n" });
  const before = snapshot(root);
  const call = toolsIn(root);
  for (const last of [
    { old_text: "nothing", new_text: "x" },
    { old_text: "o", new_text: "x" },
    { old_text: "", new_text: "x" },
  ]) {
    const result = await call("edit_file", { path: "a.ts", edits: [{ old_text: "one", new_text: "1" }, last] });
    expect(result, last.old_text).toMatchObject({ success: false, error: expect.stringContaining("edits[1]") });
  }
  expect(snapshot(root)).toEqual(before);
});

test("edit_file loses none of fifty parallel edits", async () => {
  const { root, text } = makeWorktree({
    "a.txt": Array.from({ length: 50 }, (_, index) => `line <${index}>\n`).join(""),
  });
  const call = toolsIn(root);
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      call("edit_file", { path: "a.txt", edits: [{ old_text: `<${index}>`, new_text: `[${index}]` }] }),
    ),
  );
  expect(results.every(({ success }) => success)).toBe(true);
  expect(text("a.txt")).toBe(Array.from({ length: 50 }, (_, index) => `line [${index}]\n`).join(""));
});

test("edit_file keeps mode, byte order mark, CRLF and undecodable bytes", async () => {
  const bytes = Buffer.concat([
    Buffer.from("\ufeffa\r\n"),
    Buffer.from([0xff, 0xfe, 0x80, 10]),
    Buffer.from("plain text that is long enough\r\nb\r\n"),
  ]);
  const { root, at, read } = makeWorktree({ "a.sh": bytes });
  fs.chmodSync(at("a.sh"), 0o755);
  const result = await toolsIn(root)("edit_file", {
    path: "a.sh",
    edits: [{ old_text: "long enough\nb", new_text: "longer\nc" }],
  });
  expect(String(result)).toContain("1 of them written with CRLF line ends");
  expect(read("a.sh")).toEqual(
    Buffer.concat([
      Buffer.from("\ufeffa\r\n"),
      Buffer.from([0xff, 0xfe, 0x80, 10]),
      Buffer.from("plain text that is longer\r\nc\r\n"),
    ]),
  );
  expect(fs.statSync(at("a.sh")).mode & 0o777).toBe(0o755);
});

test("edit_file follows a link and leaves it a link", async () => {
  const { root, at, text } = makeWorktree({ "real.txt": "old" });
  fs.symlinkSync("real.txt", at("link.txt"));
  await toolsIn(root)("edit_file", { path: "link.txt", edits: [{ old_text: "old", new_text: "new" }] });
  expect(text("real.txt")).toBe("new");
  expect(fs.lstatSync(at("link.txt")).isSymbolicLink()).toBe(true);
});

test("edit_file leaves another hard link to the file as it was", async () => {
  const { root, at, outside, text } = makeWorktree();
  fs.writeFileSync(`${outside}/shared.txt`, "shared");
  fs.linkSync(`${outside}/shared.txt`, at("alias.txt"));
  await toolsIn(root)("edit_file", { path: "alias.txt", edits: [{ old_text: "shared", new_text: "changed" }] });
  expect(text("alias.txt")).toBe("changed");
  expect(fs.readFileSync(`${outside}/shared.txt`, "utf8")).toBe("shared");
});

test("edit_file refuses binary files, missing files and directories", async () => {
  const { root } = makeWorktree({ "a.bin": Buffer.from([1, 0, 2]), "dir/x": "" });
  const call = toolsIn(root);
  const edits = [{ old_text: "a", new_text: "b" }];
  expect(await call("edit_file", { path: "a.bin", edits })).toMatchObject({ code: "binary_file" });
  expect(await call("edit_file", { path: "nothing", edits })).toMatchObject({ code: "file_not_found" });
  expect(await call("edit_file", { path: "new/nothing", edits })).toMatchObject({ code: "file_not_found" });
  expect(await call("edit_file", { path: "dir", edits })).toMatchObject({ code: "wrong_kind" });
  expect(await call("edit_file", { path: "dir/x", edits: [] })).toMatchObject({ code: "invalid_params" });
  expect(fs.existsSync(`${root}/new`)).toBe(false);
});

test("edit_file shows a diff of bounded length", async () => {
  const { root } = makeWorktree({ "a.txt": `${"word ".repeat(30)}\n`.repeat(2000) + "end" });
  const result = await toolsIn(root)("edit_file", {
    path: "a.txt",
    edits: [{ old_text: "end", new_text: `${"new ".repeat(100)}\n`.repeat(1000) }],
  });
  expect(String(result).length).toBeLessThan(21_000);
  expect(String(result)).toContain("(the diff goes on");
});
