import iconv from "iconv-lite";

/** A tree with one file that holds the searched text, and searches that have to find it or name it. */
export interface SilentTree {
  readonly name: string;
  readonly files: Readonly<Record<string, Buffer>>;
  /** The file that holds it. */
  readonly path: string;
  readonly queries: readonly Readonly<Record<string, unknown>>[];
}

/** Words of a language, one to be searched for, a regular expression that finds it, and encodings that write it. */
interface Tongue {
  readonly word: string;
  readonly regex: string;
  readonly prose: string;
  readonly encodings: readonly string[];
}

const UNICODE = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"];

const TONGUES: Readonly<Record<string, Tongue>> = {
  russian: {
    word: "имя",
    regex: "и\\pL+я",
    prose: "Файл не найден в папке с настройками. Попробуйте позже или обратитесь к администратору.\n",
    encodings: [...UNICODE, "windows-1251", "KOI8-R", "KOI8-U", "IBM866", "ISO-8859-5", "GB18030"],
  },
  german: {
    word: "größe",
    regex: "gr.{1,2}e",
    prose: "Die Größe der übrigen Wörter hängt von der Länge ab, außer für Straßen und Brücken.\n",
    encodings: [...UNICODE, "windows-1252", "ISO-8859-1", "ISO-8859-15", "macintosh", "IBM850"],
  },
  polish: {
    word: "żółw",
    regex: "\\pL{3}w",
    prose: "Zażółć gęślą jaźń, a potem wróć do początku i sprawdź, czy wszystko się zgadza.\n",
    encodings: [...UNICODE, "windows-1250", "ISO-8859-2", "IBM852"],
  },
  greek: {
    word: "όνομα",
    regex: "\\p{Greek}+μα",
    prose: "Το αρχείο δεν βρέθηκε στον φάκελο των ρυθμίσεων. Δοκιμάστε ξανά αργότερα.\n",
    encodings: [...UNICODE, "windows-1253", "ISO-8859-7"],
  },
  chinese: {
    word: "名字",
    regex: "\\p{Han}字",
    prose: "在设置文件夹中找不到该文件。请稍后再试或与管理员联系。\n",
    encodings: [...UNICODE, "GBK", "GB18030"],
  },
  taiwanese: {
    word: "檔案",
    regex: "檔\\p{Han}",
    prose: "在設定資料夾中找不到該檔案。請稍後再試或與系統管理員聯絡。\n",
    encodings: [...UNICODE, "Big5"],
  },
  japanese: {
    word: "名前",
    regex: "名.",
    prose: "設定フォルダにファイルが見つかりません。後でもう一度お試しください。\n",
    encodings: [...UNICODE, "Shift_JIS", "EUC-JP"],
  },
  korean: {
    word: "이름",
    regex: "이\\p{Hangul}",
    prose: "설정 폴더에서 파일을 찾을 수 없습니다. 나중에 다시 시도하십시오.\n",
    encodings: [...UNICODE, "EUC-KR"],
  },
};

/** How much stands around the word. */
const AMOUNTS: Readonly<Record<string, (word: string, prose: string) => string>> = {
  short: (word) => `${word} name\n`,
  long: (word, prose) => `${prose.repeat(40)}${word} name\n${prose}`,
  program: (word) => `${"const value = compute(other);\n".repeat(300)}// ${word} name\nexport { value };\n`,
  line: (word, prose) => `${prose.trim().repeat(200)} ${word} name`,
};

/** Trees for each encoding, amount of text and mark. */
export function encodedTrees(): SilentTree[] {
  return Object.entries(TONGUES).flatMap(([tongue, { word, regex, prose, encodings }]) =>
    encodings.flatMap((encoding) =>
      Object.entries(AMOUNTS).flatMap(([amount, make]) =>
        (encoding.startsWith("UTF-") ? [true, false] : [false]).map((mark) => ({
          name: `${tongue} ${encoding}${mark ? " with a mark" : ""} ${amount}`,
          files: {
            "src/a.txt": iconv.encode(make(word, prose), encoding, { addBOM: mark }),
            "src/b.txt": Buffer.from("plain text\n"),
          },
          path: "src/a.txt",
          queries: [
            { query: word },
            { query: "name" },
            { query: regex, is_regex: true },
            { query: `${word} name`, ignore_case: true },
            { query: `${word}\\sname`, is_regex: true, multiline: true },
            { query: word, mode: "count" },
          ],
        })),
      ),
    ),
  );
}

const NEEDLE = [
  { query: "needle" },
  { query: "ne{2}dle", is_regex: true },
  { query: "NEEDLE", ignore_case: true, mode: "files" },
];

/** Trees whose file is hard to search for another reason than its encoding. */
export function hardTrees(): SilentTree[] {
  const one = (name: string, content: Buffer, queries: SilentTree["queries"] = NEEDLE): SilentTree => ({
    name,
    files: { "a.txt": content, "b.txt": Buffer.from("plain\n") },
    path: "a.txt",
    queries,
  });
  const text = (length: number) => "some line of text\n".repeat(Math.ceil(length / 18));
  const megabyte = 1024 * 1024;
  return [
    ...[0, 1, 100, 8191, 8192, 8193, 70_000, 300_000].flatMap((place) => [
      one(
        `binary, needle at ${place}`,
        Buffer.concat([Buffer.alloc(place, "x"), Buffer.from("\0needle\0"), Buffer.alloc(50)]),
      ),
      one(`NUL behind ${place}`, Buffer.concat([Buffer.from(text(place)), Buffer.from("needle\n\0\n")])),
      one(
        `mixed UTF-8 and Latin-1 at ${place}`,
        Buffer.concat([Buffer.from(`${text(place)}größe needle\n`), Buffer.from("gr\u00f6\u00dfe needle\n", "latin1")]),
      ),
      one(
        `one long line, needle at ${place}`,
        Buffer.concat([Buffer.alloc(place, "a"), Buffer.from("needle"), Buffer.alloc(1000, "b")]),
      ),
    ]),
    ...[9, 20].flatMap((megabytes) => [
      one(`${megabytes} MiB of lines`, Buffer.from(`${text(megabytes * megabyte)}needle\n`)),
      one(`${megabytes} MiB, over lines`, Buffer.from(`${text(megabytes * megabyte)}needle\n`), [
        { query: "text\\nneedle", is_regex: true, multiline: true },
      ]),
      one(`${megabytes} MiB line`, Buffer.concat([Buffer.alloc(megabytes * megabyte, "a"), Buffer.from("needle\n")])),
      one(
        `${megabytes} MiB of UTF-16`,
        iconv.encode(`${text((megabytes * megabyte) / 2)}needle\n`, "UTF-16LE", { addBOM: true }),
      ),
      one(
        `${megabytes} MiB of UTF-32`,
        iconv.encode(`${text((megabytes * megabyte) / 4)}needle\n`, "UTF-32LE", { addBOM: true }),
      ),
      one(
        `${megabytes} MiB of windows-1251`,
        iconv.encode(`${"имя файла\n".repeat((megabytes * megabyte) / 10)}needle\n`, "windows-1251"),
      ),
      one(`${megabytes} MiB binary`, Buffer.concat([Buffer.alloc(megabytes * megabyte), Buffer.from("needle\n")])),
    ]),
    {
      name: "many files",
      files: Object.fromEntries(
        Array.from({ length: 3000 }, (_, index) => [
          `d${index % 40}/f${index}.txt`,
          Buffer.from(index === 2999 ? "needle\n" : "x\n"),
        ]),
      ),
      path: "d39/f2999.txt",
      queries: NEEDLE,
    },
  ];
}
