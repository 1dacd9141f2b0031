import fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { inTree } from "../../test/in-tree.ts";
import { treePath } from "../../test/tree-paths.ts";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { type FileSystem, MemoryFileSystem, mountFileSystems } from "../index.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { fromCursor, listPage, type PageCursor } from "./list-page.ts";

interface Page {
  readonly files: readonly string[];
  readonly total?: number;
  readonly truncated: boolean;
  readonly cursor?: string;
}
const EVERYTHING = {
  path: ".",
  pattern: undefined,
  recursive: true,
  includeIgnored: false,
  includeHidden: true,
  sort: "path",
  attempt: "",
} as const;
type Call = ReturnType<typeof toolsIn>;

const paths = fc.uniqueArray(treePath, { minLength: 1, maxLength: 24 });
const rules = fc.constantFrom("", "b\n", "*.log\n!a/z.log\n", "/a/\n", "a.b/**\n", "*\n!*/\n!a\n");
const pattern = fc.constantFrom(
  undefined,
  "*.log",
  "a*",
  "**/b/*",
  "{a,b}/**",
  "a/**/b",
  "[!a]*",
  "?",
  "a/b",
  "*/*",
  "c*d",
);
const call = fc.record({
  pattern,
  path: fc.constantFrom(".", "a", "a/b"),
  include_ignored: fc.boolean(),
  include_hidden: fc.boolean(),
});

/** Every third entry is a link: to a file, a directory or nothing. */
function make(at: string, index: number): void {
  if (index % 3 === 2) fs.symlinkSync("a", at);
  else fs.writeFileSync(at, "");
}

/** All pages of a listing, one after the other. `between` acts before each page but the first. */
async function pagesOf(list: Call, params: object, between: () => void = () => {}): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined; pages.length < 200;) {
    const result = await list("list_files", { ...params, ...(cursor !== undefined && { cursor }) });
    expect(result, String(result)).toMatchObject({ success: true });
    const page = dataOf<Page>(result);
    expect(page.truncated).toBe(page.cursor !== undefined);
    pages.push(page);
    ({ cursor } = page);
    if (cursor === undefined) break;
    between();
  }
  return pages;
}

function filesOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ files }) => files);
}

test("list_files gives page after page the files of one listing, in the same order", async () => {
  await fc.assert(
    fc.asyncProperty(
      paths,
      rules,
      rules,
      call,
      fc.integer({ min: 1, max: 5 }),
      async (given, top, deep, params, limit) =>
        inTree(
          given,
          top,
          async (sandbox) => {
            const root = sandbox.workingDirectory;
            if (sandbox.kindOf(params.path) !== "directory") return;
            if (sandbox.kindOf("a") === "directory" && !fs.lstatSync(join(root, "a")).isSymbolicLink())
              fs.writeFileSync(join(root, "a", ".gitignore"), deep);
            const list = toolsIn(fs.realpathSync(root));
            const whole = dataOf<Page>(await list("list_files", { ...params, limit: 1000 }));
            const pages = await pagesOf(list, { ...params, limit });
            expect(filesOf(pages)).toEqual(whole.files);
            expect(pages[0]).toMatchObject({ total: whole.files.length });
          },
          make,
        ),
    ),
  );
});

