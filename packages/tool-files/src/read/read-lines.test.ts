import fc from "fast-check";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { memorySource } from "../text/bytes.ts";
import { LineIndex, newlineOf } from "../text/line-index.ts";
import { detectEncoding, type TextEncoding, UTF8 } from "../text/text-encoding.ts";
import { type LineRequest, type LinesRead, readLines, shortLines } from "./read-lines.ts";

/** Every byte as a character of the same code, so that nothing is lost. */
const LATIN1: TextEncoding = {
  ...UTF8,
  name: "latin1",
  decode: (bytes) => Buffer.from(bytes).toString("latin1"),
  encode: (text) => Buffer.from(text, "latin1"),
};

const everything: LineRequest = {
  startLine: 0,
  endLine: Infinity,
  startByte: 0,
  maxLines: Infinity,
  maxLineBytes: Infinity,
  maxBytes: Infinity,
  maxCounted: Infinity,
};

function read(content: Uint8Array | string, request: Partial<LineRequest> = {}, encoding: TextEncoding = UTF8) {
  const bytes = Buffer.from(content as string);
  const index = new LineIndex(newlineOf(encoding));
  const file = { source: memorySource(bytes), size: bytes.length, encoding, index };
  const reading = readLines(file, { ...everything, ...request });
  for (;;) {
    const next = reading.next();
    if (next.done) return next.value;
  }
}

function encodingOf(bytes: Uint8Array): TextEncoding {
  const encoding = detectEncoding(bytes);
  if (encoding === undefined) throw new Error("expected text");
  return encoding;
}

/** Follows a cut line to its end, as a model does. */
function followed(bytes: Uint8Array, maxLineBytes: number, encoding: TextEncoding): string {
  let text = "";
  for (let startByte = 0, length = 1; startByte < length;) {
    const [part] = read(bytes, { endLine: 0, startByte, maxLineBytes }, encoding).lines;
    if (part === undefined) throw new Error("expected a line");
    text += part.text;
    length = part.length;
    if (length > 0) expect(part.kept).toBeGreaterThan(0);
    startByte = part.from + part.kept;
  }
  return text;
}

const byte = fc.oneof(fc.constantFrom(10, 13, 0, 0xc3, 0xa9), fc.integer({ min: 0, max: 255 }));
const joined = ({ lines }: LinesRead) => Buffer.from(lines.map((line) => line.text + line.end).join(""), "latin1");

test("readLines() gives every byte back, with line ends, whatever the bytes", () => {
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 200 }), (bytes) => {
      const found = read(Buffer.from(bytes), {}, LATIN1);
      expect(joined(found)).toEqual(Buffer.from(bytes));
      expect([found.total, found.exact, found.limited]).toEqual([found.lines.length, true, undefined]);
      expect(found.lines.map(({ number }) => number)).toEqual(found.lines.map((_, index) => index));
    }),
  );
});

test("readLines() gives every byte back of lines longer than what is held of a file", () => {
  const lengths = [0, 65_535, 65_536, 65_537, 262_144, 1_048_576, 1, 700_000];
  const text = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length)).join("\r\n");
  for (const bytes of [
    text,
    `${text}\n`,
    text.slice(0, 65_536 + 65_537 + 4),
    "x".repeat(65_536),
    "x".repeat(262_144),
  ]) {
    const found = read(bytes, {}, LATIN1);
    expect(joined(found).equals(Buffer.from(bytes))).toBe(true);
    expect([found.total, found.exact]).toEqual([found.lines.length, true]);
  }
  const cut = read(text, { startLine: 5, endLine: 5, startByte: 1_048_570, maxLineBytes: 4 });
  expect(cut.lines).toMatchObject([{ number: 5, from: 1_048_570, length: 1_048_576, kept: 4, text: "ffff" }]);
});

