import fs from "node:fs";
import { expect, test } from "vitest";
import { MemoryFileSystem, mountFileSystems, openFileSystem } from "../src/index.ts";
import { stillClock } from "./still-clock.ts";
import { makeWorktree, toolsIn } from "./worktree.ts";

stillClock();

const files = {
  "src/Readme.md": "x",
  "src/caf\u00e9.txt": "x",
  "docs/it\u2019s here.txt": "x",
  "src/nai\u0308ve.txt": "x",
  "docs/deep/only-once.ts": "x",
  "Screenshot 1.23\u202fPM.txt": "x",
  "node_modules/p/absent.ts": "x",
};
const tools = ["read_file", "edit_file", "list_files", "search_files", "delete_file", "move_file"] as const;

test.each([
  ["another case", "src/README.md", '"src/Readme.md"'],
  ["a directory in another case", "SRC/Readme.md", '"src/Readme.md"'],
  ["decomposed characters", "src/cafe\u0301.txt", '"src/caf\u00e9.txt"'],
  ["plain quotes", "docs/it's here.txt", String.raw`"docs/it\u2019s here.txt"`],
  ["a plain space", "Screenshot 1.23 PM.txt", String.raw`"Screenshot 1.23\u202fPM.txt"`],
  ["composed characters", "src/nai\u0308ve.txt".normalize("NFC"), String.raw`"src/nai\u0308ve.txt"`],
  ["another directory", "src/only-once.ts", '"docs/deep/only-once.ts"'],
  ["a directory that is not there", "lib/x/only-once.ts", '"docs/deep/only-once.ts"'],
])("a path that is not there names the one with %s", async (_what, path, suggested) => {
  for (const call of [
    toolsIn(makeWorktree(files).root, { tools }),
    toolsIn("/work", { tools, fileSystem: new MemoryFileSystem(files) }),
  ]) {
    for (const [name, params] of [
      ["read_file", {}],
      ["edit_file", { edits: [{ old_text: "x", new_text: "y" }] }],
      ["delete_file", {}],
      ["move_file", { new_path: "z" }],
      ["search_files", { query: "x" }],
      ["list_files", {}],
    ] as const) {
      const result = await call(name, { path, ...params });
      expect(result, name).toMatchObject({ success: false, code: "file_not_found" });
      expect(String(result), name).toContain(`did you mean ${suggested}`);
    }
  }
});

test("nothing outside, in .git or in installed packages is suggested", async () => {
  const { root } = makeWorktree({ ...files, ".git/hidden.ts": "x" });
  const call = toolsIn(root);
  for (const path of ["secret.txt", "absent.ts", "hidden.ts", "../root-evil/Secret.txt"])
    expect(String(await call("read_file", { path })), path).not.toContain("did you mean");
});

test("what cannot be used is not suggested: the path itself, a name that is not UTF-8", async () => {
  const { root, at, outside } = makeWorktree({ "a.txt": "x" });
  fs.symlinkSync(outside, at("away"));
  fs.writeFileSync(Buffer.concat([Buffer.from(at("bad")), Buffer.from([0xff])]), "x");
  const call = toolsIn("/work", { tools, fileSystem: mountFileSystems({ ".": { fileSystem: openFileSystem(root) } }) });
  expect(String(await call("read_file", { path: "away/x.txt" }))).not.toContain("did you mean");
  for (const path of ["bad\ufffd", "BAD\ufffd"])
    expect(String(await toolsIn(root)("read_file", { path })), path).not.toContain("did you mean");
});

test("a name is found among thousands", async () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`many/file-${index}.txt`, ""]));
  const { root } = makeWorktree(many);
  expect(String(await toolsIn(root)("read_file", { path: "many/FILE-2999.txt" }))).toContain('"many/file-2999.txt"');
});
