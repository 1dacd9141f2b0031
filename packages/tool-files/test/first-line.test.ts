import { describe, expect, test } from "vitest";
import { createFileTools } from "../src/index.ts";
import { dataOf, makeWorktree, toolsIn } from "./worktree.ts";

const tools = ["read_file", "read_files", "edit_file", "search_files", "apply_patch"] as const;
const FILES = {
  "a.txt": "one\ntwo\r\nthree\ntwo\r\nfour\n",
  "bad.txt": Buffer.from([0x61, 0x0a, 0xc3, 0xa4, 0xc3, 0xb6, 0xff, 0x0a]),
  "long.txt": `begin\n${"x".repeat(5000)}\nend\n`,
  "many.txt": "line\n".repeat(2500),
  "shifted.txt": "  if (a) {\n    b();\n  }\nif (a) {\n  c();\n}\n",
};

/** Calls the tools whose first line has the number `n`. */
function world(n: 0 | 1) {
  const { root } = makeWorktree(FILES);
  return toolsIn(root, { tools, firstLine: n });
}

describe.each([0, 1] as const)("with %s as the first line, tools", (n) => {
  const expectSaid = async (tool: string, params: object, ...expected: string[]) => {
    const text = String(await world(n)(tool, params));
    for (const part of expected) expect(text).toContain(part);
  };

  test("read the lines that are asked for, and number them so", async () => {
    const call = world(n);
    const read = await call("read_file", { path: "a.txt", start_line: 1 + n, end_line: 2 + n });
    expect(String(read)).toMatch(
      new RegExp(
        `^${1 + n}\ttwo\n${2 + n}\tthree\n\\[lines ${1 + n} to ${2 + n}; the file has 5 lines, the first is ${n}\\]`,
      ),
    );
    expect(dataOf(read)).toMatchObject({ start_line: 1 + n, end_line: 2 + n, content: "two\r\nthree\n" });
    const tail = await call("read_file", { path: "a.txt", start_line: -2 });
    expect(dataOf(tail)).toMatchObject({ start_line: 3 + n, end_line: 4 + n });
    expect(dataOf(await call("read_file", { path: "a.txt", view_range: [2, 3] }))).toMatchObject({
      content: "two\r\nthree\n",
    });
    expect(dataOf(await call("read_file", { path: "a.txt", limit: 2 }))).toMatchObject({ content: "one\ntwo\r\n" });
    await expectSaid("read_files", { paths: ["a.txt", "bad.txt"] }, `${n}\tone`, `=== bad.txt ===\n${n}\ta\n`);
  });

  test("name calls that read on, which do", async () => {
    const call = world(n);
    for (const path of ["many.txt", "long.txt"]) {
      const read = await call("read_file", { path });
      const { next, content } = dataOf<{ next: { start_line: number }; content: string }>(read);
      expect(String(read)).toContain(JSON.stringify(next));
      expect(next.start_line).toBe(path === "many.txt" ? 2000 + n : 1 + n);
      const rest = dataOf<{ content: string; start_line: number }>(await call("read_file", next));
      expect(rest.start_line).toBe(next.start_line);
      if (path === "many.txt") expect(content + rest.content).toBe(FILES[path]);
      else expect(rest.content).toMatch(/^x{3000}/);
    }
    await expectSaid("read_file", { path: "long.txt" }, `cut: line ${1 + n} (`);
    await expectSaid("read_file", { path: "bad.txt" }, `line ${1 + n} byte 4 (0xff)`);
  });

  test("name lines in errors", async () => {
    await expectSaid(
      "read_file",
      { path: "a.txt", start_line: 9 },
      `start_line is 9, the file has 5 lines, ${n} to ${4 + n}`,
    );
    await expectSaid("read_file", { path: "bad.txt", start_line: n, start_byte: 9 }, `line ${n} has 1 bytes`);
    await expectSaid("read_file", { path: "a.txt", start_line: 3, end_line: 2 }, "end_line 2 is before start_line 3");
    const edit = (path: string, old_text: string) => ({ path, edits: [{ old_text, new_text: "x" }] });
    await expectSaid(
      "edit_file",
      edit("a.txt", "two\n"),
      `beginning at lines ${1 + n}, ${3 + n} (${n}-based)`,
      `- line ${1 + n}:`,
    );
    await expectSaid(
      "edit_file",
      edit("a.txt", "three\ntvo\n"),
      `Nearest (${n}-based lines)`,
      `- lines ${2 + n} to ${3 + n}: line ${3 + n}:`,
    );
    await expectSaid(
      "edit_file",
      edit("shifted.txt", "if (a) {\n  b();\n}\n"),
      `is at line ${n} (${n}-based)`,
      `- lines ${3 + n} to ${5 + n}: line ${4 + n}:`,
    );
    await expectSaid("edit_file", edit("many.txt", "line\n".repeat(20)), `lines ${n}, ${1 + n}, `);
    const patch = (piece: string) => ({ patch: `*** Begin Patch\n*** Update File: a.txt\n${piece}\n*** End Patch` });
    await expectSaid("apply_patch", patch("@@\n-two\n+2"), `at lines ${1 + n}, ${3 + n} (${n}-based)`);
    await expectSaid("apply_patch", patch("@@ none\n-two\n+2"), `after line ${n} (${n}-based)`);
    await expectSaid("apply_patch", patch("@@\n-three\n-tvo\n+2"), `line ${3 + n}:`);
  });

  test("find lines by the numbers that they are read by, copied numbers too", async () => {
    for (const options of [{}, { ripgrep: false as const }]) {
      const { root } = makeWorktree(FILES);
      const call = toolsIn(root, { ...options, tools, firstLine: n });
      const found = await call("search_files", { query: "three", context_lines: 1, limit: 1 });
      expect(String(found)).toBe(`a.txt:${1 + n}- two\na.txt:${2 + n}: three\na.txt:${3 + n}- two`);
      const first = await call("search_files", { query: "two", limit: 1 });
      expect(dataOf(first)).toMatchObject({ matches: [{ path: "a.txt", line: 1 + n }] });
      const { cursor } = dataOf<{ cursor: string }>(first);
      expect(dataOf(await call("search_files", { query: "two", cursor }))).toMatchObject({
        matches: [{ line: 3 + n }],
      });
    }
    const numbered = `${2 + n}\tthree\n${3 + n}\ttwo\n`;
    await expectSaid(
      "edit_file",
      { path: "a.txt", edits: [{ old_text: numbered, new_text: "x\n" }] },
      "without the line numbers",
    );
  });

  test("describe their numbers", () => {
    for (const tool of createFileTools({ tools, firstLine: n })) {
      const text = JSON.stringify([tool.description, tool.parameters, tool.definition]);
      // A byte is counted from 0 in both.
      expect(text.replaceAll("begin at, 0-based", ""), tool.name).not.toContain(`${1 - n}-based`);
    }
  });
});

test("tools that count from 1 have no line 0", async () => {
  for (const params of [{ start_line: 0 }, { start_line: 1, end_line: 0 }])
    expect(await world(1)("read_file", { path: "a.txt", ...params })).toMatchObject({ code: "invalid_range" });
  expect(() => createFileTools({ firstLine: 2 as 1 })).toThrow(/firstLine is 2, allowed are 0 and 1/);
});
