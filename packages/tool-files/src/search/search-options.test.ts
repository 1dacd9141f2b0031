import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { searchInSameThread } from "../../test/same-thread-search.ts";
import { dataOf, makeWorktree, toolsIn, withoutNote } from "../../test/worktree.ts";

searchInSameThread();

describe.each([
  ["ripgrep", {}],
  ["the built-in engine", { ripgrep: false }],
] as const)("search_files with %s", (_, options) => {
  test("shows the lines around a match, none of them twice", async () => {
    const { root } = makeWorktree({ "a.txt": "0\n1 hit\n2\n3\n4 hit\n5\n6\n7\n8 hit", "b.txt": "hit\n" });
    const call = toolsIn(root, options);
    const result = await call("search_files", { query: "hit", context_lines: 1 });
    expect(String(result).split("\n")).toEqual([
      "a.txt:0- 0",
      "a.txt:1: 1 hit",
      "a.txt:2- 2",
      "a.txt:3- 3",
      "a.txt:4: 4 hit",
      "a.txt:5- 5",
      "--",
      "a.txt:7- 7",
      "a.txt:8: 8 hit",
      "--",
      "b.txt:0: hit",
    ]);
    expect(dataOf<{ matches: object[] }>(result).matches[1]).toEqual({
      path: "a.txt",
      line: 4,
      text: "4 hit",
      before: ["3"],
      after: ["5"],
    });
    expect(String(await call("search_files", { query: "4 hit", context_lines: 20 })).split("\n")).toHaveLength(9);
  });

  test("finds matches over several lines, whatever the line ends", async () => {
    const { root } = makeWorktree({ "crlf.txt": "x\r\nif (a) {\r\n  b\r\n}\r\n", "lf.txt": "if (a) {\n  b\n}" });
    const call = toolsIn(root, options);
    const find = async (params: object) => withoutNote(await call("search_files", { multiline: true, ...params }));
    const both = "crlf.txt:1: if (a) {\ncrlf.txt:2:   b\nlf.txt:0: if (a) {\nlf.txt:1:   b";
    expect(await find({ query: "{\n  b" })).toBe(both);
    expect(await find({ query: "\\{\\s+b", is_regex: true })).toBe(both);
    expect(await find({ query: "^if[^}]*\\}", is_regex: true, mode: "count" })).toBe(
      "crlf.txt: 3\nlf.txt: 3\n[6 matching lines in 2 files]",
    );
    expect(await find({ query: "(?i)^IF", is_regex: true, mode: "files" })).toBe("crlf.txt\nlf.txt");
  });

  test("does not hold a large file in memory to search it over several lines, and says so", async () => {
    const { root } = makeWorktree({ "big.txt": "a\nb\n".repeat(2_100_000), "small.txt": "a\nb\n" });
    for (const path of [".", "big.txt"]) {
      const result = String(await toolsIn(root, options)("search_files", { query: "a\nb", path, multiline: true }));
      expect(result.split("\n").at(-1)).toBe(
        "[1 too large to be decoded or searched over several lines, up to 8 MiB are allowed: big.txt]",
      );
    }
  });

  test("ignores case on request, also beyond ASCII", async () => {
    const { root } = makeWorktree({ "a.txt": "SÄGE (x)\nsäge (X)\n" });
    const call = toolsIn(root, options);
    const lines = async (params: object) =>
      dataOf<{ matches: { line: number }[] }>(await call("search_files", params)).matches.map(({ line }) => line);
    expect(await lines({ query: "säge (x)", ignore_case: true })).toEqual([0, 1]);
    expect(await lines({ query: "säge \\(x", is_regex: true, ignore_case: true })).toEqual([0, 1]);
    expect(await lines({ query: "säge" })).toEqual([1]);
  });

  test("answers with files alone, or with how many lines match in each", async () => {
    const { root } = makeWorktree({ "a.txt": "hit\nhit hit\n", "b.txt": "miss\n", "c.txt": "hit" });
    const call = toolsIn(root, options);
    const files = await call("search_files", { query: "hit", mode: "files" });
    expect(String(files)).toBe("a.txt\nc.txt");
    expect(dataOf(files)).toEqual({
      matches: [],
      files: [{ path: "a.txt" }, { path: "c.txt" }],
      truncated: false,
      timed_out: false,
      ignored: 0,
      omissions: [],
    });
    const counts = await call("search_files", { query: "hit", mode: "count" });
    expect(String(counts)).toBe("a.txt: 2\nc.txt: 1\n[3 matching lines in 2 files]");
    const first = await call("search_files", { query: "hit", mode: "count", limit: 1 });
    expect(dataOf(first)).toMatchObject({ files: [{ path: "a.txt", count: 2 }], truncated: true, cursor: "0:a.txt" });
    expect(String(await call("search_files", { query: "hit", mode: "count", cursor: "0:a.txt" }))).toBe(
      "c.txt: 1\n[1 matching line in 1 file]",
    );
  });

  test("goes on after a cursor, also when its file is gone", async () => {
    const { root, at } = makeWorktree({ "a.txt": "hit 0\nhit 1\nhit 2\n", "b c.txt": "hit\n", "d.txt": "hit\n" });
    const call = toolsIn(root, options);
    const cut = await call("search_files", { query: "hit", limit: 2 });
    expect(String(cut)).toContain("[the first 2 matching lines, there are more: go on with cursor 1:a.txt, or narrow");
    const next = await call("search_files", { query: "hit", limit: 2, cursor: "1:a.txt" });
    expect(String(next)).toContain("a.txt:2: hit 2\nb c.txt:0: hit\n[the next 2 matching lines");
    expect(dataOf(next)).toMatchObject({ cursor: "0:b%20c.txt" });
    fs.rmSync(at("b c.txt"));
    expect(String(await call("search_files", { query: "hit", cursor: "0:b%20c.txt" }))).toBe("d.txt:0: hit");
    expect(String(await call("search_files", { query: "hit", cursor: "0:d.txt" }))).toBe(
      "[no matches after the cursor]",
    );
    for (const cursor of ["", "a.txt", "x:a.txt", "1:%zz"])
      expect(await call("search_files", { query: "hit", cursor }), cursor).toMatchObject({ code: "invalid_cursor" });
  });

  test("leaves hidden names out on request", async () => {
    const { root } = makeWorktree({ ".env": "hit", ".config/x": "hit", "a/.b": "hit", "a/c": "hit" });
    const call = toolsIn(root, options);
    const find = async (params: object) =>
      String(await call("search_files", { query: "hit", mode: "files", ...params }));
    expect(await find({})).toBe(".config/x\n.env\na/.b\na/c");
    expect(await find({ include_hidden: false })).toBe("a/c");
    expect(await find({ include_hidden: false, path: ".config" })).toBe(".config/x");
  });

  test("finds text in lines that hold bytes of no encoding", async () => {
    const { root } = makeWorktree({ "a.txt": Buffer.from([0x61, 0xe4, 0x62, 10, 0x61, 0x62, 10]) });
    const call = toolsIn(root, options);
    const lines = async (query: string) =>
      dataOf<{ matches: { line: number }[] }>(await call("search_files", { query, is_regex: true })).matches.map(
        ({ line }) => line,
      );
    expect(await lines("^ab")).toEqual([1]);
    expect(await lines("b$")).toEqual([0, 1]);
    // ripgrep matches no class with such a byte; JavaScript takes it for a character.
    for (const query of ["a.b", "a[^x]b", "a\\Wb"])
      expect(await lines(query), query).toEqual("ripgrep" in options ? [0] : []);
  });

  test("tells a tree without files from one without matches", async () => {
    const { root } = makeWorktree({ "a.txt": "x" });
    const call = toolsIn(root, options);
    const find = async (params: object) => String(await call("search_files", { query: "hit", ...params }));
    expect(await find({})).toBe("[no matches]");
    expect(await find({ pattern: "*.md" })).toBe("[no matches: no files match the pattern]");
    fs.rmSync(`${root}/a.txt`);
    expect(await find({})).toBe("[no matches: no files]");
  });
});
