import fs from "node:fs";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { searchInSameThread } from "../../test/same-thread-search.ts";
import { dataOf, makeWorktree, toolsIn, useFiller } from "../../test/worktree.ts";

searchInSameThread();

type Data = {
  matches: { path: string; line: number; text: string }[];
  omissions: { reason: string; count: number; paths: string[] }[];
};
const long = "Файл не найден в папке с настройками. Попробуйте позже или обратитесь к администратору.\n";

/** The encodings, and whether a file that holds little else is recognised as such. */
const written: readonly (readonly [name: string, encode: (text: string) => Buffer, told: boolean])[] = [
  ["UTF-8 with a mark", (text) => Buffer.from(`\ufeff${text}`), true],
  ["UTF-16LE with a mark", (text) => iconv.encode(text, "UTF-16LE", { addBOM: true }), true],
  ["UTF-16BE with a mark", (text) => iconv.encode(text, "UTF-16BE", { addBOM: true }), true],
  ["windows-1251", (text) => iconv.encode(long + text, "windows-1251"), false],
  ["KOI8-R", (text) => iconv.encode(long + text, "KOI8-R"), false],
  ["GB18030", (text) => iconv.encode(long + text, "GB18030"), false],
  ["UTF-32LE with a mark", (text) => iconv.encode(text, "UTF-32LE", { addBOM: true }), false],
  ["UTF-32BE without a mark", (text) => iconv.encode(text, "UTF-32BE", { addBOM: false }), false],
  ["UTF-8 and windows-1251", (text) => Buffer.concat([Buffer.from(long), iconv.encode(text, "windows-1251")]), false],
  ["UTF-16LE without a mark", (text) => iconv.encode(text, "UTF-16LE"), false],
  ...["windows-1251", "KOI8-R", "IBM866", "ISO-8859-5", "GBK", "Shift_JIS", "EUC-JP", "EUC-KR"].map(
    (name) => [`${name}, short`, (text: string) => iconv.encode(text, name), false] as const,
  ),
];

describe.each([
  ["ripgrep", {}, false],
  ["ripgrep that walks", {}, true],
  ["the built-in engine", { ripgrep: false }, false],
] as const)("search_files with %s", (_, options, filled) => {
  const fill = useFiller();
  const make = (files: Readonly<Record<string, string | Uint8Array>>): string => {
    const { root } = makeWorktree(files);
    if (filled) fill(root);
    return root;
  };
  test("finds text in files of other encodings, or says that it may be there", async () => {
    // As many files as a note names.
    for (let from = 0; from < written.length; from += 5) {
      const some = written.slice(from, from + 5).map(([name, encode, told]) => ({ path: `${name}.txt`, encode, told }));
      const files = some.map(({ path, encode }) => [path, encode("имя = Да, name\n")] as const);
      const call = toolsIn(make({ ...Object.fromEntries(files), "plain.txt": "plain\n" }), options);
      for (const params of [
        { query: "имя" },
        { query: "^имя", is_regex: true },
        { query: "ИМЯ", ignore_case: true },
        { query: "\\p{sc=Cyrillic} =", is_regex: true },
        { query: "name" },
      ]) {
        const found = await call("search_files", params);
        const { matches, omissions } = dataOf<Data>(found);
        for (const { path, told } of some) {
          const lines = matches.filter((match) => match.path === path).map(({ line }) => line);
          const why = `${path} ${JSON.stringify(params)}: ${String(found)}`;
          expect(lines.length > 0 || omissions.some(({ paths }) => paths.includes(path)), why).toBe(true);
          if (told) expect(lines, why).toEqual([0]);
          if (lines.length === 0) expect(String(found), why).toMatch(new RegExp(`[:,] ${path}[,\\]]`));
        }
        expect(matches.map(({ path }) => path)).not.toContain("plain.txt");
      }
    }
  });

  test.each(["windows-1251", "KOI8-R", "IBM866", "UTF-16LE", "Shift_JIS", "GBK"])(
    "finds text in short files of a stated encoding, %s",
    async (encoding) => {
      const root = make({ "a.txt": iconv.encode("1\nимя\n", encoding), "b.txt": "имя\n" });
      const call = toolsIn(root, options);
      for (const params of [{ query: "имя" }, { query: "^и.я$", is_regex: true }, { query: "ИМЯ", ignore_case: true }])
        expect(dataOf<Data>(await call("search_files", { ...params, encoding })), JSON.stringify(params)).toMatchObject(
          {
            matches: [
              { path: "a.txt", line: 1, text: "имя" },
              { path: "b.txt", line: 0 },
            ],
            omissions: [],
          },
        );
    },
  );

  test("finds the character U+FEFF inside a text, in every Unicode encoding, and not the mark at its beginning", async () => {
    const text = "\ufeffa\ufeffb\n";
    const files = {
      "8.txt": text,
      "16le.txt": Buffer.from(text, "utf16le"),
      "16be.txt": Buffer.from(text, "utf16le").swap16(),
    };
    const others = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`other-${index}.txt`, "\ufeffab\n"]));
    const call = toolsIn(make({ ...files, ...others }), options);
    for (const params of [
      { query: "\ufeff" },
      { query: "\ufeffb" },
      { query: "A\ufeff", ignore_case: true },
      { query: "\ufeff", is_regex: true },
    ])
      expect(dataOf<Data>(await call("search_files", params)), JSON.stringify(params)).toMatchObject({
        matches: ["16be.txt", "16le.txt", "8.txt"].map((path) => ({ path, line: 0, text: "a\ufeffb" })),
      });
  });

  test("finds the beginning of a line behind a byte order mark", async () => {
    const root = make({ "a.txt": "\ufeffone\n" });
    expect(dataOf(await toolsIn(root, options)("search_files", { query: "^one$", is_regex: true }))).toMatchObject({
      matches: [{ path: "a.txt", line: 0, text: "one" }],
    });
  });

  test("names files whose long lines it has searched in part, and entries without a proper name", async () => {
    const root = make({ "plain.txt": "x" });
    const fd = fs.openSync(`${root}/long.txt`, "w");
    for (let part = 0; part < 9; part += 1) fs.writeSync(fd, Buffer.alloc(1024 * 1024, "a"));
    fs.writeSync(fd, "needle\n");
    fs.closeSync(fd);
    fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/n`), Buffer.from([0xe4])]), "needle");
    fs.writeFileSync(`${root}/n\ufffd`, "twin");
    const call = toolsIn(root, options);
    expect(dataOf(await call("search_files", { query: "needle" }))).toMatchObject({
      matches: [],
      omissions: expect.arrayContaining([
        { reason: "long_line", count: 1, paths: ["long.txt"] },
        { reason: "name", count: 1, paths: [] },
      ]),
    });
    expect(String(await call("search_files", { query: "twin" }))).toContain("n\ufffd:0: twin");
    expect(String(await call("list_files", {}))).toContain("[1 entry left out: the name is not UTF-8]");
  });

  test("neither finds nor lists a file that is about to be renamed", async () => {
    const root = make({ ".dispatch-0123456789abcdef01.tmp": "needle", "a.txt": "needle" });
    const call = toolsIn(root, options);
    expect(String(await call("search_files", { query: "needle", mode: "files" }))).toBe("a.txt");
    expect(String(await call("list_files", {}))).not.toContain(".tmp");
    expect(String(await call("list_files", { pattern: ".dispatch-0123456789abcdef01.tmp" }))).not.toContain(".tmp\n");
  });
});