test("list_files misses and doubles no file that is there all the time, while others come and go", async () => {
  const change = fc.record({ path: treePath, gone: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      paths,
      rules,
      fc.array(change, { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      (given, top, changes, limit) =>
        inTree(given, top, async (sandbox) => {
          const root = fs.realpathSync(sandbox.workingDirectory);
          const list = toolsIn(root);
          const all = async () => dataOf<Page>(await list("list_files", { limit: 1000 })).files;
          const there = new Set(await all());
          const waiting = [...changes];
          const pages = await pagesOf(list, { limit }, () => {
            const next = waiting.shift();
            if (next === undefined) return;
            const at = join(root, next.path);
            try {
              if (next.gone) fs.rmSync(at, { recursive: true });
              else fs.writeFileSync(at, "");
            } catch {
              // It is not there, or cannot be.
            }
            for (const one of there) if (!fs.existsSync(join(root, one))) there.delete(one);
          });
          const listed = filesOf(pages);
          expect(listed).toEqual([...new Set(listed)].toSorted((one, other) => (one < other ? -1 : 1)));
          expect(listed.filter((one) => there.has(one))).toEqual([...there]);
        }),
    ),
  );
});

test("list_files takes any cursor for no more than a place in the order", async () => {
  const { root } = makeWorktree({ "a/1": "", "a/2": "", "b/3": "", c: "" });
  const list = toolsIn(root);
  const files = ["a/1", "a/2", "b/3", "c"];
  const hostile = fc.oneof(
    fc.constantFrom(
      "../../etc/passwd",
      "/etc/passwd",
      "a",
      "a/",
      "a/1/",
      "a//1",
      "a/./1",
      "a\0",
      "~",
      "\u{10ffff}",
      "a/\uffff",
    ),
    fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed()),
  );
  await fc.assert(
    fc.asyncProperty(
      hostile,
      fc.constantFrom("0", "-1", "7", "1e3", "-0", "99999999999999999999"),
      async (place, key) => {
        const result = await list("list_files", { cursor: `${key}:${encodeURIComponent(place)}` });
        if (key === "1e3") expect(result).toMatchObject({ success: false, code: "invalid_cursor" });
        else expect(dataOf<Page>(result).files).toEqual(key === "-1" ? files : files.filter((file) => file > place));
      },
    ),
  );
});

test("listPage() reads for a page the directories of its own files alone", async () => {
  const [directories, each, limit] = [60, 10, 50];
  const files = Array.from({ length: directories * each }, (_, at) => `d${at % 7}/p${Math.floor(at / each)}/f${at}`);
  const { root } = makeWorktree({ ".gitignore": "*.log\n", ...Object.fromEntries(files.map((file) => [file, ""])) });
  const sandbox = openSandbox(root);
  onTestFinished(() => sandbox.close());
  const read = vi.spyOn(fs, "readdirSync");
  onTestFinished(() => read.mockRestore());
  const counts: number[] = [];
  const listed: string[] = [];
  for (let place: PageCursor | undefined, more = true; more;) {
    read.mockClear();
    const page = listPage(sandbox, { ...EVERYTHING, limit, place }, { maxStats: 0 });
    listed.push(...page!.shown.map((entry) => entry.path));
    counts.push(read.mock.calls.length);
    more = page!.cursor !== undefined;
    place = more ? fromCursor(page!.cursor!, "") : undefined;
  }
  expect(listed).toEqual([".gitignore", ...files].toSorted());
  const [first = 0, ...later] = counts;
  expect(first).toBeGreaterThan(7 * directories);
  // Here a directory holds one or two files. Those above a page's files are read again.
  for (const count of later) expect(count).toBeLessThanOrEqual(limit + 4);
  expect(later.reduce((all, count) => all + count, 0)).toBeLessThan(first * 1.2);
});

/** A file system that counts the directories that are read. */
class Counted extends MemoryFileSystem {
  directories = 0;

  override readDirectory(directory: string) {
    this.directories += 1;
    return super.readDirectory(directory);
  }
}

const worlds: readonly (readonly [string, (memory: MemoryFileSystem) => FileSystem])[] = [
  ["memory", (memory) => memory],
  [
    "one root of several",
    (memory) => mountFileSystems({ a: { fileSystem: memory, readOnly: true }, b: { fileSystem: memory } }),
  ],
];

test.each(worlds)("list_files and search_files go on page after page in %s", async (_, worldOf) => {
  await fc.assert(
    fc.asyncProperty(paths, rules, call, fc.integer({ min: 1, max: 5 }), async (given, top, params, limit) => {
      const files = given.filter((one) => !given.some((other) => other.startsWith(`${one}/`)));
      // Longer rules than the copy of another file system applies.
      const long = given.length % 2 === 0 ? "" : "#".repeat(20_000);
      const contents = Object.fromEntries(files.map((file) => [file, "x\n"]));
      const memory = new MemoryFileSystem({ ".gitignore": `${top}\n${long}`, ...contents });
      const tool = toolsIn("/work", { fileSystem: worldOf(memory) });
      const whole = await tool("list_files", { ...params, limit: 1000 });
      if (!whole.success) return;
      expect(filesOf(await pagesOf(tool, { ...params, limit }))).toEqual(dataOf<Page>(whole).files);
      const found: string[] = [];
      for (let cursor: string | undefined, more = true; more;) {
        const asked = { ...params, query: "x", limit, ...(cursor !== undefined && { cursor }) };
        const page = dataOf<{ matches: { path: string }[]; cursor?: string }>(await tool("search_files", asked));
        found.push(...page.matches.map((match) => match.path));
        ({ cursor } = page);
        more = cursor !== undefined;
      }
      expect(found).toEqual(dataOf<Page>(whole).files.filter((file) => !file.endsWith(".gitignore")));
    }),
  );
});

test("list_files reads for a page of another file system the directories of its own files alone", async () => {
  const files = Array.from({ length: 600 }, (_, at) => `d${at % 6}/p${Math.floor(at / 10)}/f${at}`);
  const memory = new Counted(Object.fromEntries(files.map((file) => [file, ""])));
  const counts: number[] = [];
  const list = toolsIn("/work", { fileSystem: memory });
  const pages = await pagesOf(list, { limit: 50 }, () => {
    counts.push(memory.directories);
    memory.directories = 0;
  });
  expect(filesOf(pages)).toEqual(files.toSorted());
  const [first = 0, ...later] = counts;
  expect(first).toBeGreaterThan(360);
  for (const count of later) expect(count).toBeLessThanOrEqual(54);
});

test("search_files reads for a page no directory before it, and few after it", async () => {
  const files = Array.from({ length: 900 }, (_, at) => `p${String(at).padStart(3, "0")}/f`);
  const { root } = makeWorktree(Object.fromEntries(files.map((file) => [file, "x\n"])));
  const tool = toolsIn(root, { ripgrep: false });
  const read = vi.spyOn(fs, "readdirSync");
  onTestFinished(() => read.mockRestore());
  const found: string[] = [];
  for (let cursor: string | undefined, more = true; more;) {
    read.mockClear();
    const asked = { query: "x", limit: 20, ...(cursor !== undefined && { cursor }) };
    const page = dataOf<{ matches: { path: string }[]; cursor?: string }>(await tool("search_files", asked));
    found.push(...page.matches.map((match) => match.path));
    // It looks at 64 files at first.
    expect(read.mock.calls.length).toBeLessThanOrEqual(66);
    ({ cursor } = page);
    more = cursor !== undefined;
  }
  expect(found).toEqual(files);
});
