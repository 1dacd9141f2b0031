import fc from "fast-check";
import { expect, test } from "vitest";
import { toPassages } from "./passage.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 3_000 }).filter((value) => value.isWellFormed()),
  fc
    .array(fc.constantFrom("word ", "End. ", "line\n", "ende！", "x".repeat(600), "😀"), { maxLength: 300 })
    .map((parts) => parts.join("")),
);

test("toPassages() covers a text without gaps, in pieces of 250 to 500 characters, none cut inside a character", () => {
  fc.assert(
    fc.property(text, (value) => {
      const passages = toPassages(value);
      expect(passages.map(({ start, end }) => value.slice(start, end)).join("")).toBe(value);
      for (const [at, { start, end }] of passages.entries()) {
        expect(end - start).toBeLessThanOrEqual(500);
        if (at < passages.length - 1) expect(end - start).toBeGreaterThanOrEqual(250);
        expect(value.slice(start, end).isWellFormed()).toBe(true);
      }
    }),
  );
});

test("toPassages() keeps all passages but the last when a text is added to", () => {
  fc.assert(
    fc.property(text, text, (value, addition) => {
      const before = toPassages(value).slice(0, -1);
      expect(toPassages(`${value}\n${addition}`).slice(0, before.length)).toEqual(before);
    }),
  );
});

test("toPassages() cuts after lines first, then after sentences, then after words", () => {
  const first = (value: string): string => value.slice(0, toPassages(value)[0]?.end);
  expect(first(`${"a ".repeat(140)}line\n${"b. ".repeat(200)}`)).toMatch(/line\n$/);
  expect(first(`${"a ".repeat(140)}Sentence! ${"b ".repeat(200)}`)).toMatch(/Sentence! $/);
  expect(first("word ".repeat(200))).toHaveLength(500);
});
