import fs from "node:fs";
import { expect, test } from "vitest";
import { MemoryFileSystem } from "../src/index.ts";
import { dataOf, makeWorktree, toolsIn } from "./worktree.ts";

const MEBIBYTE = 1024 * 1024;
const LONG = 8 * MEBIBYTE;

test("a call writes 8 MiB and no more, counted in bytes, in a new file and in place of one", async () => {
  const { root, at } = makeWorktree({ "old.txt": "as it was\n" });
  const call = toolsIn(root, { tools: ["write_file", "create_file", "read_file"] });
  for (const content of ["x".repeat(LONG + 1), `${"é".repeat(LONG / 2)}x`]) {
    for (const [tool, path] of [
      ["write_file", "old.txt"],
      ["write_file", "new.txt"],
      ["create_file", "new.txt"],
    ] as const) {
      const refused = await call(tool, { path, content });
      expect(refused, tool).toMatchObject({
        success: false,
        code: expect.stringMatching(/^file_too_large$|^invalid_params$/),
      });
      expect(String(refused), tool).toMatch(/8388609|8388608/);
      expect(String(refused).length).toBeLessThan(1000);
    }
  }
  expect(fs.readdirSync(root)).toEqual(["old.txt"]);
  expect(fs.readFileSync(at("old.txt"), "utf8")).toBe("as it was\n");
  const written = await call("write_file", { path: "new.txt", content: "é".repeat(LONG / 2) });
  expect(dataOf(written)).toMatchObject({ bytes: LONG, version: expect.any(String) });
});

test("a text that is too long in bytes alone is refused with what to do", async () => {
  const { root } = makeWorktree();
  const call = toolsIn(root, { tools: ["create_file"] });
  expect(String(await call("create_file", { path: "new.txt", content: `${"é".repeat(LONG / 2)}x` }))).toBe(
    'Cannot create "new.txt": the text is at least 8388609 bytes long, allowed are 8388608; write it as several files',
  );
});

test("a parameter of more than 8 Mi characters is refused by every tool, in few words", async () => {
  const { root } = makeWorktree({ "a.txt": "x\n" });
  const tools = [
    "read_file",
    "write_file",
    "edit_file",
    "create_file",
    "list_files",
    "search_files",
    "read_notebook",
    "read_files",
    "delete_file",
    "move_file",
    "apply_patch",
  ] as const;
  const call = toolsIn(root, { tools });
  const long = "a".repeat(LONG + 1);
  for (const tool of tools) {
    for (const name of [
      "path",
      "query",
      "pattern",
      "cursor",
      "encoding",
      "if_version",
      "pages",
      "content",
      "patch",
      "diff",
      "input",
      "why",
    ]) {
      const own = {
        path: "a.txt",
        new_path: "b.txt",
        query: "x",
        content: "x",
        edits: [{ old_text: "x", new_text: "y" }],
      };
      const refused = await call(tool, { ...own, [name]: long });
      expect(refused, `${tool} ${name}`).toMatchObject({ success: false });
      expect(String(refused).length).toBeLessThan(1000);
    }
  }
});

test("a call with thousands of fields, or with a name of thousands of letters, is refused", async () => {
  const { root } = makeWorktree({ "a.txt": "x\n" });
  const call = toolsIn(root);
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, ""]));
  expect(String(await call("read_file", { path: "a.txt", ...many }))).toContain(
    "found 10001 parameters: allowed are path",
  );
  const refused = await call("read_file", { path: "a.txt", [`rea${"_".repeat(10_000)}son`]: "" });
  expect(refused).toMatchObject({ success: false });
  expect(String(refused).length).toBeLessThan(1000);
  expect(String(await call("read_file", { path: "a.txt", reason: "to know" }))).toContain("x");
});

test("edit_file takes 2 Mi characters of texts, in whatever shape they come", async () => {
  const { root, text } = makeWorktree({ "a.txt": "x\n" });
  const call = toolsIn(root);
  const long = "y".repeat(2 * MEBIBYTE);
  for (const params of [
    { edits: [{ old_text: "x", new_text: long }] },
    { edits: [{ old_text: long, new_text: "x" }] },
    { edits: Array.from({ length: 200 }, () => ({ old_text: "x", new_text: "y".repeat(12_000) })) },
    { edits: JSON.stringify([{ old_text: "x", new_text: long }]) },
    { old_string: "x", new_string: long },
    { diff: `<<<<<<< SEARCH\nx\n=======\n${long}\n>>>>>>> REPLACE\n` },
  ]) {
    const refused = await call("edit_file", { path: "a.txt", ...params });
    expect(refused, Object.keys(params).join()).toMatchObject({ success: false });
    expect(String(refused)).toMatch(/characters long, allowed are 2097152; send fewer edits a call/);
  }
  expect(text("a.txt")).toBe("x\n");
  expect(await call("edit_file", { path: "a.txt", edits: [{ old_text: "x", new_text: long.slice(1) }] })).toMatchObject(
    {
      success: true,
    },
  );
});

test("edit_file refuses a list of a million edits for their number", async () => {
  const { root } = makeWorktree({ "a.txt": "x\n" });
  const edits = Array.from({ length: 1_000_000 }, () => ({ old_str: "a", new_str: "b" }));
  expect(String(await toolsIn(root)("edit_file", { path: "a.txt", edits }))).toContain("1 to 200 items");
});

test("write_file lets other work go on while it looks through a long text, and refuses a placeholder at its end", async () => {
  const { root, text } = makeWorktree({ "a.txt": "x\n" });
  const content = `${"...\n".repeat(2_000_000)}// ... existing code ...\n`;
  let [turns, running] = [0, true];
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const refused = await toolsIn(root)("write_file", { path: "a.txt", content });
  running = false;
  expect(refused).toMatchObject({ success: false, code: "omitted_text" });
  expect(turns).toBeGreaterThan(2);
  expect(text("a.txt")).toBe("x\n");
});

test("the limits hold in another file system, too", async () => {
  const fileSystem = new MemoryFileSystem({ "a.txt": "x\n" });
  const call = toolsIn("/w", { fileSystem });
  expect(await call("write_file", { path: "a.txt", content: "x".repeat(LONG + 1) })).toMatchObject({ success: false });
  expect(Buffer.from(fileSystem.readFile("a.txt").bytes).toString()).toBe("x\n");
});
