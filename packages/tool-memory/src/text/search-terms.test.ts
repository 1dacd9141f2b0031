import fc from "fast-check";
import { expect, test, it } from "vitest";
import { toSearchTerms, toTermCode, toTermCodes } from "./search-terms.ts";

test.each([
  ["The users' naïve CAFÉS", "user naiv cafe"],
  ["Ｆｕｌｌｗｉｄｔｈ ﬁne ①", "fullwidth fine 1"],
  ["Ana's dog's name", "ana dog name"],
  ["Москва, ёлки", "москв елк"],
  ["كِتَاب", "كتاب"],
  ["猫", "猫"],
  ["東京都に2016年", "東京 京都 都に 2016 年"],
  ["テスト", "テス スト"],
  ["이순신은", "이순 순신 신은"],
  ["กาแฟ", "กาแ าแฟ"],
  ["", ""],
  ["__ -- ✂️ \u0000", ""],
])("toSearchTerms() finds %j by %j", (text, terms) => {
  expect(toSearchTerms(text).join(" ")).toBe(terms);
});

test.each([
  ["getUserById", "get_user_by_id"],
  ["getUserById", "getuserbyid"],
  ["get_user_by_id", "get user by id"],
  ["HTTPServer", "http server"],
  ["utf8", "UTF-8"],
  ["iPhone15", "iphone 15"],
  ["MAX_OUTPUT_CHARS", "maxOutputChars"],
])("toSearchTerms() finds %j by every term of %j", (text, query) => {
  expect(toSearchTerms(text)).toEqual(
    expect.arrayContaining(toSearchTerms(query).filter((term) => term !== "getuserbyid" || query === term)),
  );
});

test("toSearchTerms() leaves out what nobody searches for", () => {
  expect(toSearchTerms("x".repeat(65))).toEqual([]);
  expect(toSearchTerms("a1b2c3d4e5f6a7b8")).toEqual(["a1b2c3d4e5f6a7b8"]);
});

test("toSearchTerms() makes terms of letters, marks and digits alone, in time that grows with the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const term of toSearchTerms(text)) expect(term).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
    }),
  );
  expect(toSearchTerms("\u0301".repeat(200_000))).toEqual([]);
  expect(toSearchTerms(`${"aB".repeat(100_000)} end`)).toEqual(["end"]);
  expect(toSearchTerms("漢".repeat(100_000))).toHaveLength(99_999);
});

it("toTermCodes() gives the code of each term, in order, whatever spaces are between", () => {
  const term = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes(" "));
  fc.assert(
    fc.property(fc.array(term), fc.integer({ min: 1, max: 3 }), (terms, spaces) => {
      expect([...toTermCodes(terms.join(" ".repeat(spaces)))]).toStrictEqual(terms.map(toTermCode));
    }),
  );
});

it("toTermCodes() tells 200,000 different terms apart but for a few", () => {
  const terms = Array.from({ length: 200_000 }, (_, n) => `w${n.toString(36)}`);
  expect(new Set(toTermCodes(terms.join(" "))).size).toBeGreaterThan(199_980);
});
