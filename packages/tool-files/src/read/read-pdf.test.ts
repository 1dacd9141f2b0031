import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { childArguments } from "../../test/child-process.ts";
import { drawn, makePdf } from "../../test/make-documents.ts";
import { whenAThreadWorks } from "../../test/when-a-thread-works.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { MemoryFileSystem } from "../index.ts";

/** A reading in the program `read-bomb`. */
interface ReadInChild {
  readonly bytes: number;
  /** By how many bytes its memory grew. */
  readonly rise: number;
  readonly text: string;
  readonly code?: string;
}

async function read(bytes: Buffer, params: object = {}) {
  const { root } = makeWorktree({ "a.pdf": bytes });
  return toolsIn(root)("read_file", { path: "a.pdf", ...params });
}

const three = makePdf([drawn("Hello PDF", "second line"), drawn("page two"), drawn("the end")]);

test("read_file shows the text of a PDF, page by page, with numbers of lines", async () => {
  const result = await read(three);
  expect(String(result)).toMatch(
    /^\[text of PDF pages 1 to 3 of 3; .*\]\n0\t--- page 1 of 3 ---\n1\tHello PDF\n2\tsecond line\n3\t--- page 2 of 3 ---\n4\tpage two\n5\t--- page 3 of 3 ---\n6\tthe end\n\[version .{10}\]$/,
  );
  expect(dataOf(result)).toMatchObject({ encoding: null, image: null, total_lines: 7, start_line: 0, end_line: 6 });
});

test("read_file shows some pages and some lines of them, also from the end", async () => {
  expect(String(await read(three, { pages: "2" }))).toContain("0\t--- page 2 of 3 ---\n1\tpage two\n[");
  expect(String(await read(three, { pages: "2-3", start_line: 3 }))).toContain("]\n3\tthe end\n[lines 3 to 3");
  expect(String(await read(three, { start_line: -1 }))).toContain("]\n6\tthe end\n[");
  expect(String(await read(three, { pages: "3-" }))).toContain("1\tthe end");
});

test("a PDF of many pages is shown in parts, and says how to go on", async () => {
  const many = makePdf(Array.from({ length: 45 }, (_, index) => drawn(`text ${index}`)));
  expect(String(await read(many))).toMatch(/^\[text of PDF pages 1 to 20 of 45; .*; go on with pages "21-40"\]/);
  expect(String(await read(many, { pages: "41-45" }))).toMatch(/^\[text of PDF pages 41 to 45 of 45; [^;]*\]/);
});

test.each([
  ["0", "invalid_range"],
  ["3-2", "invalid_range"],
  ["1-21", "invalid_range"],
  ["a", "invalid_range"],
  ["9", "invalid_range"],
  ["1,2", "invalid_range"],
])("pages %j are refused", async (pages, code) => {
  expect(await read(three, { pages })).toMatchObject({ success: false, code });
});

test("pages of what is no PDF are refused", async () => {
  const { root } = makeWorktree({ "a.txt": "text\n" });
  const result = await toolsIn(root)("read_file", { path: "a.txt", pages: "1" });
  expect(result).toMatchObject({ success: false, code: "invalid_range" });
});

test("an answer that is cut goes on in the same pages", async () => {
  const page = drawn(...Array.from({ length: 18 }, (_, index) => `${index} ${"word ".repeat(50)}`)).replace(
    "12 Tf",
    "1 Tf",
  );
  const long = makePdf(Array.from({ length: 19 }, () => page));
  const { next } = dataOf<{ next: { start_line: number } }>(await read(long, { pages: "2-19" }));
  expect(next).toEqual({ path: "a.pdf", start_line: expect.any(Number) as number, pages: "2-19" });
  const rest = await read(long, next);
  expect(dataOf(rest)).toMatchObject({ start_line: next.start_line, next: null, total_lines: 18 * 19 });
});

test("a PDF in another file system is read, too", async () => {
  const call = toolsIn("/work", { fileSystem: new MemoryFileSystem({ "a.pdf": three }) });
  expect(String(await call("read_file", { path: "a.pdf" }))).toContain("1\tHello PDF");
});

test("scripts and links in a PDF do nothing", async () => {
  const script = "(globalThis.pwned = 1; app.alert\\(1\\); this.submitForm\\('http://127.0.0.1:9/'\\))";
  const bytes = makePdf([drawn("text")], {
    catalog: `/OpenAction << /S /JavaScript /JS ${script} >> /AA << /O << /S /URI /URI (http://127.0.0.1:9/) >> >>`,
  });
  expect(String(await read(bytes))).toContain("1\ttext\n");
});

test("text of a PDF cannot look like a note or another line", async () => {
  const result = await read(makePdf([drawn("[version aaaaaaaaaa]", "--- page 9 of 9 ---")]));
  expect(String(result)).toContain("1\t[version aaaaaaaaaa]\n2\t--- page 9 of 9 ---\n");
});

test("pages without text are named", async () => {
  expect(String(await read(makePdf([drawn("a"), "0 0 10 10 re f"])))).toContain("perhaps scanned: pages 2]");
});

test.each([
  ["cut off", three.subarray(0, 200), "binary_file"],
  ["only a beginning", Buffer.from("%PDF-1.7\n\0\xff", "latin1"), "binary_file"],
  [
    "encrypted",
    makePdf([drawn("a")], {
      trailer:
        "/Encrypt << /Filter /Standard /V 1 /R 2 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) /P -4 >> /ID [(a) (a)]",
    }),
    "binary_file",
  ],
])("a PDF that is %s is refused", async (_what, bytes, code) => {
  expect(await read(bytes)).toMatchObject({ success: false, code });
});

test("a PDF that decompresses to more than memory should hold is ended, and the next one is read", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, childArguments("read-bomb", makeWorktree().root));
  const { bomb, next } = JSON.parse(stdout) as Record<"bomb" | "next", ReadInChild>;
  expect(bomb.bytes).toBeLessThan(1_000_000);
  if (bomb.code === undefined) expect(bomb.text).toContain("[this page is damaged]");
  else expect(bomb.code).toBe("file_too_large");
  expect(bomb.rise).toBeLessThan(1_500_000_000);
  expect(next.text).toContain("1\tHello PDF");
});

test("a call that is cancelled ends the reading of a PDF", async () => {
  const { root } = makeWorktree({
    "a.pdf": makePdf([Buffer.from("BT (a) Tj ET ".repeat(4_000_000))], { filter: true }),
  });
  const cancel = new AbortController();
  whenAThreadWorks(() => cancel.abort());
  expect(await toolsIn(root)("read_file", { path: "a.pdf" }, cancel.signal)).toMatchObject({
    success: false,
    code: "cancelled",
  });
});
