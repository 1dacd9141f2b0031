import fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";
import { MemoryFileSystem } from "../index.ts";

const ODD = ["a\nb", "-rf", " a", "a ", "a\\b", "*", "[a]", "{a,b}", "%2F", "1:a", "\u{1F600}", "\uFFFD", "\uE000"];
const MORE = ["a.", "a-", "a", "A", "\u00E9", "e\u0301", "\u202Ex", '"q"', "a\tb", "\r", "!a", "#a", "?"];
const name = fc.oneof(
  fc.constantFrom(...ODD, ...MORE),
  fc.string({ unit: "binary", minLength: 1, maxLength: 4 }).filter((one) => !/[/\0]|^\.{1,2}$|^\.git/i.test(one)),
);
const paths = fc
  .uniqueArray(
    fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/")),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => all.filter((one) => one.isWellFormed() && !all.some((other) => other.startsWith(`${one}/`))));
type Call = ReturnType<typeof toolsIn>;
interface Page {
  readonly files: readonly string[];
  readonly cursor?: string;
}

async function pagesOf(list: Call, limit: number): Promise<readonly string[]> {
  const files: string[] = [];
  let cursor: string | undefined;
  do {
    const result = await list("list_files", { limit, ...(cursor !== undefined && { cursor }) });
    const page = dataOf<Page>(result);
    // A line for each file, then notes.
    const lines = String(result).split("\n");
    expect(lines.slice(page.files.length).every((line) => /^\[.*\]$/.test(line))).toBe(true);
    expect(page.cursor ?? "").not.toMatch(/[\s"'\p{Cc}]/u);
    files.push(...page.files);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return files;
}

test("list_files gives page after page files of any name, and no name that is not UTF-8", async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.integer({ min: 1, max: 4 }), async (given, limit) => {
      const { root } = makeWorktree();
      for (const one of given) {
        fs.mkdirSync(join(root, one, ".."), { recursive: true });
        fs.writeFileSync(`${root}/${one}`, "");
      }
      fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff])]), "");
      const found = await pagesOf(toolsIn(root), limit);
      expect(found.toSorted()).toEqual(given.toSorted());
      const fileSystem = new MemoryFileSystem(Object.fromEntries(given.map((one) => [one, ""])));
      expect(await pagesOf(toolsIn("/work", { fileSystem }), limit)).toEqual(found);
    }),
  );
});

test("list_files lists with any cursor nothing that it does not list without one", async () => {
  const { root } = makeWorktree({ "a.txt": "", "b/c.txt": "", "b/d.txt": "", "z.txt": "" });
  fs.symlinkSync("/etc", join(root, "l"));
  const list = toolsIn(root);
  const cursor = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom("0", "-1", "0.5", "9".repeat(400)), fc.oneof(fc.string(), fc.webPath()))
      .map((two) => two.join(":")),
    fc.constantFrom(
      "0:../../etc/passwd",
      "0:/etc",
      "0:l/passwd",
      "-1:l",
      "0:.git/config",
      "0:b//c.txt",
      "0:%00",
      "0:.",
    ),
  );
  const call = fc.constantFrom({}, { sort: "size" }, { recursive: false }, { path: "b" }, { pattern: "*.txt" });
  await fc.assert(
    fc.asyncProperty(cursor, call, async (given, params) => {
      const all = dataOf<Page>(await list("list_files", params)).files;
      const result = await list("list_files", { ...params, cursor: given });
      if (!result.success) expect(result).toMatchObject({ code: "invalid_cursor" });
      else expect(all).toEqual(expect.arrayContaining([...dataOf<Page>(result).files]));
    }),
  );
});
