import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeWorktree } from "../test/worktree.ts";
import { readLines, type LineRequest, type LinesRead } from "./read-lines.ts";

const everything: LineRequest = {
  startLine: 0,
  endLine: Infinity,
  startByte: 0,
  maxLines: Infinity,
  maxLineBytes: Infinity,
  maxBytes: Infinity,
};
const never = () => new AbortController().signal;

function readerIn() {
  const { at } = makeWorktree();
  return async (content: Uint8Array | string, request: Partial<LineRequest> = {}): Promise<LinesRead> => {
    fs.writeFileSync(at("f"), content);
    const fd = fs.openSync(at("f"), "r");
    try {
      return await readLines(fd, { ...everything, ...request }, never);
    } finally {
      fs.closeSync(fd);
    }
  };
}

test("readLines() gives every byte back, with line ends, whatever the bytes", async () => {
  const read = readerIn();
  const byte = fc.oneof(fc.constantFrom(10, 13, 0, 0xc3, 0xa9), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }).chain(() => fc.array(byte, { maxLength: 200 })),
      async (bytes) => {
        const { lines, total, exact, limited } = await read(Buffer.from(bytes));
        const joined = Buffer.concat(lines.flatMap((line) => [line.bytes, Buffer.from(line.end)]));
        expect(joined).toEqual(Buffer.from(bytes));
        expect([total, exact, limited]).toEqual([lines.length, true, false]);
        expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index));
      },
    ),
  );
});

test("readLines() reads any range as slicing all the lines would", async () => {
  const read = readerIn();
  const text = fc.array(
    fc.string({ maxLength: 5 }).map((line) => line.replace(/[\r\n]/g, "x")),
    { minLength: 1, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(text, fc.nat(25), fc.nat(25), async (wanted, startLine, count) => {
      const { lines, total } = await read(wanted.map((line) => `${line}\n`).join(""), {
        startLine,
        endLine: startLine + count,
      });
      expect(lines.map(({ bytes }) => bytes.toString())).toEqual(wanted.slice(startLine, startLine + count + 1));
      expect(total).toBe(wanted.length);
    }),
  );
});

test("readLines() continued from each cut gives back the whole line, in whole characters", async () => {
  const read = readerIn();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc.integer({ min: 4, max: 9 }),
      async (text, maxLineBytes) => {
        const line = text.replace(/[\r\n]/g, "x");
        let rebuilt = "";
        for (let startByte = 0; startByte < Buffer.byteLength(line);) {
          const [part] = (await read(`${line}\r\nnext`, { endLine: 0, startByte, maxLineBytes })).lines;
          rebuilt += part?.bytes.toString();
          startByte = part!.from + part!.bytes.length;
        }
        expect(rebuilt).toBe(line);
      },
    ),
  );
});

test("readLines() ends at a limit of lines or bytes and proves that there is more", async () => {
  const read = readerIn();
  expect(await read("a\nb\nc", { maxLines: 2 })).toMatchObject({
    limited: true,
    total: 3,
    lines: [{ number: 0 }, { number: 1 }],
  });
  expect(await read("a\nb\n", { maxLines: 2 })).toMatchObject({ limited: false, total: 2 });
  expect((await read(`${"a".repeat(50)}\n`.repeat(10), { maxBytes: 200 })).lines.length).toBe(3);
  expect(await read("a\nb\nc\n", { endLine: 1, maxLines: 2 })).toMatchObject({ limited: false, total: 3 });
});

test("readLines() reads across chunks, in slices, and can be ended", async () => {
  const { at } = makeWorktree();
  const line = `${"x".repeat(1023)}\n`;
  fs.writeFileSync(at("big"), line.repeat(12 * 1024) + "end\r\nlast");
  const fd = fs.openSync(at("big"), "r");
  const end = await readLines(fd, { ...everything, startLine: 12 * 1024 }, never);
  expect(end.lines.map(({ bytes, end: lineEnd }) => bytes.toString() + JSON.stringify(lineEnd))).toEqual([
    'end"\\r\\n"',
    'last""',
  ]);
  const long = await readLines(fd, { ...everything, startLine: 5, endLine: 5, startByte: 1000 }, never);
  expect(long.lines[0]).toMatchObject({ from: 1000, length: 1023 });
  await expect(async () => readLines(fd, everything, () => AbortSignal.abort(new Error("enough")))).rejects.toThrow(
    "enough",
  );
  fs.closeSync(fd);
});
