import fs from "node:fs";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../test/worktree.ts";

test("read_file shows each line with its number, the one the arguments take", async () => {
  const { root } = makeWorktree({ "a.txt": "zero\none\ntwo\nthree\n" });
  const call = toolsIn(root);
  expect(String(await call("read_file", { path: "a.txt" }))).toBe("0\tzero\n1\tone\n2\ttwo\n3\tthree");
  const part = await call("read_file", { path: "a.txt", start_line: 1, end_line: 2 });
  expect(String(part)).toBe("1\tone\n2\ttwo\n[lines 1 to 2; the file has 4 lines, the first is 0]");
  expect(dataOf(part)).toEqual({
    path: "a.txt",
    content: "one\ntwo\n",
    start_line: 1,
    end_line: 2,
    total_lines: 4,
    next: null,
    cut: [],
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
  expect(await call("read_file", { path: "a.txt", start_line: -1 })).toMatchObject({ code: "invalid_params" });
  expect(await call("read_file", { path: "a.txt", end_line: -2 })).toMatchObject({ code: "invalid_params" });
  expect(String(await call("read_file", { path: "empty.txt" }))).toBe("[the file is empty]");
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
  expect(String(shown)).toContain("cut: line 1 (280000 bytes)");
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

test("read_file refuses what is not text", async () => {
  const { root } = makeWorktree({
    "nul.bin": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]),
    "late.bin": Buffer.concat([Buffer.from("text\n".repeat(4000)), Buffer.from([0, 1])]),
    "random.bin": Buffer.from(Array.from({ length: 4000 }, (_, index) => ((index * 73) % 255) + 1)),
    "utf16.txt": Buffer.from("\ufefftext", "utf16le"),
  });
  const call = toolsIn(root);
  for (const path of ["nul.bin", "random.bin", "utf16.txt"])
    expect(await call("read_file", { path }), path).toMatchObject({ success: false, code: "binary_file" });
  expect(await call("read_file", { path: "late.bin", start_line: 4000 })).toMatchObject({ code: "binary_file" });
  expect((await call("read_file", { path: "late.bin", end_line: 10 })).success).toBe(true);
  expect(await call("read_file", { path: "nul.bin" })).toMatchObject({
    error: 'Cannot read "nul.bin": it is binary, it holds NUL bytes, read_file reads text only',
  });
});

test("read_file says what a legacy encoding, CRLF and a byte order mark mean", async () => {
  const { root } = makeWorktree({
    "latin1.txt": Buffer.from("caf\xe9 cr\xe8me br\xfbl\xe9e, the rest is plain\n", "latin1"),
    "crlf.txt": "a\r\nb\r\n",
    "mixed.txt": "a\r\nb\n",
    "bom.txt": "\ufeffa\n",
    "fffd.txt": "\ufffd\n",
  });
  const call = toolsIn(root);
  expect(String(await call("read_file", { path: "latin1.txt" }))).toContain("[some bytes are not UTF-8");
  expect(String(await call("read_file", { path: "fffd.txt" }))).toBe("0\t\ufffd");
  const crlf = await call("read_file", { path: "crlf.txt" });
  expect(String(crlf)).toBe("0\ta\n1\tb\n[lines end with CRLF, which edit_file keeps]");
  expect(dataOf(crlf)).toMatchObject({ content: "a\r\nb\r\n" });
  expect(String(await call("read_file", { path: "mixed.txt" }))).toContain("[1 of these lines end with CRLF");
  expect(String(await call("read_file", { path: "bom.txt" }))).toBe("0\ta");
});

test("read_file follows a link inside the worktree and names the file it read", async () => {
  const { root, at } = makeWorktree({ "dir/a.txt": "x" });
  fs.symlinkSync("dir", at("link"));
  expect(dataOf(await toolsIn(root)("read_file", { path: "link/a.txt" }))).toMatchObject({ path: "dir/a.txt" });
});
