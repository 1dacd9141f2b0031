import fs from "node:fs";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { contentVersion } from "../version/content-version.ts";

const versionOf = (text: string) => contentVersion(Buffer.from(text));

test("read_file shows each line with its number, the one the arguments take", async () => {
  const { root } = makeWorktree({ "a.txt": "zero\none\ntwo\nthree\n" });
  const call = toolsIn(root);
  const whole = String(await call("read_file", { path: "a.txt" }));
  expect(whole).toBe(`0\tzero\n1\tone\n2\ttwo\n3\tthree\n[version ${versionOf("zero\none\ntwo\nthree\n")}]`);
  const part = await call("read_file", { path: "a.txt", start_line: 1, end_line: 2 });
  expect(String(part)).toBe(
    `1\tone\n2\ttwo\n[lines 1 to 2; the file has 4 lines, the first is 0]\n[version ${versionOf("zero\none\ntwo\nthree\n")}]`,
  );
  expect(dataOf(part)).toEqual({
    path: "a.txt",
    content: "one\ntwo\n",
    start_line: 1,
    end_line: 2,
    total_lines: 4,
    next: null,
    cut: [],
    encoding: "UTF-8",
    version: versionOf("zero\none\ntwo\nthree\n"),
    image: null,
  });
  expect(String(await call("read_file", { path: "a.txt", start_line: 3, end_line: -1 }))).toMatch(/^3\tthree\n/);
  expect(String(await call("read_file", { path: "a.txt", start_line: 2, end_line: 99 }))).toMatch(
    /^2\ttwo\n3\tthree\n/,
  );
});

test("read_file refuses a range that is not there", async () => {
  const { root } = makeWorktree({ "a.txt": "zero\none\n", "empty.txt": "" });
  const call = toolsIn(root);
  expect(await call("read_file", { path: "a.txt", start_line: 2 })).toMatchObject({
    success: false,
    code: "invalid_range",
    error: 'Cannot read "a.txt": start_line is 2, the file has 2 lines, 0 to 1',
  });
  expect(await call("read_file", { path: "a.txt", start_line: 1, end_line: 0 })).toMatchObject({
    code: "invalid_range",
  });
  expect(await call("read_file", { path: "a.txt", start_byte: 4 })).toMatchObject({ code: "invalid_range" });
  expect(await call("read_file", { path: "empty.txt", start_line: 1 })).toMatchObject({ code: "invalid_range" });
  const mixed = { path: "a.txt", start_line: -1, end_line: 1 };
  expect(await call("read_file", mixed)).toMatchObject({ code: "invalid_range" });
  expect(await call("read_file", { path: "a.txt", end_line: -2 })).toMatchObject({ code: "invalid_params" });
  expect(String(await call("read_file", { path: "empty.txt" }))).toBe(
    `[the file is empty]\n[version ${versionOf("")}]`,
  );
});

test("read_file names the call that reads on, and calls so named reach the end", async () => {
  const text = Array.from({ length: 5000 }, (_, line) => `line ${line} ${"é".repeat(line % 40)}`).join("\n");
  const { root } = makeWorktree({ "long.txt": text });
  const call = toolsIn(root);
  let rebuilt = "";
  let calls = 0;
  for (let params: unknown = { path: "long.txt" }; params !== null; calls += 1) {
    const result = await call("read_file", params);
    const data = dataOf<{ content: string; next: unknown }>(result);
    expect(Buffer.byteLength(String(result))).toBeLessThan(52 * 1024);
    if (data.next !== null) expect(String(result)).toContain(JSON.stringify(data.next));
    rebuilt += data.content;
    params = data.next;
  }
  expect(rebuilt).toBe(text);
  expect(calls).toBeGreaterThan(2);
});

test("read_file cuts long lines and reads on inside them", async () => {
  const long = "héllo wörld ".repeat(20_000);
  const { root } = makeWorktree({ "min.js": `first\n${long}\nlast\n` });
  const call = toolsIn(root);
  const shown = await call("read_file", { path: "min.js" });
  expect(String(shown)).toContain("cut: line 1 (2000 of 280000 bytes)");
  expect(String(shown)).toContain("\n2\tlast\n");
  expect(dataOf(shown)).toMatchObject({ cut: [{ path: "min.js", start_line: 1, end_line: 1, start_byte: 2000 }] });
  let rebuilt = "";
  for (let params: unknown = { path: "min.js", start_line: 1, end_line: 1 }; params !== null;) {
    const data = dataOf<{ content: string; next: unknown }>(await call("read_file", params));
    rebuilt += data.content;
    params = data.next;
  }
  expect(rebuilt).toBe(`${long}\n`);
});

test("read_file says which limit it met", async () => {
  const { root } = makeWorktree({ "lines.txt": "x\n".repeat(2001), "bytes.txt": `${"x".repeat(1999)}\n`.repeat(40) });
  const call = toolsIn(root);
  expect(String(await call("read_file", { path: "lines.txt" }))).toContain(
    '[lines 0 to 1999; the file has 2001 lines, the first is 0; cut at 2000 lines a call, to read on call read_file with {"path":"lines.txt","start_line":2000}]',
  );
  expect(String(await call("read_file", { path: "bytes.txt", end_line: 38 }))).toContain(
    'cut at 51200 bytes a call, to read on call read_file with {"path":"bytes.txt","start_line":25,"end_line":38}]',
  );
});

test("read_file says what CRLF and a byte order mark mean", async () => {
  const { root } = makeWorktree({ "crlf.txt": "a\r\nb\r\n", "mixed.txt": "a\r\nb\n", "bom.txt": "\ufeffa\n" });
  const call = toolsIn(root);
  const crlf = await call("read_file", { path: "crlf.txt" });
  expect(String(crlf)).toMatch(/^0\ta\n1\tb\n\[lines end with CRLF, which edit_file keeps\]\n/);
  expect(dataOf(crlf)).toMatchObject({ content: "a\r\nb\r\n" });
  expect(String(await call("read_file", { path: "mixed.txt" }))).toContain("[1 of these lines end with CRLF");
  expect(String(await call("read_file", { path: "bom.txt" }))).toMatch(/^0\ta\n\[version/);
});

test("read_file follows a link inside the worktree and names the file it read", async () => {
  const { root, at } = makeWorktree({ "dir/a.txt": "x" });
  fs.symlinkSync("dir", at("link"));
  expect(dataOf(await toolsIn(root)("read_file", { path: "link/a.txt" }))).toMatchObject({ path: "dir/a.txt" });
});

test("read_file counts a negative start_line from the end", async () => {
  const { root } = makeWorktree({
    "a.txt": "zero\none\ntwo",
    "empty.txt": "",
    "long.txt": Array.from({ length: 1_500_000 }, (_, line) => `${line}\n`).join(""),
  });
  const call = toolsIn(root);
  expect(String(await call("read_file", { path: "a.txt", start_line: -2 }))).toMatch(/^1\tone\n2\ttwo\n\[lines 1 to 2/);
  expect(dataOf(await call("read_file", { path: "a.txt", start_line: -9 }))).toMatchObject({
    start_line: 0,
    end_line: 2,
  });
  expect(dataOf(await call("read_file", { path: "empty.txt", start_line: -1 }))).toMatchObject({ start_line: 0 });
  const long = await call("read_file", { path: "long.txt", start_line: -2, end_line: -1 });
  expect(dataOf(long)).toMatchObject({ start_line: 1_499_998, content: "1499998\n1499999\n" });
});
