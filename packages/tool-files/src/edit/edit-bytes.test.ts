import fc from "fast-check";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/any-text.ts";
import { FilesError } from "../error/files-error.ts";
import { detectEncoding } from "../text/text-encoding.ts";
import { editBytes } from "./edit-bytes.ts";

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

const lines = fc
  .array(fc.tuple(fc.constantFrom("a", "b b", "", "  c\t", "\xe9", "x\ry"), fc.constantFrom("\n", "\r\n")))
  .map((all) => Buffer.from(all.flat().join(""), "latin1"));
const anything = fc.oneof(
  lines,
  fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
);
const mark = fc.constantFrom("", "\ufeff").map((text) => Buffer.from(text));

test("editBytes() leaves every byte outside the replaced place as it was, whatever the bytes, line ends and mark", () => {
  fc.assert(
    fc.property(
      mark,
      anything,
      anything,
      fc.constantFrom("MARKER", "MARK\nER", "\tMARK\n\nER  "),
      fc.constantFrom("", "new", "$&$1\\", "a\nb", "MARK\nb\nER  "),
      (bom, start, after, marker, text) => {
        const before = Buffer.concat([bom, start]);
        // A carriage return would become part of a line end; FF FE or NUL make the whole another encoding.
        fc.pre(before.at(-1) !== 13 && after[0] !== 10 && !Buffer.concat([before, after]).includes("MARK"));
        const whole = Buffer.concat([before, Buffer.from(marker), after]);
        const encoding = detectEncoding(whole);
        fc.pre(encoding?.unit !== 2);
        const isKnown = encoding !== undefined && encoding.name !== "unknown";
        if (!isKnown && marker.startsWith("M") && before.length > 0 && before.readUInt8(before.length - 1) >= 0x80) {
          expect(codeOf(() => edit(whole, [marker, text]))).toBe("unknown_encoding");
          return;
        }
        const { bytes: edited } = edit(whole, [marker, text]);
        expect(edited.subarray(0, before.length)).toEqual(before);
        expect(edited.subarray(edited.length - after.length)).toEqual(after);
        const put = edited
          .subarray(before.length, edited.length - after.length)
          .toString()
          .replaceAll("\r\n", "\n");
        expect(put).toBe(text);
      },
    ),
    { numRuns: 500 },
  );
});

test("editBytes() leaves every unit of UTF-16 outside the replaced place as it was, half characters included", () => {
  const text = fc
    .string({ unit: anyCharacter, maxLength: 30 })
    .map((some) => some.replaceAll(/[\0-\x08\x0e-\x1f\r]/g, "z"));
  const half = fc.constantFrom("", "\ud800", "\udc00\n");
  fc.assert(
    fc.property(text, text, half, fc.boolean(), fc.boolean(), (start, end, broken, big, odd) => {
      fc.pre(!(start + end).includes("MARK"));
      // Only its beginning has to be without fault for a file to be UTF-16.
      const before = `\ufeff${start}${"padding ".repeat(600)}${broken}`;
      const file = (middle: string) => {
        const bytes = Buffer.from(before + middle + end, "utf16le");
        return Buffer.concat([big ? bytes.swap16() : bytes, Buffer.alloc(odd ? 1 : 0, 7)]);
      };
      expect(edit(file(" MARKER "), ["MARKER", "ne\u0301w \u{1f600}"]).bytes).toEqual(file(" ne\u0301w \u{1f600} "));
    }),
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
    const written = edited.applied.filter((applied) => applied.crlf).length;
    expect([edited.bytes.toString(), written], JSON.stringify(content)).toEqual([expected, crlf]);
  }
});

test("editBytes() keeps the ends of lines that stay, and gives new lines those of their neighbours", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["a\r\nb\nc\r\n", "a\nb\nc", "a\nnew\nb\nc", "a\r\nnew\r\nb\nc\r\n"],
    ["a\r\nb\nc\r\n", "a\nb\nc\n", "b\nc\nd\n", "b\nc\r\nd\r\n"],
    ["a\nb\r\nc\n", "a\nb\nc\n", "c\n", "c\n"],
    ["a\nb\r\n", "a\nb\n", "a\nb\n\n", "a\nb\r\n\r\n"],
    ["a\r\nb\n", "a\r\nb\n", "a\nb\r\n", "a\nb\r\n"],
    ["a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"],
  ];
  for (const [content, oldText, newText, expected] of cases)
    expect(edit(content, [oldText, newText]).bytes.toString(), JSON.stringify([content, newText])).toBe(expected);
});

