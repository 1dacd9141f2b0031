import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

/** Texts too short to tell their encoding by. */
const short: readonly (readonly [encoding: string, text: string])[] = [
  ["windows-1251", "имя = Да\n"],
  ["KOI8-R", "имя = Да\n"],
  ["IBM866", "имя = Да\n"],
  ["windows-1252", "nom = Zoé\n"],
  ["ISO-8859-2", "jméno = Žižka\n"],
  ["Shift_JIS", "名前 = 値\n"],
  ["EUC-JP", "名前 = 値\n"],
  ["GBK", "名字 = 值\n"],
  ["Big5", "名字 = 值\n"],
  ["EUC-KR", "이름 = 값\n"],
  ["UTF-16LE", "имя\n"],
  ["UTF-16BE", "имя\n"],
];

test.each(short)("read_file and edit_file take %s for what the caller states", async (encoding, text) => {
  const bytes = iconv.encode(text, encoding);
  const { root, read } = makeWorktree({ "a.txt": bytes });
  const call = toolsIn(root);
  const shown = await call("read_file", { path: "a.txt", encoding: encoding.toLowerCase().replace("_", "-") });
  expect(dataOf(shown)).toMatchObject({ content: text, encoding });
  const word = text.trim().split(" ")[0] ?? "";
  const edits = [{ old_text: word, new_text: `${word}${word}` }];
  const edited = await call("edit_file", { path: "a.txt", encoding, edits });
  expect(String(edited)).toContain(`+${word}${word}`);
  expect(read("a.txt")).toEqual(iconv.encode(text.replace(word, word + word), encoding));
});

test("read_file goes on in the stated encoding, and says when bytes mean nothing in it", async () => {
  const text = "слово\n".repeat(3000);
  const { root } = makeWorktree({ "a.txt": iconv.encode(text, "KOI8-R"), "b.txt": Buffer.from([0x61, 0xff, 10]) });
  const call = toolsIn(root);
  const first = await call("read_file", { path: "a.txt", encoding: "koi8-r" });
  const { next } = dataOf<{ next: { encoding: string } }>(first);
  expect(next).toMatchObject({ start_line: 2000, encoding: "koi8-r" });
  expect(dataOf(await call("read_file", next))).toMatchObject({ content: "слово\n".repeat(1000) });
  expect(String(await call("read_file", { path: "b.txt", encoding: "Shift_JIS" }))).toContain("mean nothing in it");
});

test("read_file and edit_file refuse an encoding they do not know, and name those they do", async () => {
  const { root } = makeWorktree({ "a.txt": "text\n" });
  const call = toolsIn(root);
  const edits = [{ old_text: "text", new_text: "x" }];
  for (const encoding of ["base64", "hex", "klingon", "", "utf-7"])
    for (const [name, params] of [
      ["read_file", { path: "a.txt", encoding }],
      ["edit_file", { path: "a.txt", encoding, edits }],
    ] as const) {
      const refused = await call(name, params);
      expect(refused, encoding).toMatchObject({ success: false, code: "unknown_encoding" });
      expect(String(refused)).toContain("allowed are UTF-8, UTF-16LE");
    }
});

test("read_file and edit_file refuse an encoding that the file is recognised not to have", async () => {
  const files = {
    "utf8.txt": Buffer.from("имя = Да\n"),
    "marked.txt": Buffer.from("\ufeffname\n"),
    "wide.txt": Buffer.from("name = 1\n", "utf16le"),
  };
  const { root, read } = makeWorktree({ ...files, "ascii.txt": "name\n" });
  const call = toolsIn(root);
  const edits = [{ old_text: "=", new_text: "+" }];
  for (const [path, bytes] of Object.entries(files))
    for (const encoding of ["windows-1251", "GBK", "UTF-16BE"]) {
      const refused = [await call("read_file", { path, encoding }), await call("edit_file", { path, encoding, edits })];
      for (const answer of refused) {
        expect(answer, `${path} ${encoding}`).toMatchObject({ success: false, code: "unknown_encoding" });
        expect(String(answer)).toContain("leave encoding out");
      }
      expect(read(path)).toEqual(bytes);
    }
  // ASCII may get its first other character.
  const first = [{ old_text: "name", new_text: "имя" }];
  expect((await call("edit_file", { path: "ascii.txt", encoding: "windows-1251", edits: first })).success).toBe(true);
  expect(read("ascii.txt")).toEqual(iconv.encode("имя\n", "windows-1251"));
});
