import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftOf, EDITS, insert, lineAbove, lineBelow, type Draft } from "./draft.ts";

/** Shows where the cursor is. */
const shown = ({ text, at }: Draft): string => `${text.slice(0, at)}|${text.slice(at)}`;
const after = (text: string, ...keys: readonly string[]): string =>
  shown(keys.reduce((draft, key) => (EDITS.get(key) ?? insert(key))(draft), draftOf(text)));

describe("EDITS", () => {
  test.each<[text: string, keys: readonly string[], result: string]>([
    ["ab", ["left", "x"], "ax|b"],
    ["a👩‍👩‍👧", ["left"], "a|👩‍👩‍👧"],
    ["a👩‍👩‍👧", ["backspace"], "a|"],
    ["é e\u0301", ["backspace"], "é |"],
    ["one two", ["^w", "^w"], "|"],
    ["one two.", ["M-b", "M-b"], "|one two."],
    ["one two", ["home", "^right", "^k"], "one|"],
    ["one\ntwo", ["^a", "x"], "one\nx|two"],
    ["one\ntwo", ["^u"], "one\n|"],
    ["one\ntwo", ["^u", "backspace", "^u"], "|"],
    ["\nx", ["home", "left", "home"], "|\nx"],
    ["ab", ["home", "delete", "^d", "^d"], "|"],
    ["a", ["M-return", "b", "enter", "^j"], "a\nb\n\n|"],
  ])("make of %j by %j %j", (text, keys, result) => expect(after(text, ...keys)).toBe(result));

  test("keep the cursor in the text and between graphemes, whatever is pressed", () => {
    const press = fc.oneof(fc.constantFrom(...EDITS.keys()), fc.string({ unit: "grapheme", minLength: 1 }));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(press), (text, keys) => {
        let draft = draftOf(text);
        for (const key of keys) {
          draft = (EDITS.get(key) ?? insert(key))(draft);
          draft = lineAbove(draft) ?? lineBelow(draft) ?? draft;
          expect(draft.at).toBeGreaterThanOrEqual(0);
          expect(draft.at).toBeLessThanOrEqual(draft.text.length);
          expect(draft.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe("lineAbove() and lineBelow()", () => {
  test("keep the column as far as the line has it", () => {
    const draft = draftOf("字字字字\nab\nabcd");
    const above = lineAbove(draft);
    expect(above && shown(above)).toBe("字字字字\nab|\nabcd");
    const top = above && lineAbove(above);
    expect(top && shown(top)).toBe("字字|字字\nab\nabcd");
    expect(top && lineAbove(top)).toBeUndefined();
    expect(top && lineBelow(top)?.at).toBe(7);
    expect(lineBelow(draft)).toBeUndefined();
  });
});
