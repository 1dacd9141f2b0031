import fc from "fast-check";
import { expect, test } from "vitest";
import { type ByteSource, memorySource } from "./bytes.ts";
import { LineIndex, newlineOf } from "./line-index.ts";
import { UTF8 } from "./text-encoding.ts";

function covered(source: ByteSource, maxMarks?: number): LineIndex {
  const index = new LineIndex(newlineOf(UTF8), maxMarks);
  while (!index.complete) index.extend(source);
  return index;
}

test("LineIndex.start() finds every line where it begins, long and short ones", () => {
  const lengths = fc.array(fc.oneof(fc.nat(3), fc.nat(70_000), fc.constant(1_048_575), fc.constant(300_000)), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(lengths, fc.boolean(), (lines, open) => {
      const source = memorySource(
        Buffer.from(lines.map((length) => `${"x".repeat(length)}\n`).join("") + (open ? "y" : "")),
      );
      const index = covered(source);
      let at = 0;
      for (const [number, length] of lines.entries()) {
        expect(index.start(number, source)).toBe(at);
        at += length + 1;
      }
      expect(index.start(lines.length, source)).toBe(at);
      expect(index.start(lines.length + 1, source)).toBeUndefined();
      expect(index.lines).toBe(lines.length + (open ? 1 : 0));
    }),
    { numRuns: 40 },
  );
});

test("LineIndex.start() finds a line by looking at no more than a mebibyte", () => {
  const text = Buffer.from(`${"x".repeat(99)}\n`.repeat(200_000));
  const source = memorySource(text);
  const index = covered(source);
  let looked = 0;
  const counted: ByteSource = {
    ...source,
    view(position, length) {
      looked += length;
      return source.view(position, length);
    },
  };
  expect(index.start(190_000, counted)).toBe(19_000_000);
  expect(looked).toBeLessThanOrEqual(1024 * 1024);
});

test("LineIndex keeps a bounded number of marks, however long the file, and still finds lines", () => {
  const step = Buffer.alloc(256 * 1024, "x");
  step[step.length - 1] = 10;
  const maxMarks = 16;
  // So many that every other mark is dropped three times.
  const lines = 4 * (8 * maxMarks + 10);
  const size = step.length * lines;
  const source: ByteSource = {
    view: (position, length) => step.subarray(0, Math.max(0, Math.min(length, size - position))),
    copy: () => step,
  };
  const index = covered(source, maxMarks);
  expect(index.lines).toBe(lines);
  for (let number = 1; number <= lines; number += 1) expect(index.start(number, source)).toBe(number * step.length);
});
