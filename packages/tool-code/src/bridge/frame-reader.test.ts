import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameReader } from "./frame-reader.ts";

const TOKEN = "\u001e0123456789abcdef0123456789abcdef";

function read(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const found = { text: Buffer.alloc(0), frames: [] as string[], overflows: 0 };
  const reader = new FrameReader(TOKEN, maxBytes, {
    onText: (bytes) => (found.text = Buffer.concat([found.text, bytes])),
    onFrame: (json) => found.frames.push(json),
    onLongFrame: () => {
      const pieces: Buffer[] = [];
      return {
        push: (piece) => pieces.push(piece),
        end: () => found.frames.push(Buffer.concat(pieces).toString()),
      };
    },
    onOverflow: () => (found.overflows += 1),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { ...found, text: found.text.toString("latin1") };
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const frame = fc.string({ unit: fc.constantFrom("a", "{", "}", '"', " ", "é"), maxLength: 40 });
const text = fc
  .string({
    unit: fc.constantFrom("x", "\n", "0", TOKEN.slice(0, 20), `\n${TOKEN.slice(0, 31)}`, TOKEN.slice(20)),
    maxLength: 30,
  })
  .filter((found) => !found.includes(TOKEN));

interface Kept {
  /** The stream; `<T>` is the token. */
  readonly input: string;
  readonly frames: readonly string[];
  readonly text: string;
  readonly overflows: number;
}

/** Streams that found a fault, or come close to one, with their outcome. A new one becomes a line. */
const corpus = readFileSync(new URL("../../test/corpus/frames.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Kept);

describe("FrameReader", () => {
  test("tells frames from text however the stream is cut", () => {
    const part = fc.oneof(
      frame.map((json) => ({ json })),
      text.map((printed) => ({ printed })),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        (parts, sizes) => {
          const stream = parts.map((one) => ("json" in one ? `${TOKEN}${one.json}\n` : one.printed)).join("");
          // Text parts that meet could spell a token together: then they are a frame, and rightly so.
          fc.pre(stream.split(TOKEN).length - 1 === parts.filter((one) => "json" in one).length);
          const found = read(cut(Buffer.from(stream), sizes));
          expect(found.frames).toEqual(parts.flatMap((one) => ("json" in one ? [one.json] : [])));
          expect(found.text).toBe(parts.map((one) => ("printed" in one ? one.printed : "")).join(""));
        },
      ),
    );
  });

  test("finds the same in any bytes, however they are cut, and loses none of them", () => {
    const token = Buffer.from(TOKEN);
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(token, token.subarray(0, 9), token.subarray(9), Buffer.from("\n"), Buffer.from("\u001e")),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 100 }),
        (pieces, sizes, maxBytes) => {
          const stream = Buffer.concat(pieces);
          const found = read(cut(stream, sizes), maxBytes);
          expect(found).toEqual(read([stream], maxBytes));
          expect(found.frames.every((json) => json.length <= maxBytes && !json.includes("\n"))).toBe(true);
          const all = stream.toString("latin1");
          // The frames by text matching alone: one from each token to the newline after it.
          const frames = [...all.matchAll(new RegExp(`${TOKEN}([^\n]*)(\n|$)`, "g"))];
          const whole = frames.filter(([, , end]) => end !== "");
          if (frames.some(([, json = ""]) => json.length > maxBytes)) expect(found.overflows).toBe(1);
          else expect([found.overflows, found.frames.length]).toEqual([0, whole.length]);
          if (found.overflows === 0) {
            const outside = all.replaceAll(new RegExp(`${TOKEN}[^\n]*(\n|$)`, "g"), "");
            expect(found.text).toBe(outside);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each(corpus)("finds the kept frames of $input however they are cut", ({ input, ...outcome }) => {
    const stream = Buffer.from(input.replaceAll("<T>", TOKEN));
    for (const size of [1, 2, 7, 33, 64, stream.length + 1]) expect(read(cut(stream, [size]), 100)).toEqual(outcome);
  });

  test("passes text on at once when it cannot be the start of a frame", () => {
    const seen: string[] = [];
    const reader = new FrameReader(TOKEN, 100, {
      onText: (bytes) => seen.push(bytes.toString()),
      onFrame: () => {},
      onLongFrame: () => expect.unreachable(),
      onOverflow: () => {},
    });
    reader.push(Buffer.from("no newline yet\n"));
    expect(seen).toEqual(["no newline yet\n"]);
    reader.push(Buffer.from(TOKEN.slice(0, 5)));
    expect(seen).toHaveLength(1);
    reader.push(Buffer.from("?"));
    expect(seen.join("")).toBe(`no newline yet\n${TOKEN.slice(0, 5)}?`);
  });

  test("passes a long frame on in pieces, in order with what is around it", () => {
    const seen: string[] = [];
    const reader = new FrameReader(TOKEN, 1_000_000, {
      onText: (bytes) => seen.push(`text ${bytes.toString()}`),
      onFrame: (json) => seen.push(`frame ${json}`),
      onLongFrame: () => ({ push: ({ length }) => seen.push(`piece ${length}`), end: () => seen.push("end") }),
      onOverflow: () => expect.unreachable(),
    });
    reader.push(Buffer.from(`a${TOKEN}short\nb${TOKEN}${"x".repeat(40_000)}`));
    expect(reader.isInLongFrame).toBe(false);
    reader.push(Buffer.from("x".repeat(40_000)));
    expect(reader.isInLongFrame).toBe(true);
    reader.push(Buffer.from(`xx\nc`));
    expect(reader.isInLongFrame).toBe(false);
    expect(seen).toEqual(["text a", "frame short", "text b", "piece 40000", "piece 40000", "piece 2", "end", "text c"]);
  });

  test("reads nothing after it was stopped, not even the rest of a chunk", () => {
    const seen: string[] = [];
    const reader = new FrameReader(TOKEN, 100, {
      onText: (bytes) => seen.push(bytes.toString()),
      onFrame: (json) => {
        seen.push(json);
        reader.stop();
      },
      onLongFrame: () => expect.unreachable(),
      onOverflow: () => expect.unreachable(),
    });
    reader.push(Buffer.from(`${TOKEN}1\n${TOKEN}2\ntext`));
    reader.push(Buffer.from("text"));
    reader.end();
    expect(seen).toEqual(["1"]);
  });

  test("takes a wrong token for text", () => {
    const line = `\n${TOKEN.slice(0, 31)}x{"t":"done"}\n`;
    expect(read([Buffer.from(line)])).toEqual({ text: line, frames: [], overflows: 0 });
  });

  test("stops at a frame that is too long, before its end has come", () => {
    const found = read(
      [Buffer.from(TOKEN), Buffer.alloc(60, "a"), Buffer.alloc(60, "a"), Buffer.from(`\n${TOKEN}{}\n`)],
      100,
    );
    expect(found).toEqual({ text: "", frames: [], overflows: 1 });
  });

  test("looks at each byte once when a frame comes in many pieces", () => {
    // Quadratic reading of 30 MB in 3,000 pieces would run into the time limit of the test by far.
    const piece = Buffer.alloc(10_000, "a");
    const found = read(
      [Buffer.from(TOKEN), ...Array.from({ length: 3_000 }, () => piece), Buffer.from("\n")],
      40_000_000,
    );
    expect(found.frames[0]).toHaveLength(30_000_000);
  });
});
