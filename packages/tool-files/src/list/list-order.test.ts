import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dataOf, makeWorktree, toolsIn } from "../../test/worktree.ts";

type Listed = { files: string[]; directories: string[]; total: number; truncated: boolean; cursor?: string };

test("list_files sorts by time and by size", async () => {
  const { root, at } = makeWorktree({ "a.txt": "1", "b.txt": "333", "sub/c.txt": "22", "sub/d.txt": "22" });
  for (const [index, path] of ["sub/d.txt", "a.txt", "sub/c.txt", "b.txt"].entries())
    fs.utimesSync(at(path), 0, 1_000_000 + index);
  const call = toolsIn(root);
  expect(String(await call("list_files", { sort: "modified" }))).toBe("b.txt\nsub/c.txt\na.txt\nsub/d.txt");
  expect(String(await call("list_files", { sort: "size" }))).toBe("b.txt\nsub/c.txt\nsub/d.txt\na.txt");
  expect(String(await call("list_files", { sort: "size", recursive: false }))).toBe("sub/\nb.txt\na.txt");
});

test("list_files leaves hidden names out on request, but not a directory that is named", async () => {
  const { root } = makeWorktree({ ".env": "", ".config/x": "", "a/.b": "", "a/c": "" });
  const call = toolsIn(root);
  const list = async (params: object) => dataOf<Listed>(await call("list_files", params)).files;
  expect(await list({})).toEqual([".config/x", ".env", "a/.b", "a/c"]);
  expect(await list({ include_hidden: false })).toEqual(["a/c"]);
  expect(await list({ include_hidden: false, path: ".config" })).toEqual([".config/x"]);
  expect(await list({ include_hidden: false, pattern: ".env" })).toEqual([]);
});

test("list_files goes on after a cursor, also when what it names is gone", async () => {
  const { root, at } = makeWorktree({ "a/x": "", "b/x": "", c: "", "d e": "", f: "" });
  const call = toolsIn(root);
  const cut = await call("list_files", { recursive: false, limit: 1 });
  expect(String(cut)).toBe(
    "a/\n[1 of 5 listed; go on with cursor -1:a/, narrow path or pattern, or raise limit (up to 10000)]",
  );
  const next = await call("list_files", { recursive: false, limit: 3, cursor: "-1:a/" });
  expect(String(next)).toContain("b/\nc\nd e\n[3 of 5 listed, 1 more after them; go on with cursor 0:d%20e,");
  fs.rmSync(at("d e"));
  expect(String(await call("list_files", { recursive: false, cursor: "0:d%20e" }))).toBe("f");
  expect(String(await call("list_files", { cursor: "0:f" }))).toBe("[nothing after the cursor]");
  expect(await call("list_files", { cursor: "f" })).toMatchObject({ success: false, code: "invalid_cursor" });
});

test("list_files gives each path once, page after page, in any order", async () => {
  const name = fc.constantFrom("a", "b", "B", "ä b", "%41", "c:d", "\n", "a.b");
  const tree = fc.dictionary(
    fc.array(name, { minLength: 1, maxLength: 2 }).map((names) => names.join("/")),
    fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })),
    { maxKeys: 8 },
  );
  const order = fc.constantFrom("path", "modified", "size");
  await fc.assert(
    fc.asyncProperty(
      tree,
      order,
      fc.boolean(),
      fc.integer({ min: 1, max: 3 }),
      async (files, sort, recursive, limit) => {
        const { root, at } = makeWorktree();
        for (const [path, [size, time]] of Object.entries(files)) {
          try {
            fs.mkdirSync(at(`${path}/..`), { recursive: true });
            fs.writeFileSync(at(path), "x".repeat(size));
            fs.utimesSync(at(path), 0, 1000.25 + time);
          } catch {
            // Something else is there.
          }
        }
        const call = toolsIn(root);
        const list = async (params: object) => dataOf<Listed>(await call("list_files", { sort, recursive, ...params }));
        const whole = await list({});
        const found: string[] = [];
        for (let cursor: string | undefined; ;) {
          const page = await list({ limit, ...(cursor !== undefined && { cursor }) });
          const goesOn = recursive && sort === "path" && cursor !== undefined;
          expect(page.total).toBe(goesOn ? undefined : whole.total);
          found.push(...page.directories, ...page.files);
          if (page.cursor === undefined) break;
          cursor = page.cursor;
        }
        expect(found).toEqual([...whole.directories, ...whole.files]);
        fs.rmSync(root, { recursive: true });
      },
    ),
    { numRuns: 40 },
  );
});
