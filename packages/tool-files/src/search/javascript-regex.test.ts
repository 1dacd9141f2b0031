import { expect, test } from "vitest";
import { searchInSameThread } from "../../test/same-thread-search.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

searchInSameThread();

function searcher(files: Parameters<typeof makeWorktree>[0]) {
  const call = toolsIn(makeWorktree(files).root, { ripgrep: false });
  return async (query: string, options: object = {}) => call("search_files", { query, is_regex: true, ...options });
}

async function linesOf(result: Promise<unknown>): Promise<number[]> {
  return dataOf<{ matches: { line: number }[] }>((await result) as never).matches.map(({ line }) => line);
}

test("search_files without ripgrep says that JavaScript read the expression, and what differs", async () => {
  const find = searcher({ "a.txt": "one\ntwo\n" });
  const found = await find("t.o");
  expect(String(found)).toMatch(/^a\.txt:1: two\n\[the query was read as a regular expression of JavaScript.*ASCII/);
  expect(dataOf(found)).toMatchObject({ regex_syntax: "JavaScript" });
  expect(String(await find("two", { is_regex: false }))).toBe("a.txt:1: two");
});

test("search_files without ripgrep says which syntax JavaScript refuses", async () => {
  const find = searcher({ "a.txt": "one\n" });
  for (const query of ["(?s)a", "(?P<n>a)", "a{", "\\<a", "a\\z", "[[:alpha:]]", "(", "a(?i)b", "*a"]) {
    const result = await find(query);
    expect([query, result]).toMatchObject([query, { success: false, code: "invalid_regex" }]);
    expect(String(result), query).toMatch(/read by JavaScript here, with the flags mu, and is invalid there: \w/);
  }
});

test("search_files without ripgrep searches line by line, whatever the line ends", async () => {
  const text = "foo bar\n\nfoo\nbar\nFOO";
  for (const end of ["\n", "\r\n"]) {
    const find = searcher({ "a.txt": text.replaceAll("\n", end) });
    expect(await linesOf(find("^foo$"))).toEqual([2]);
    expect(await linesOf(find("^$"))).toEqual([1]);
    expect(await linesOf(find("(?i)^foo$"))).toEqual([2, 4]);
    expect(await linesOf(find("foo(?! bar)"))).toEqual([2]);
    expect(await linesOf(find("foo(?![^])"))).toEqual([2]);
    expect(await linesOf(find("(?<![^])bar"))).toEqual([3]);
    expect(await linesOf(find("(o)\\1"))).toEqual([0, 2]);
    expect(await linesOf(find("foo\\nbar", { multiline: true }))).toEqual([2, 3]);
    expect(await linesOf(find("^$", { multiline: true }))).toEqual([1]);
  }
});

test("search_files without ripgrep does not take what follows a match for the beginning of a line or word", async () => {
  const find = searcher({ "a.txt": "b\r\naab\r\n" });
  for (const query of ["^[^a]a?", "\\bbb?\\b"]) expect(await linesOf(find(query, { multiline: true }))).toEqual([0]);
});
