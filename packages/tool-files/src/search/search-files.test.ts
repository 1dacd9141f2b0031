import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { searchInSameThread } from "../../test/same-thread-search.ts";
import { dataOf, filler, makeWorktree, SECRET, toolsIn, withoutNote } from "../../test/worktree.ts";

searchInSameThread();

describe.each([
  ["ripgrep", {}],
  ["the built-in engine", { ripgrep: false }],
] as const)("search_files with %s", (_, options) => {
  const files = {
    "a.txt": "zero\none Needle\ntwo needle (x)\n",
    "src/b.ts": "needle = 1;\nsäge\r\n",
    "src/c.js": "const needle = [1];\n",
    "ignored/d.txt": "needle\n",
    ".gitignore": "ignored/\n",
    ".git/config": "needle\n",
    "bin.dat": Buffer.from([0, 1, 2, 10, ...Buffer.from("needle\n")]),
    "last.txt": "no line end: needle",
  };

  test("finds text, line by line, in order, with 0-based numbers", async () => {
    const { root } = makeWorktree(files);
    const call = toolsIn(root, options);
    const result = await call("search_files", { query: "needle" });
    expect(String(result)).toBe(
      "a.txt:2: two needle (x)\nlast.txt:0: no line end: needle\nsrc/b.ts:0: needle = 1;\nsrc/c.js:0: const needle = [1];\n[1 binary file that matches or may match is not shown: bin.dat]",
    );
    expect(dataOf(result)).toMatchObject({
      omissions: [{ reason: "binary", count: 1, paths: ["bin.dat"] }],
      truncated: false,
      matches: [{ path: "a.txt", line: 2, text: "two needle (x)" }, {}, {}, {}],
    });
    expect(String(await call("search_files", { query: "(x)" }))).toBe("a.txt:2: two needle (x)");
    expect(String(await call("search_files", { query: "needle", path: "src", pattern: "*.ts" }))).toBe(
      "src/b.ts:0: needle = 1;",
    );
    expect(String(await call("search_files", { query: "needle", path: "src/c.js" }))).toBe(
      "src/c.js:0: const needle = [1];",
    );
    expect(String(await call("search_files", { query: "needle", path: "ignored" }))).toBe("ignored/d.txt:0: needle");
    expect(String(await call("search_files", { query: "needle", include_ignored: true }))).toContain(
      "ignored/d.txt:0: needle",
    );
  });

  test("finds regular expressions", async () => {
    const { root } = makeWorktree(files);
    const call = toolsIn(root, options);
    const find = async (query: string) => withoutNote(await call("search_files", { query, is_regex: true }));
    expect(await find("(?i)^one need")).toBe("a.txt:1: one Needle");
    expect(await find("s.ge$")).toBe("src/b.ts:1: säge");
    expect(await find("\\bneedle\\b.*[(\\[]")).toBe("a.txt:2: two needle (x)\nsrc/c.js:0: const needle = [1];");
    expect(await find("^$")).toBe("[no matches]\n[1 left out because of .gitignore, search them with include_ignored]");
    expect(await find("z?")).toContain("a.txt:0: zero\na.txt:1: one Needle");
  });

  test("says what is wrong with a regular expression, also where there is no file", async () => {
    const { root } = makeWorktree();
    for (const query of [
      "(",
      "[a",
      "*a",
      "a{2,1}",
      "\\",
      ...("ripgrep" in options ? [] : ["(?=x)", "(?<!x)", "(a)\\1"]),
    ]) {
      const result = await toolsIn(root, options)("search_files", { query, is_regex: true });
      expect(result, query).toMatchObject({ success: false, code: "invalid_regex" });
      expect(String(result), query).toContain("the regular expression");
    }
    for (const query of ["a\nb", "a\0b", "\ud800"])
      expect(await toolsIn(root, options)("search_files", { query }), query).toMatchObject({ code: "invalid_query" });
    expect(await toolsIn(root, options)("search_files", { query: "" })).toMatchObject({ code: "invalid_params" });
    expect(await toolsIn(root, options)("search_files", { query: "x", path: "nothing" })).toMatchObject({
      code: "file_not_found",
    });
  });

  test("shows a hundred matches and proves that there are more", async () => {
    const { root } = makeWorktree({ "a.txt": "hit\n".repeat(60), "b.txt": "hit\n".repeat(40) });
    const call = toolsIn(root, options);
    const exact = await call("search_files", { query: "hit" });
    expect(dataOf(exact)).toMatchObject({ truncated: false });
    expect(String(exact).split("\n")).toHaveLength(100);
    fs.writeFileSync(join(root, "c.txt"), "hit\n");
    for (const is_regex of [false, true]) {
      const more = await call("search_files", { query: "hit", is_regex });
      expect(dataOf(more)).toMatchObject({ truncated: true });
      expect(withoutNote(more).split("\n").at(-1)).toBe(
        "[the first 100 matching lines, there are more: go on with cursor 39:b.txt, or narrow the query, path or pattern]",
      );
    }
  });

  test("shows a long line around its match, and escapes what could forge a line", async () => {
    const { root } = makeWorktree({
      "long.txt": `${"é".repeat(5000)}needle${"x".repeat(5000)}\n`,
      "odd.txt": "a\u001b[31m\rneedle\u2028fake.txt:1: needle\n",
    });
    const [long, odd, ...rest] = String(await toolsIn(root, options)("search_files", { query: "needle" })).split("\n");
    expect(long).toMatch(/^long\.txt:0: …é{100}needlex+…$/);
    expect(long?.length).toBe(302 + "long.txt:0: ".length);
    expect(odd).toBe("odd.txt:0: a\\u001b[31m\\u000dneedle\\u2028fake.txt:1: needle");
    expect(rest).toEqual([]);
  });

  test("searches a line of any length in bounded output", async () => {
    const { root } = makeWorktree({
      "one-line.json": `${" ".repeat(200_000)}near${" ".repeat(3_000_000)}far\nafter near\n`,
    });
    const call = toolsIn(root, options);
    expect(
      dataOf<{ matches: { line: number }[] }>(await call("search_files", { query: "near" })).matches.map(
        ({ line }) => line,
      ),
    ).toEqual([0, 1]);
    const far = String(await call("search_files", { query: "far" }));
    expect(far).toMatch(/^one-line\.json:0: … +far$/);
    expect(far.length).toBeLessThan(400);
  });

  test("follows no link and reads no pipe", async () => {
    const { root, at, outside } = makeWorktree({ "real.txt": "needle" });
    fs.symlinkSync("real.txt", at("alias.txt"));
    fs.symlinkSync(outside, at("out"));
    const call = toolsIn(root, options);
    expect(String(await call("search_files", { query: "needle" }))).toBe("real.txt:0: needle");
    expect(String(await call("search_files", { query: "outside" }))).not.toContain(SECRET);
  });

  test("says that a pipe is none of what can be searched", async () => {
    const { root, at } = makeWorktree();
    execFileSync("mkfifo", [at("pipe")]);
    const result = await toolsIn(root, options)("search_files", { query: "x", path: "pipe" });
    expect(result).toMatchObject({ success: false, code: "wrong_kind" });
    expect(String(result)).toContain("it is a pipe, socket or device");
  });
});

test.each([{}, { ripgrep: false as const }])(
  "search_files counts what it leaves out once, however many files there are, %j",
  async (options) => {
    const { root } = makeWorktree({
      ...filler(),
      ...filler("z/"),
      ".gitignore": "a\n*.log\n",
      a: "",
      "b.log": "",
      "z/c.log": "",
    });
    expect(dataOf(await toolsIn(root, options)("search_files", { query: "none" }))).toMatchObject({ ignored: 3 });
  },
);