const editIn = (encoding: string, content: Buffer, old_text: string, new_text: string) =>
  editBytes(content, [{ old_text, new_text }], 'Cannot edit "f"', { encoding });

test("editBytes() keeps bytes that are no UTF-8, and refuses characters the file cannot hold", () => {
  const unknown = Buffer.from("caf\xe9 = 1\n", "latin1");
  expect(edit(unknown, ["= 1", "= 2"]).bytes).toEqual(Buffer.from("caf\xe9 = 2\n", "latin1"));
  expect(codeOf(() => edit(unknown, ["= 1", "= é"]))).toBe("not_encodable");
  expect(codeOf(() => edit(unknown, ["café", "x"]))).toBe("not_encodable");
});

test("editBytes() replaces nothing that may be half a character of an encoding nobody stated", () => {
  const shiftJis = Buffer.concat([
    Buffer.from("path "),
    Buffer.from([0x83, 0x5c]),
    Buffer.from("; [1] and a long line of text in ASCII\r\nx = 1\r\n"),
    Buffer.from([0x83, 0x5d]),
  ]);
  expect(codeOf(() => edit(shiftJis, ["\\", "/"]))).toBe("unknown_encoding");
  expect(codeOf(() => editBytes(shiftJis, [{ old_text: "]", new_text: ")", replace_all: true }], "f"))).toBe(
    "unknown_encoding",
  );
  expect(codeOf(() => edit(shiftJis.subarray(0, 7), ["\\", "/"]))).toBe("unknown_encoding");
  expect(edit(shiftJis, ["[1]", "[2]"]).bytes).toEqual(
    Buffer.from(shiftJis.toString("latin1").replace("[1]", "[2]"), "latin1"),
  );
  expect(edit(shiftJis, ["x = 1", "x = 2"]).bytes).toEqual(
    Buffer.from(shiftJis.toString("latin1").replace("x = 1", "x = 2"), "latin1"),
  );
  const all = [{ old_text: "]", new_text: ")", replace_all: true }];
  expect(editBytes(shiftJis, all, "f", { encoding: "Shift_JIS" }).bytes).toEqual(
    Buffer.from(shiftJis.toString("latin1").replace("[1]", "[1)"), "latin1"),
  );
});

const german = "Die Größe der Höhle überraschte Jörg; für die Prüfung müssen Sie über die Brücke gehen.\n".repeat(3);
const japanese = "設定ファイルの表示を更新します。これはテストのための長い文章です。ソースコード。\n".repeat(5);

test("editBytes() writes new text in the encoding of the file, and refuses what it lacks by name", () => {
  const legacy = Buffer.from(`${german}ende\n`, "latin1");
  expect(editIn("windows-1252", legacy, "ende", "Ärger").bytes).toEqual(Buffer.from(`${german}Ärger\n`, "latin1"));
  expect(() => editIn("windows-1252", legacy, "ende", "→ €")).toThrow(
    /^Cannot edit "f": edits\[0\]\.new_text: it holds "→" \(U\+2192\), .*nothing was changed$/,
  );
  const shifted = iconv.encode(`${japanese}end\n`, "shift_jis");
  expect(editIn("Shift_JIS", shifted, "end\n", "終わり\n").bytes).toEqual(
    iconv.encode(`${japanese}終わり\n`, "shift_jis"),
  );
});

test("editBytes() refuses lines of which the last is longer by now, and not a piece cut out on purpose", () => {
  const file = "function a() {\n  b();\n  return items2;\n}\n";
  const stale = "function a() {\n  b();\n  return items";
  expect(() => edit(file, [stale, "x"])).toThrow(/edits\[0\]\.old_text was not found.*\n.*a longer word/);
  expect(edit(file, ["b();\n  return items", "return things"]).bytes.toString()).toBe(
    "function a() {\n  return things2;\n}\n",
  );
  expect(edit(file, ["items", "things"]).bytes.toString()).toContain("things2");
});

test("editBytes() finds nothing that begins or ends within a character", () => {
  // The second byte of ソ in Shift_JIS is a backslash, that of 表 too.
  const file = iconv.encode(`${japanese}x\\y\n`, "shift_jis");
  expect(editIn("Shift_JIS", file, "\\", "/").bytes).toEqual(iconv.encode(`${japanese}x/y\n`, "shift_jis"));
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
