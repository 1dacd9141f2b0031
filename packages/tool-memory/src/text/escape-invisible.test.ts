import { expect, test } from "vitest";
import { escapeInvisible } from "./escape-invisible.ts";

test("escapeInvisible() escapes every default-ignorable code point, control and format character in a word", () => {
  const loose: string[] = [];
  let count = 0;
  for (let point = 0; point < 0x11_0000; point++) {
    if (point === 9 || (point >= 0xd8_00 && point <= 0xdf_ff)) continue;
    const character = String.fromCodePoint(point);
    if (!/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u.test(character)) continue;
    count++;
    for (const text of [character, `a${character}b`, `字${character}字`, `1${character}`, `👍a${character}`])
      if (escapeInvisible(text).includes(character)) loose.push(point.toString(16));
  }
  expect(count).toBeGreaterThan(100_000);
  expect(loose).toEqual([]);
});

test.each(["👩‍👧", "❤️", "🏳️‍🌈", "👩🏽‍💻", "1️⃣", "می‌روم", "क्‍ष", "日本語 ﬁ"])(
  "escapeInvisible() leaves %j as it is, where a joiner or selector is seen",
  (text) => {
    expect(escapeInvisible(text)).toBe(text);
  },
);