test("readLines() reads any range as slicing all the lines would", () => {
  const text = fc.array(
    fc.string({ maxLength: 5 }).map((line) => line.replace(/[\r\n]/g, "x")),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(text, fc.nat(25), fc.nat(25), (wanted, startLine, count) => {
      const { lines, total } = read(wanted.map((line) => `${line}\n`).join(""), {
        startLine,
        endLine: startLine + count,
      });
      expect(lines.map((line) => line.text)).toEqual(wanted.slice(startLine, startLine + count + 1));
      expect(total).toBe(wanted.length);
    }),
  );
});

test("readLines() continued from each cut gives back the whole line, in whole characters", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc.integer({ min: 4, max: 9 }),
      fc.boolean(),
      (text, maxLineBytes, wide) => {
        const line = text.replace(/[\r\n\0\ufeff]/g, "x");
        const content = `${line}\r\nnext`;
        const bytes = wide ? Buffer.from(`\ufeff${content}`, "utf16le") : Buffer.from(content);
        const encoding = wide ? encodingOf(Buffer.from("\ufefftext", "utf16le")) : UTF8;
        expect(followed(bytes, maxLineBytes, encoding)).toBe(line);
      },
    ),
  );
});

test("readLines() cuts lines of several bytes a character between characters", () => {
  const text = "これは日本語のテキストです。設定ファイルを読み込んでください。";
  for (const name of ["Shift_JIS", "EUC-JP"]) {
    const bytes = iconv.encode(`${text}\n${text}`, name);
    for (let max = 4; max < 12; max += 1) expect(followed(bytes, max, detectEncoding(bytes, name)!)).toBe(text);
  }
});

test("readLines() knows a line feed of UTF-16 from the same bytes across two characters", () => {
  for (const [text, swap] of [
    ["\ufeffone \u0a00\u000a\u0d0a two \u010a\u0a01\r\nthree", false],
    ["\ufeffone \u0a00\u000a\u0d0a two \u010a\u0a01\r\nthree", true],
  ] as const) {
    const bytes = Buffer.from(text, "utf16le");
    if (swap) bytes.swap16();
    const encoding = encodingOf(bytes);
    const { lines, total } = read(bytes, {}, encoding);
    expect(lines.map((line) => line.text + line.end).join("")).toBe(text.slice(1));
    expect([lines.length, total]).toEqual([3, 3]);
    expect(lines.map(({ end }) => end)).toEqual(["\n", "\r\n", ""]);
  }
});

test("readLines() ends at a limit of lines or bytes and proves that there is more", () => {
  expect(read("a\nb\nc", { maxLines: 2 })).toMatchObject({
    limited: "lines",
    total: 3,
    lines: [{ number: 0 }, { number: 1 }],
  });
  expect(read("a\nb\n", { maxLines: 2 })).toMatchObject({ limited: undefined, total: 2 });
  expect(read(`${"a".repeat(50)}\n`.repeat(10), { maxBytes: 200 })).toMatchObject({
    limited: "bytes",
    lines: { length: 3 },
  });
  expect(read("a\nb\nc\n", { endLine: 1, maxLines: 2 })).toMatchObject({ limited: undefined, total: 3 });
});

test("readLines() counts no further than it may, and says so", () => {
  const long = "line\n".repeat(500_000);
  expect(read(long, { endLine: 3, maxCounted: 0 })).toMatchObject({ exact: false, lines: { length: 4 } });
  expect(read(long, { endLine: 3, maxCounted: long.length })).toMatchObject({ exact: true, total: 500_000 });
});

test("shortLines() answers what readLines() does", () => {
  const pieces = fc.constantFrom("a", "é", "😀", "\r", "\n", "\r\n", "\0", "x".repeat(9), "\ufffd");
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 30 }),
      fc.nat(6),
      fc.nat(6),
      fc.boolean(),
      (text, startLine, more, all) => {
        const bytes = Buffer.from(text.join(""));
        const endLine = all ? Infinity : startLine + more;
        const request = { ...everything, startLine, endLine, maxLines: 5, maxBytes: 70, maxLineBytes: 12 };
        const short = shortLines(bytes, UTF8, request);
        const long = read(bytes, request);
        const cut = long.lines.some(({ from, kept, length }) => from + kept < length);
        if (short !== undefined) expect(short).toEqual(long);
        else expect(cut || long.limited !== undefined).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});
