import { expect, test } from "vitest";
import { FOREIGN_CALLS, FOREIGN_FILES } from "./foreign-calls.ts";
import { makeWorktree, snapshot, toolsIn } from "./worktree.ts";

const tools = [
  "read_file",
  "write_file",
  "edit_file",
  "create_file",
  "list_files",
  "search_files",
  "delete_file",
  "move_file",
  "apply_patch",
] as const;

test.each(FOREIGN_CALLS.map((call) => [call.agent, call.name, JSON.stringify(call.params), call] as const))(
  "a call in the shape of %s does what is meant or is refused with advice: %s %s",
  async (_agent, name, _params, { params, meant, advice }) => {
    const { root, read } = makeWorktree(FOREIGN_FILES);
    const before = snapshot(root);
    const here = JSON.parse(JSON.stringify(params).replaceAll('"/work', `"${root}`)) as object;
    const result = await toolsIn(root, { tools })(name, here);
    expect(result.ignored, "nothing is dropped").toEqual([]);
    if (meant === undefined) {
      expect(result).toMatchObject({ success: false, code: "invalid_params" });
      expect(String(result)).toContain(advice);
      expect(snapshot(root)).toEqual(before);
      return;
    }
    expect(result.success, String(result)).toBe(true);
    const found = name === "edit_file" ? read("src/a.ts").toString() : String(result);
    if (typeof meant === "string") expect(found).toContain(meant);
    else expect(found).toMatch(meant);
  },
);

test.each([
  ["two paths", "read_file", { path: "src/a.ts", file_path: "src/b.ts" }],
  ["a text without the other", "edit_file", { path: "src/a.ts", old_string: "one" }],
  ["texts beside edits", "edit_file", { path: "src/a.ts", edits: [], old_string: "a", new_string: "b" }],
  ["a limit that is none", "read_file", { path: "src/a.ts", limit: 0 }],
  ["a range of three", "read_file", { path: "src/a.ts", view_range: [1, 2, 3] }],
  ["a range from 0", "read_file", { path: "src/a.ts", view_range: [0, 2] }],
  ["a limit beside an end", "read_file", { path: "src/a.ts", limit: 2, end_line: 3 }],
  ["two queries", "search_files", { query: "a", regex: "b" }],
  ["overwriting with create_file", "create_file", { path: "n", content: "", overwrite: true }],
  ["not overwriting with write_file", "write_file", { path: "n", content: "", overwrite: false }],
  ["a recursive deletion", "delete_file", { path: "src", recursive: true }],
  ["an overwriting move", "move_file", { path: "src/a.ts", new_path: "src/b.ts", overwrite: true }],
  [
    "a diff within a text",
    "edit_file",
    { path: "src/a.ts", diff: "<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE" },
  ],
] as const)("a call with %s has no single meaning and is refused", async (_what, name, params) => {
  const { root } = makeWorktree(FOREIGN_FILES);
  const before = snapshot(root);
  expect(await toolsIn(root, { tools })(name, params)).toMatchObject({ success: false, code: "invalid_params" });
  expect(snapshot(root)).toEqual(before);
});
