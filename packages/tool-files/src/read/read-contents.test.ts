import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:net";
import { createToolRegistry, type ToolProgress } from "@dispatch/tools-interface";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { registerFileTools } from "../index.ts";
import { type FileContents, readContents } from "./read-contents.ts";

const wanted = { startLine: 0, endLine: Infinity, startByte: 0, maxLines: 10, maxLineBytes: 100, maxBytes: 1000 };
const MEBIBYTE = 1024 * 1024;

/** A file of so many mebibytes, of lines of 64 bytes that begin with their number. */
function longFile(path: string, mebibytes: number): void {
  const fd = fs.openSync(path, "w");
  for (let part = 0; part < mebibytes; part += 1) {
    const lines = Array.from(
      { length: MEBIBYTE / 64 },
      (_, at) => `${part * (MEBIBYTE / 64) + at} `.padEnd(63, ".") + "\n",
    );
    fs.writeSync(fd, lines.join(""));
  }
  fs.closeSync(fd);
}

/** Reads a file, doing something after each slice. */
function readWhile(path: string, startLine: number, after: (slice: number) => void): FileContents {
  const fd = fs.openSync(path, "r");
  try {
    const reading = readContents(fd, { ...wanted, startLine }, "Cannot read it");
    for (let slice = 0; ; slice += 1) {
      const next = reading.next();
      if (next.done) return next.value;
      after(slice);
    }
  } finally {
    fs.closeSync(fd);
  }
}

const firstLine = ({ text }: FileContents) => text?.lines[0]?.text;

test("read_file reads lines far into a long file, and the same and other ones again", async () => {
  const { root, at } = makeWorktree();
  longFile(at("long.log"), 100);
  const call = toolsIn(root);
  for (const start_line of [1_000_000, 1_000_000, 5, 1_638_399, 800_000]) {
    const result = await call("read_file", { path: "long.log", start_line, end_line: start_line + 1 });
    const line = `${start_line}\t${`${start_line} `.padEnd(63, ".")}\n`;
    expect(String(result).startsWith(line)).toBe(true);
    expect(dataOf(result)).toMatchObject({ start_line, version: null });
  }
  const beyond = await call("read_file", { path: "long.log", start_line: 1_638_400 });
  expect(String(beyond)).toContain("start_line is 1638400, the file has 1638400 lines, 0 to 1638399");
  const end = await call("read_file", { path: "long.log", start_line: 1_638_398, end_line: -1 });
  expect(dataOf(end)).toMatchObject({ end_line: 1_638_399, total_lines: 1_638_400, next: null });
});

test("read_file reads on in a line longer than memory should hold", async () => {
  const { root, at } = makeWorktree();
  fs.writeFileSync(at("one-line.json"), `{"text":"${"é".repeat(20 * MEBIBYTE)}"}\nlast\n`);
  const call = toolsIn(root);
  const shown = await call("read_file", { path: "one-line.json", end_line: 0, start_byte: 40 * MEBIBYTE });
  expect(dataOf(shown)).toMatchObject({ content: `${"é".repeat(4)}"}\n`, cut: [], total_lines: 2 });
  const first = await call("read_file", { path: "one-line.json" });
  expect(String(first)).toContain(`cut: line 0 (1999 of ${40 * MEBIBYTE + 11} bytes)`);
  expect(dataOf(first)).toMatchObject({ end_line: 1, next: { start_line: 0, end_line: 0, start_byte: 1999 } });
});

test("read_file reports its progress and ends when it is cancelled", async () => {
  const { root, at } = makeWorktree({ "big.txt": "text\n" });
  const size = 64 * 1024 * MEBIBYTE;
  fs.truncateSync(at("big.txt"), size);
  fs.writeFileSync(at("big.txt"), "text\n".repeat(20_000), { flag: "r+" });
  const registry = registerFileTools(createToolRegistry());
  const cancel = new AbortController();
  const heard: ToolProgress[] = [];
  const result = await registry.dispatch(
    { name: "read_file", arguments: { path: "big.txt", start_line: 1e9 } },
    {
      context: { worktreePath: root },
      signal: cancel.signal,
      onEvent(event) {
        if (event.type !== "call-progress") return;
        heard.push(event.update);
        if (heard.length === 2) cancel.abort();
      },
    },
  );
  expect(result).toMatchObject({ success: false, code: "cancelled" });
  expect(heard[0]).toMatchObject({ message: "Looking for line 1000000000", total: size });
  expect(heard[1]!.done).toBeGreaterThan(heard[0]!.done!);
});

test("readContents() shows a file as it was at one moment, when it is changed meanwhile", () => {
  const { at } = makeWorktree();
  longFile(at("changing.log"), 12);
  const now = readWhile(at("changing.log"), 180_000, (slice) => {
    if (slice === 0) fs.writeFileSync(at("changing.log"), `inserted\n`.repeat(200_000).padEnd(12 * MEBIBYTE, "x"));
  });
  expect(firstLine(now)).toBe("inserted");
  const changed = fs.statSync(at("changing.log")).size;
  expect(now.size).toBe(changed);
  longFile(at("growing.log"), 12);
  expect(() => readWhile(at("growing.log"), 500_000, () => fs.appendFileSync(at("growing.log"), "more\n"))).toThrow(
    "Cannot read it: it was changed while it was read, 4 times in a row, and nothing of it is shown",
  );
});

test("read_file takes no line from before a change that kept the length", async () => {
  const { root, at } = makeWorktree();
  longFile(at("same.log"), 10);
  const call = toolsIn(root);
  const params = { path: "same.log", start_line: 150_000, end_line: 150_000 };
  expect(String(await call("read_file", params))).toContain("150000\t150000 ...");
  fs.writeFileSync(at("same.log"), "changed\n".repeat((10 * MEBIBYTE) / 8));
  expect(String(await call("read_file", params))).toContain("150000\tchanged\n");
});

test(
  "readContents() reads a file that says it is empty, and ends where one has no end",
  { skip: process.platform !== "linux" },
  () => {
    expect(firstLine(readWhile("/proc/self/status", 0, () => {}))).toMatch(/^Name:/);
    expect(() => readWhile("/dev/zero", 0, () => {})).toThrow(
      "Cannot read it: it says it has 0 bytes and goes on for more than 8388608, allowed are files with an end",
    );
  },
);

test("read_file refuses pipes, sockets and devices at once, by name and through links", async () => {
  const { root, at } = makeWorktree();
  execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe")]);
  const server = createServer().listen(at("socket"));
  for (const device of ["zero", "random", "null", "stdin", "full"]) fs.symlinkSync(`/dev/${device}`, at(device));
  fs.symlinkSync("pipe", at("to-pipe"));
  fs.symlinkSync("socket", at("to-socket"));
  const call = toolsIn(root);
  for (const path of ["pipe", "to-pipe", "socket", "to-socket"])
    expect(await call("read_file", { path }), path).toMatchObject({ success: false, code: "wrong_kind" });
  for (const path of ["zero", "random", "null", "stdin", "full"])
    expect(await call("read_file", { path }), path).toMatchObject({ success: false, code: "outside_worktree" });
  await new Promise((resolve) => server.close(resolve));
});
