import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

const russian = "Файл не найден в папке с настройками.\nПопробуйте позже или обратитесь к администратору.\n";

test("read_file reads UTF-16, says what it is, and asks for the name of other encodings", async () => {
  const { root } = makeWorktree({
    "le.txt": Buffer.from("\ufeffone\r\ntwo 😀\r\n", "utf16le"),
    "be.txt": Buffer.from("\ufeffone\ntwo 😀", "utf16le").swap16(),
    "plain.txt": Buffer.from("without a mark\n", "utf16le"),
    "koi.txt": iconv.encode(russian, "KOI8-R"),
  });
  const call = toolsIn(root);
  const little = await call("read_file", { path: "le.txt" });
  expect(String(little)).toMatch(
    /^0\tone\n1\ttwo 😀\n\[the file is UTF-16LE, which edit_file keeps\]\n\[lines end with CRLF, which edit_file keeps\]\n\[version .{10}\]$/,
  );
  expect(dataOf(little)).toMatchObject({ content: "one\r\ntwo 😀\r\n", encoding: "UTF-16LE", total_lines: 2 });
  expect(dataOf(await call("read_file", { path: "be.txt", start_line: 1 }))).toMatchObject({ content: "two 😀" });
  expect(dataOf(await call("read_file", { path: "plain.txt" }))).toMatchObject({ content: "without a mark\n" });
  expect(String(await call("read_file", { path: "koi.txt" }))).toContain("unknown encoding (state it with encoding)");
  const koi = await call("read_file", { path: "koi.txt", encoding: "KOI8-R" });
  expect(dataOf(koi)).toMatchObject({ content: russian, encoding: "KOI8-R" });
});

test("read_file shows bytes that mean nothing as such, and names their places", async () => {
  const { root } = makeWorktree({
    "latin1.txt": Buffer.from("caf\xe9 cr\xe8me, the rest is plain\n", "latin1"),
    "damaged.txt": Buffer.concat([Buffer.from("größer\nfür "), Buffer.from([0xff]), Buffer.from("\n\ufffd\n")]),
    "many.txt": Buffer.from("plain plain plain \xff\n".repeat(5), "latin1"),
    "fffd.txt": "\ufffd\n",
    "pair.txt": Buffer.from("\ufeffab\ud800cd", "utf16le"),
    "odd.txt": Buffer.concat([Buffer.from("\ufeffabcd", "utf16le"), Buffer.from("x")]),
  });
  const call = toolsIn(root);
  const latin = await call("read_file", { path: "latin1.txt" });
  expect(String(latin)).toContain("0\tcaf\ufffd cr\ufffdme, the rest");
  expect(String(latin)).toContain(
    "[bytes that are in an unknown encoding (state it with encoding) are shown as \ufffd: line 0 byte 3 (0xe9); edit_file keeps them as they are]",
  );
  expect(String(await call("read_file", { path: "damaged.txt" }))).toContain(
    "[bytes that are not UTF-8 are shown as \ufffd: line 1 byte 5 (0xff); edit_file keeps them as they are]",
  );
  expect(String(await call("read_file", { path: "many.txt" }))).toContain("line 2 byte 18 (0xff) and 2 more lines;");
  expect(String(await call("read_file", { path: "fffd.txt" }))).toMatch(/^0\t\ufffd\n\[version/);
  expect(String(await call("read_file", { path: "pair.txt" }))).toBe(
    String(await call("read_file", { path: "pair.txt" })).toWellFormed(),
  );
  expect(String(await call("read_file", { path: "odd.txt" }))).toContain("line 0 byte 10 (0x78)");
});

test("read_file reads on in a cut line of UTF-16 by whole characters", async () => {
  const line = "wide 😀 ".repeat(9_000);
  const { root } = makeWorktree({ "wide.txt": Buffer.from(`\ufeff${line}\nlast\n`, "utf16le") });
  const call = toolsIn(root);
  let rebuilt = "";
  for (let params: unknown = { path: "wide.txt", end_line: 0 }; params !== null;) {
    const data = dataOf<{ content: string; next: unknown }>(await call("read_file", params));
    rebuilt += data.content;
    params = data.next;
  }
  expect(rebuilt).toBe(`${line}\n`);
});

test("read_file says what a binary file is and what to do with it", async () => {
  const { root } = makeWorktree({
    program: Buffer.from("\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0", "latin1"),
    "archive.zip": Buffer.from("PK\x03\x04\x14\0\0\0\x08\0", "latin1"),
    "paper.pdf": Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\0\0", "latin1"),
    "picture.bmp": Buffer.from("BM\x3a\0\0\0\0\0\0\0\x36\0\0\0", "latin1"),
    zeros: Buffer.alloc(100),
    "late.bin": Buffer.concat([Buffer.from("text\n".repeat(4000)), Buffer.from([0, 1])]),
    "random.bin": Buffer.from(Array.from({ length: 4000 }, (_, index) => ((index * 73) % 255) + 1)),
  });
  const call = toolsIn(root);
  const refusals: Readonly<Record<string, string>> = {
    program:
      "it is a binary file of the kind ELF (application/x-executable), read_file reads text and images; use a program made for such files",
    "archive.zip":
      "it is a binary file of the kind zip (application/zip), read_file reads text and images; unpack it with another tool and read what is in it",
    "paper.pdf": "it begins like a PDF and is damaged; use another tool for it",
    "picture.bmp":
      "it is a binary file of the kind bmp (image/bmp), read_file reads text and images; convert it to png, jpeg, gif or webp to look at it",
    zeros: "it is binary, it holds NUL bytes, read_file reads text and images; use a program made for such files",
    "random.bin":
      "it is binary, or text in an unknown encoding (state it with encoding), read_file reads text and images; use a program made for such files",
  };
  for (const [path, found] of Object.entries(refusals)) {
    const error = `Cannot read ${JSON.stringify(path)}: ${found}`;
    expect(await call("read_file", { path }), path).toMatchObject({ success: false, code: "binary_file", error });
  }
  expect(await call("read_file", { path: "late.bin", start_line: 4000 })).toMatchObject({ code: "binary_file" });
  expect((await call("read_file", { path: "late.bin", end_line: 10 })).success).toBe(true);
});
