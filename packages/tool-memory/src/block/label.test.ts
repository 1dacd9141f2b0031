import fc from "fast-check";
import { expect, test } from "vitest";
import { toLabel } from "./label.ts";

const limits = { labelChars: 128 };

test.each(["persona", "user/preferences", "User Preferences", "2026-11-21", "naïve.notes", "日本語", "a:b_c-d.e"])(
  "toLabel() takes %j as it is",
  (label) => {
    expect(toLabel(label, limits)).toMatchObject({ text: label });
  },
);

test.each([
  "",
  " ",
  " a",
  "a ",
  "a/ b",
  "a /b",
  "/a",
  "a/",
  "a//b",
  "..",
  "a/../b",
  "./a",
  "-a",
  "a\nb",
  "a\0b",
  "a\tb",
  "a'b",
  'a"b',
  "a;b",
  "<a>",
  "a\u202eb",
  "a\u200bb",
  "\ud800",
  "x'; DROP TABLE dispatch_memory.block; --",
  "a".repeat(129),
])("toLabel() refuses %j", (label) => {
  expect(toLabel(label, limits)).toMatchObject({ outcome: "refused", code: "invalid_label" });
});

test("toLabel() tells labels apart by more than case and compatibility forms", () => {
  const key = (label: string): unknown => toLabel(label, limits);
  const persona = { key: "persona" };
  expect(key("persona")).toMatchObject(persona);
  expect(key("PERSONA")).toMatchObject(persona);
  expect(key("ｐersona")).toMatchObject(persona);
  expect(key("persona2")).not.toMatchObject(persona);
});

test("toLabel() gives the key of a label the same key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (label) => {
      const read = toLabel(label, limits);
      if ("outcome" in read) return;
      const again = toLabel(read.key, { labelChars: 1_000 });
      if ("key" in again) expect(again.key).toBe(read.key);
      expect(read.text).not.toMatch(/[\n\r\u2028\u2029\p{Cc}\p{Cf}]/u);
    }),
  );
});
