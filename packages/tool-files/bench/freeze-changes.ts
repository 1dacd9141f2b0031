import { MemoryFileSystem } from "@dispatch/tool-files";
import type { FreezeCase } from "./freeze-cases.ts";

const MEGABYTE = 1_000_000;
const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** Patches that are as costly as their limits allow, and calls that work on a copy of another file system. */
export function freezeChanges(): readonly FreezeCase[] {
  return [...patches(), ...copies(), ...names()];
}

function patches(): FreezeCase[] {
  const one = (name: string, files: Readonly<Record<string, string>>, ...lines: readonly string[]): FreezeCase => ({
    name: `patch ${name}`,
    files,
    tool: "apply_patch",
    params: { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") },
  });
  const update = (path: string, ...lines: readonly string[]) => [`*** Update File: ${path}`, ...lines];
  const rows = Array.from({ length: 30_000 }, (_, row) => `row ${row} of them`);
  const hunks = rows.filter((_, row) => row % 150 === 0).flatMap((row) => ["@@", `-${row}`, `+${row} anew`]);
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`d${index}/a.txt`, `first\n${repeated("line\n", 3000)}`]),
  );
  return [
    one(
      "stale lines of equal ones",
      { "a.txt": repeated("x\n", MEGABYTE) },
      ...update("a.txt", "@@", ...Array<string>(20_000).fill("-x"), "+z"),
    ),
    one("200 pieces", { "a.txt": rows.join("\n") }, ...update("a.txt", ...hunks)),
    one(
      "a header of spaces",
      { "a.txt": repeated("x\n", 30_000) },
      ...update("a.txt", `@@ ${" ".repeat(900_000)}y`, "-x", "+z"),
    ),
    one(
      "many headers",
      { "a.txt": rows.join("\n") },
      ...update("a.txt", ...rows.slice(-300).map((row) => `@@ ${row}`), `-${rows.at(-1)}`, "+end"),
    ),
    one(
      "100 files added",
      {},
      ...Array.from({ length: 100 }, (_, index) => [`*** Add File: n${index}/a.txt`, "+text"]).flat(),
    ),
    one("100 files changed", many, ...Object.keys(many).flatMap((path) => update(path, "@@", "-first", "+other"))),
    one("100 files deleted", many, ...Object.keys(many).map((path) => `*** Delete File: ${path}`)),
    one("8 MB", { "a.txt": repeated("some line of it\n", 8 * MEGABYTE) }, ...update("a.txt", "@@", "-missing", "+x")),
    one("1 MB of text", {}, "*** Add File: a.txt", ...Array<string>(40_000).fill("+a line of the new file")),
  ];
}

function copies(): FreezeCase[] {
  const tree = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`d${index % 60}/f${index}.txt`, `line ${index}\nneedle\n`]),
  );
  const large = { "a.txt": repeated("some line of it\n", 8 * MEGABYTE) };
  const one = (tool: string, files: Readonly<Record<string, string>>, params: object): FreezeCase => ({
    name: `copied ${tool} of ${Object.keys(files).length}`,
    files: {},
    fileSystem: () => new MemoryFileSystem(files),
    tool,
    params: params as Readonly<Record<string, unknown>>,
  });
  return [
    one("list_files", tree, { limit: 10_000 }),
    one("search_files", tree, { query: "needle", mode: "files", limit: 1000 }),
    one("search_files", large, { query: "none" }),
    one("read_file", large, { path: "a.txt", start_line: 400_000 }),
    one("edit_file", large, { path: "a.txt", edits: [{ old_text: "missing", new_text: "x" }] }),
    one("write_file", large, { path: "b.txt", content: repeated("text of it\n", 4 * MEGABYTE) }),
    one("move_file", tree, { path: "d1", new_path: "e1" }),
    one(
      "list_files",
      { ...tree, ".gitignore": Array.from({ length: 4000 }, (_, index) => `f*${index}.txt`).join("\n") },
      { limit: 10 },
    ),
  ];
}

/** Calls about a name in a large directory, or about all that is in one, and texts that are looked through first. */
function names(): FreezeCase[] {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`d/file-number-${index}.txt`, ""]));
  const omitted = Array.from({ length: 40_000 }, (_, index) => `// ... existing code ${index} ...`).join("\n");
  const text = repeated("some line of it\n", 8 * MEGABYTE);
  const one = (name: string, files: Readonly<Record<string, string>>, tool: string, params: object): FreezeCase => ({
    name,
    files,
    tool,
    params: params as Readonly<Record<string, unknown>>,
  });
  return [
    one("missing among many", many(30_000), "read_file", { path: "d/file.txt" }),
    one("move directory of many", many(10_000), "move_file", { path: "d", new_path: "e" }),
    one("move directory of too many", many(30_000), "move_file", { path: "d", new_path: "e" }),
    one("list many in one", many(30_000), "list_files", { limit: 10 }),
    one("search many in one", many(30_000), "search_files", { query: "none" }),
    one("write deep down", {}, "write_file", { path: `${"d/".repeat(64)}a.txt`, content: "x" }),
    one("write omissions", { "a.txt": text }, "write_file", { path: "a.txt", content: omitted }),
    one("write 64 MB", {}, "write_file", { path: "a.txt", content: repeated("text of it\n", 64 * MEGABYTE) }),
    one("write 8 MB of dots", {}, "write_file", { path: "a.txt", content: repeated("...\n", 8 * MEGABYTE) }),
    one("edit blocks of short lines", { "a.txt": "x\n" }, "edit_file", {
      path: "a.txt",
      diff: `<<<<<<< SEARCH\n${repeated("x\n", MEGABYTE)}=======\ny\n>>>>>>> REPLACE\n`,
    }),
    one("encoding of 64 MB", { "a.txt": "x\n" }, "read_file", {
      path: "a.txt",
      encoding: repeated("x", 64 * MEGABYTE),
    }),
    one("10,000 parameters", { "a.txt": "x\n" }, "read_file", {
      path: "a.txt",
      ...Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, ""])),
    }),
    one("edit separators", { "a.txt": "x\n" }, "edit_file", {
      path: "a.txt",
      diff: `<<<<<<< SEARCH\n${"===\n".repeat(200_000)}`,
    }),
  ];
}
