import type { FileSystem } from "@dispatch/tool-files";
import { freezeChanges } from "./freeze-changes.ts";
import { freezeReads } from "./freeze-reads.ts";

/** One call that may take long, and the files it is made on. */
export interface FreezeCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Makes the file system that the call works on instead of this disk. */
  readonly fileSystem?: () => FileSystem;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * New contents of the files, written after they were read for the version that the call names. Default: unchanged.
   */
  readonly changed?: Readonly<Record<string, string>>;
}

const MEGABYTE = 1_000_000;
const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** Pieces that files and searched texts are made of. */
const PIECES: Readonly<Record<string, string>> = {
  equal_lines: "same line\n",
  short_lines: "x\n",
  c_array: "    0x00, 0x01, 0x02, 0x03,\n",
  crlf: "one,two,three\r\n",
  one_line: "ab",
  blank: "  \n",
  numbered: "0\tvalue\n",
  wide: "\u0444\u044b ",
};

/** How the searched text is made of the piece the file is made of. */
const WANTED: Readonly<Record<string, (piece: string) => string>> = {
  stale_end: (piece) => `${repeated(piece, 100_000)}another end\n`,
  stale_begin: (piece) => `another begin\n${repeated(piece, 100_000)}`,
  there: (piece) => repeated(piece, 10_000),
  indented: (piece) => repeated(piece, 20_000).replace(/^/gm, "\t"),
};

/** Edits, listings and searches that are as costly as their limits allow. */
export function freezeCases(): readonly FreezeCase[] {
  return [...edits(), ...listings(), ...searches(), ...freezeReads(), ...freezeChanges()];
}

function edits(): FreezeCase[] {
  const one = (name: string, content: string | Buffer, pairs: readonly (readonly [string, string])[]): FreezeCase => ({
    name: `edit ${name}`,
    files: { "a.txt": content },
    tool: "edit_file",
    params: { path: "a.txt", edits: pairs.map(([old_text, new_text]) => ({ old_text, new_text })) },
  });
  const rows = Array.from({ length: 60_000 }, (_, row) => `${row},value of it,${row * 7}`);
  const rowEdits = Array.from({ length: 200 }, (_, index) => {
    const row = `${rows[index * 290]}\n${rows[index * 290 + 1]}`;
    return [row, row.replace("value", "new")] as const;
  });
  const words = repeated("all other words here\n", 40_000);
  return [
    ...Object.entries(PIECES).flatMap(([piece, text]) =>
      Object.entries(WANTED).flatMap(([wanted, make]) =>
        [MEGABYTE, 100_000, 20_000].map((size) =>
          one(`${piece} ${wanted} ${size}`, repeated(text, size), [[make(text), "new text\n"]]),
        ),
      ),
    ),
    one("200 rows crlf", rows.join("\r\n"), rowEdits),
    one("200 rows", rows.join("\n"), rowEdits),
    one("8 MB", repeated("some line of it\n", 8 * MEGABYTE), [["missing", "x"]]),
    one("all lines anew", words, [[words, repeated("wholly new text\n", 40_000)]]),
    one("legacy", Buffer.from(repeated("\u00e4hnlich w\u00fcrde gr\u00f6\u00dfer\n", MEGABYTE), "latin1"), [
      ["missing", "x"],
    ]),
    one("quick at its bounds", repeated("some line\n", 32_000), [["missing line of it", "x"]]),
  ];
}

function listings(): FreezeCase[] {
  const names = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), ""]));
  const rules = (rule: (index: number) => string) =>
    Array.from({ length: 4000 }, (_, index) => `${rule(index)}\n`).join("");
  const one = (name: string, files: FreezeCase["files"], params: FreezeCase["params"] = {}): FreezeCase => ({
    name: `list ${name}`,
    files,
    tool: "list_files",
    params,
  });
  const nested = (index: number) => `d${index % 50}/e${index % 7}/f${index}.ts`;
  return [
    one("4000 rules of others", { ".gitignore": rules((index) => `x*${index}y`), ...names(5000, nested) }),
    one("4000 rules that match", { ".gitignore": rules((index) => `f*${index}.ts`), ...names(5000, nested) }),
    one("4000 literal rules", { ".gitignore": rules((index) => `/d${index}/x/y${index}`), ...names(5000, nested) }),
    one(
      "one large directory",
      names(20_000, (index) => `f${index}.txt`),
      { limit: 10_000 },
    ),
    one("large by size", names(5000, nested), { sort: "size", limit: 10_000 }),
    one("glob", names(5000, nested), { pattern: "**/e*/*1*.{ts,js,md}" }),
    one(
      "limits of quick",
      names(1990, (index) => `f${index}.txt`),
    ),
    one(
      "many rule files",
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`d${index}/.gitignore`, "*.log\nout/\n"])),
    ),
  ];
}

function searches(): FreezeCase[] {
  const text = repeated("needle in the hay of many lines\n", 5 * MEGABYTE);
  const one = (name: string, files: FreezeCase["files"], params: FreezeCase["params"]): FreezeCase => ({
    name: `search ${name}`,
    files,
    tool: "search_files",
    params,
  });
  const many = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`d${index % 30}/f${index}`, "a needle\n"]),
  );
  return [
    one("many matches", { "a.txt": text }, { query: "needle", limit: 1000, context_lines: 20 }),
    one("count", { "a.txt": text }, { query: "e", mode: "count" }),
    one("multiline", { "a.txt": text }, { query: "lines\\nneedle", is_regex: true, multiline: true }),
    one("one line", { "a.txt": repeated("ab", 5 * MEGABYTE) }, { query: "(a|b)*c", is_regex: true }),
    one("many files", many, { query: "needle", mode: "files", limit: 1000 }),
    one("many files, odd rules", { ...many, ".gitignore": "[a]x y\n" }, { query: "needle", mode: "count" }),
  ];
}
