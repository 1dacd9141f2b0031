import fc from "fast-check";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { detectEncoding } from "./text-encoding.ts";

const code = "export function example(value: number): number {\n  return value * 2;\n}\n".repeat(10);

/** A comment in a program, in the language for which the encoding is made. */
const legacy: readonly (readonly [string, string])[] = [
  ["windows-1252", "Le fichier n'a pas été trouvé dans le répertoire. Réessayez plus tard, là où vous êtes déjà."],
  ["windows-1252", "Die Größe muß größer als Null sein, sonst wird ein Fehler ausgelöst. Für Äpfel und Öl auch."],
  [
    "windows-1252",
    "El archivo no se encontró en la configuración. Inténtelo más tarde, el administrador podrá ayudarle también aquí, en cualquier situación.",
  ],
  [
    "windows-1250",
    "Soubor nebyl nalezen ve složce s nastavením. Zkuste to později, který vám může pomoci v každé situaci.",
  ],
  ["windows-1251", "Файл не найден в папке с настройками. Попробуйте позже или обратитесь к администратору."],
  ["KOI8-R", "Файл не найден в папке с настройками. Попробуйте позже или обратитесь к администратору."],
  ["Shift_JIS", "これは日本語のテキストです。設定ファイルを読み込んでください。"],
  ["EUC-JP", "これは日本語のテキストです。設定ファイルを読み込んでください。"],
  ["GB18030", "人类的历史表明,编程语言的发展受到硬件的影响。我们在这里说明如何安装和使用这个工具。"],
  ["Big5", "檔案在設定資料夾中找不到。請稍後再試,或聯絡系統管理員,他可以在任何情況下協助您。"],
  ["EUC-KR", "이것은 한국어 텍스트 파일입니다. 설정 파일을 읽어 주세요."],
];

test("detectEncoding() reads a comment in a program in the stated encoding, and gives its bytes back", () => {
  for (const [name, comment] of legacy) {
    const text = `${code}// ${comment}\n${code}`;
    const bytes = iconv.encode(text, name);
    expect(detectEncoding(bytes), comment).toMatchObject({ name: "unknown" });
    const encoding = detectEncoding(bytes, name)!;
    expect(encoding, comment).toMatchObject({ name, unit: 1 });
    expect(encoding.decode(bytes)).toBe(text);
    expect(encoding.encode(text)).toEqual(bytes);
  }
});

test("detectEncoding() names no encoding of one byte a character", () => {
  const some = [
    iconv.encode(`${code}// café\n`, "windows-1252"),
    iconv.encode(`${code}// \u00a9 M\u00fcller\n`, "windows-1252"),
    iconv.encode("// Größe, für später: dŽjˆ", "macroman"),
    Buffer.from("a \xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8 b, all of them signs", "latin1"),
  ];
  for (const bytes of some) {
    const encoding = detectEncoding(bytes);
    expect(encoding).toMatchObject({ name: "unknown" });
    expect(encoding?.decode(bytes)).toContain("\ufffd");
    expect(encoding?.encode("plain\n")).toEqual(Buffer.from("plain\n"));
    expect(() => encoding?.encode("é")).toThrow(/holds "é" \(U\+00E9\), allowed are characters of that encoding/);
  }
});

test("detectEncoding() takes anything that is valid UTF-8 for it, with or without a mark", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.boolean(), (text, marked) => {
      const plain = text.replace(/[\0-\x08\x0e-\x1f]/g, "x").replace(/^\ufeff/, "");
      const bytes = Buffer.from(marked ? `\ufeff${plain}` : plain);
      const encoding = detectEncoding(bytes);
      expect(encoding).toMatchObject({ name: "UTF-8", unit: 1 });
      expect(encoding?.mark.length).toBe(marked ? 3 : 0);
      expect(encoding?.encode(encoding.decode(bytes))).toEqual(bytes);
    }),
  );
});

test("detectEncoding() tells UTF-8 with a damaged place from another encoding", () => {
  const bytes = Buffer.concat([Buffer.from("größer für später\n"), Buffer.from([0xe9, 0x0a])]);
  const encoding = detectEncoding(bytes);
  expect(encoding).toMatchObject({ name: "UTF-8 with invalid bytes" });
  expect(encoding?.decode(bytes)).toBe("größer für später\n\ufffd\n");
});

test("detectEncoding() knows UTF-16 by its mark, and without one where it is beyond doubt", () => {
  const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();
  const text = "line one\r\nzwei, größer 😀\n";
  expect(detectEncoding(Buffer.from(`\ufeff${text}`, "utf16le"))).toMatchObject({ name: "UTF-16LE", unit: 2 });
  expect(detectEncoding(swapped(`\ufeff${text}`))).toMatchObject({ name: "UTF-16BE", unit: 2 });
  expect(detectEncoding(Buffer.from(text, "utf16le"))).toMatchObject({ name: "UTF-16LE", mark: { length: 0 } });
  expect(detectEncoding(swapped(text))).toMatchObject({ name: "UTF-16BE", mark: { length: 0 } });
  expect(detectEncoding(Buffer.from(`\ufeff${"これは日本語です。".repeat(900)}`, "utf16le"))?.name).toBe("UTF-16LE");
  for (const bytes of [swapped(text), Buffer.from(`\ufeff${text}`, "utf16le")]) {
    const encoding = detectEncoding(bytes);
    expect(encoding?.encode(encoding.decode(bytes))).toEqual(bytes);
  }
  expect(() => detectEncoding(swapped(text))?.encode("\ud800")).toThrow("half a surrogate pair (U+D800)");
});

test("detectEncoding() answers nothing for what is no text", () => {
  const zeros = Buffer.alloc(64);
  const some: readonly Buffer[] = [
    zeros,
    Buffer.from([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]),
    Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0, 0x62, 0, 0, 0]),
    Buffer.from([0xff, 0xfe, 0, 0xd8, 0, 0xd8, 1, 2, 3, 4]),
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
    Buffer.from(Array.from({ length: 4000 }, (_, index) => ((index * 73) % 255) + 1)),
    Buffer.from([0x41, 0, 0x42]),
  ];
  for (const bytes of some) expect(detectEncoding(bytes), bytes.toString("hex", 0, 12)).toBeUndefined();
});

test("detectEncoding() names the character that a legacy encoding lacks", () => {
  const [[name, comment] = ["", ""]] = legacy;
  const encoding = detectEncoding(iconv.encode(comment, name), name)!;
  expect(() => encoding.encode("naïve → 漢字")).toThrow(
    'Cannot write text as windows-1252: it holds "→" (U+2192), allowed are characters of that encoding',
  );
});

test("detectEncoding() never throws, and decoding never does, whatever the bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const encoding = detectEncoding(bytes);
      const text = encoding?.decode(bytes) ?? "";
      const isExact = text.isWellFormed() && !text.includes("\ufffd");
      if (isExact && encoding !== undefined) expect(encoding.encode(text)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 2000 },
  );
});
