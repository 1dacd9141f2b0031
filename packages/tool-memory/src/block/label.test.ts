import fc from "fast-check";
import { expect, test } from "vitest";
import { toLabel, whyMisleading, checkNewLabel } from "./label.ts";

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

const every = (pattern: RegExp): readonly string[] =>
  Array.from({ length: 0x11_0000 }, (_, point) => point)
    .filter((point) => point < 0xd8_00 || point > 0xdf_ff)
    .map((point) => String.fromCodePoint(point))
    .filter((character) => pattern.test(character));

test.each([
  "persona",
  "user/предпочтения",
  "Москва 2026",
  "кот",
  "東京tower",
  "日本語/カタカナ-ひらがな",
  "한국어_이름",
  "می‌روم".replace("\u200c", ""),
  "naïve.café",
  "pınar",
  "Đặng Thị",
  "मेरा नाम",
  "ภาษาไทย",
  "שלום",
  "Καλημέρα",
  "Հայաստան",
  "turn-１",
])("checkNewLabel() takes %j", (label) => {
  expect(checkNewLabel(label)).toBeUndefined();
});

test.each([
  ["рersona", "one script"],
  ["persοna", "one script"],
  ["ѕсоре", 'looks like "scope"'],
  ["user/раура", 'looks like "paypa"'],
  ["РЕТ", 'looks like "PET"'],
  ["ոսօ", 'looks like "nuo"'],
  ["ꓑꓰꓣꓢꓳꓠꓮ", "one script"],
  ["ᏢᎬᎡᏚ", "one script"],
  ["ᴘᴇʀꜱᴏɴᴀ", "phonetic"],
  ["persona٣", "one script"],
  ["persona\ufe00", "U+FE00"],
  ["persona\u{e0100}", "U+E0100"],
  ["per\u034fsona", "U+034F"],
  ["ㅤpersona", "U+3164"],
  ["user  name", "two spaces"],
  ["p\u0300\u0301\u0302\u0303ersona", "marks"],
])("checkNewLabel() refuses %j, as it could pass for another", (label, reason) => {
  expect(checkNewLabel(label)).toMatchObject({ code: "invalid_label", reason: expect.stringContaining(reason) });
});

test("no label holds a default-ignorable code point, a control or a format character", () => {
  const hidden = every(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u);
  expect(hidden.length).toBeGreaterThan(4_200);
  const isTaken = (label: string): boolean =>
    "key" in toLabel(label, { labelChars: 128 }) && whyMisleading(label) === undefined;
  expect(hidden.filter((character) => isTaken(`a${character}b`))).toEqual([]);
});
