import iconv from "iconv-lite";
import type { FreezeCase } from "./freeze-cases.ts";

const MEGABYTE = 1_000_000;

/** Text for each encoding, in its language. */
const TEXTS: Readonly<Record<string, string>> = {
  "UTF-8": "größere Würfel fallen später\n",
  "UTF-16LE": "größere Würfel fallen später\n",
  "windows-1252": "größere Würfel fallen später\n",
  "windows-1251": "слова на языке, который не знают\n",
  "KOI8-R": "слова на языке, который не знают\n",
  Shift_JIS: "これは日本語のテキストです。\n",
  "EUC-KR": "이것은 한국어 텍스트 파일입니다.\n",
  GBK: "编程语言的发展受到硬件的影响。\n",
};
const SIZES = [3000, 60_000, MEGABYTE, 8 * MEGABYTE];

/** Reads, edits and writes of files whose encoding must be detected or whose differences must be found. */
export function freezeReads(): readonly FreezeCase[] {
  const one = (name: string, content: string | Buffer, params: object = {}): FreezeCase => ({
    name: `read ${name}`,
    files: { "a.txt": content },
    tool: "read_file",
    params: { path: "a.txt", ...params },
  });
  const encoded = Object.entries(TEXTS).flatMap(([encoding, text]) =>
    SIZES.map((size) => {
      const bytes = iconv.encode(text.repeat(Math.ceil(size / Buffer.byteLength(text))), encoding, { addBOM: true });
      return [encoding, size, bytes] as const;
    }),
  );
  const writes = [3000, 60_000, MEGABYTE, 6 * MEGABYTE].map((size): FreezeCase => {
    const lines = Array.from({ length: size / 20 }, (_, index) => `line ${index * 7919}`.padEnd(19, "x"));
    return {
      name: `write conflict ${size}`,
      files: { "a.txt": lines.join("\n") },
      tool: "write_file",
      params: { path: "a.txt", content: "x", if_version: "readbefore" },
      changed: { "a.txt": lines.map((line, index) => (index % 3 === 0 ? `${line}y` : line)).join("\n") },
    };
  });
  return [
    ...encoded.map(([encoding, size, bytes]) => one(`${encoding} ${size}`, bytes)),
    ...encoded.map(([encoding, size, bytes]) => one(`${encoding} ${size} stated`, bytes, { encoding })),
    ...encoded.map(([encoding, size, bytes]): FreezeCase => ({
      name: `edit ${encoding} ${size}`,
      files: { "a.txt": bytes },
      tool: "edit_file",
      params: { path: "a.txt", edits: [{ old_text: "missing", new_text: "x" }] },
    })),
    one("one line", "ab".repeat(8 * MEGABYTE), { end_line: 0 }),
    one("far into one line", "ab".repeat(30 * MEGABYTE), { end_line: 0, start_byte: 55 * MEGABYTE }),
    one("short lines", "x\n".repeat(4 * MEGABYTE), { start_line: 3_900_000 }),
    one("short lines, long file", "x\n".repeat(30 * MEGABYTE), { start_line: 29_000_000 }),
    one("binary", Buffer.alloc(8 * MEGABYTE, 1)),
    one("noise", Buffer.from(Array.from({ length: MEGABYTE }, (_, index) => (index * 7919) % 251))),
    ...writes,
  ];
}
