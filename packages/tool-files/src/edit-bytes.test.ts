import fc from "fast-check";
import { expect, test } from "vitest";
import { editBytes } from "./edit-bytes.ts";
import { FilesError } from "./files-error.ts";

const edit = (content: string | Buffer, ...pairs: readonly (readonly [string, string])[]) =>
  editBytes(
    Buffer.from(content as string),
    pairs.map(([old_text, new_text]) => ({ old_text, new_text })),
    'Cannot edit "f"',
  );

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof FilesError ? error.code : String(error);
  }
  return "none";
}

test("editBytes() leaves every byte outside the replaced place as it was, whatever the bytes", () => {
  const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(
      bytes,
      bytes,
      fc.constantFrom("MARKER", "MARK\nER"),
      fc.constantFrom("", "new", "$&$1\\", "a\nb"),
      (before, after, marker, text) => {
        fc.pre(before.at(-1) !== 13 && !Buffer.concat([before, after]).includes("MARK"));
        const { bytes: edited } = edit(Buffer.concat([before, Buffer.from(marker), after]), [marker, text]);
        expect(edited.subarray(0, before.length)).toEqual(before);
        expect(edited.subarray(edited.length - after.length)).toEqual(after);
        const put = edited
          .subarray(before.length, edited.length - after.length)
          .toString()
          .replaceAll("\r\n", "\n");
        expect(put).toBe(text);
      },
    ),
  );
});

test("editBytes() applies edits in sequence, each to what the one before left", () => {
  expect(edit("one two", ["one", "three"], ["three two", "done"]).bytes.toString()).toBe("done");
  expect(edit("a", ["a", "$& $1 $$"]).bytes.toString()).toBe("$& $1 $$");
});

test("editBytes() matches and writes the line ends that are there", () => {
  const cases: readonly (readonly [string, string, string, string, number])[] = [
    ["a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n", 1],
    ["a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n", 1],
    ["a\r\nlast", "last", "x\ny", "a\r\nx\r\ny", 1],
    ["a\nb\r\nc\n", "a\nb\nc", "1\n2\n3", "1\n2\r\n3\n", 1],
    ["a\nb\n", "a\nb", "x\ny", "x\ny\n", 0],
    ["a\r\nb\r\n", "a\r\nb", "x\ny", "x\ny\r\n", 0],
    ["a\r\nb\r\n", "a", "x\r\ny", "x\r\ny\r\nb\r\n", 0],
    ["a\r\nb\r\nc", "a\n", "", "b\r\nc", 0],
    ["a\r\nb", "\nb", "\nc", "a\r\nc", 1],
    ["single", "single", "x\ny", "x\ny", 0],
    ["\ufeffa\r\nb", "a\nb", "c", "\ufeffc", 0],
  ];
  for (const [content, oldText, newText, expected, crlf] of cases) {
    const edited = edit(content, [oldText, newText]);
    expect([edited.bytes.toString(), edited.crlf], JSON.stringify(content)).toEqual([expected, crlf]);
  }
});

test("editBytes() keeps bytes that are no UTF-8, and refuses to mix encodings", () => {
  const latin1 = Buffer.from("caf\xe9 = 1\n", "latin1");
  expect(edit(latin1, ["= 1", "= 2"]).bytes).toEqual(Buffer.from("caf\xe9 = 2\n", "latin1"));
  expect(codeOf(() => edit(latin1, ["= 1", "= é"]))).toBe("not_utf8");
  expect(codeOf(() => edit(latin1, ["café", "x"]))).toBe("not_utf8");
});

test("editBytes() refuses an ambiguous text and names every line, also where places overlap or line ends differ", () => {
  expect(() => edit("x\ny\nx\nx y x\n", ["x", "z"])).toThrow(
    "edits[0].old_text is there 4 times, beginning at lines 0, 2, 3, 3 (0-based), nothing was changed",
  );
  expect(codeOf(() => edit("aaa", ["aa", "b"]))).toBe("text_ambiguous");
  expect(codeOf(() => edit("a\nb\n--\na\r\nb\r\n", ["a\nb", "c"]))).toBe("text_ambiguous");
  expect(() => edit("a\n".repeat(20_000), ["a", "b"])).toThrow("10000 times or more");
});

test("editBytes() refuses what can be no edit, naming which", () => {
  expect(codeOf(() => edit("a", ["", "b"]))).toBe("invalid_edit");
  expect(codeOf(() => edit("a", ["a", "a"]))).toBe("invalid_edit");
  expect(codeOf(() => edit("a", ["a", "\ud800"]))).toBe("invalid_edit");
  expect(() => edit("a b", ["a", "c"], ["zzz", "d"])).toThrow(
    'Cannot edit "f": edits[1].old_text was not found, nothing was changed',
  );
  expect(() => edit("a b", ["a", "c"], ["a b", "d"])).toThrow("An earlier edit of this call changed it");
});
