import { expect, test } from "vitest";
import { makeWorktree, toolsIn } from "../../test/worktree.ts";

test.each([
  [{ query: "ab.*cd" }, "set is_regex"],
  [{ query: "\\bword\\b" }, "set is_regex"],
  [{ query: "one|two" }, "set is_regex"],
  [{ query: "^import" }, "set is_regex"],
  [{ query: "\\*\\*name" }, "set is_regex"],
  [{ query: "\\$5\\+" }, "set is_regex"],
  [{ query: "\\*\\*name", is_regex: true }, "leave out is_regex"],
  [{ query: "C:\\\\temp\\.txt", is_regex: true }, "leave out is_regex"],
  [{ query: "x", pattern: "*.js,*.jsx" }, "holds a comma"],
  [{ query: "x", pattern: "*.@(js|jsx)" }, "holds @(…)"],
  [{ query: "x", pattern: "*.js|*.jsx" }, "holds |"],
])("search_files that finds nothing hints at %j: %s", async (params, hint) => {
  const { root } = makeWorktree({ "a.ts": "nothing\n" });
  const call = toolsIn(root);
  expect(String(await call("search_files", params))).toContain(hint);
  if ("pattern" in params) expect(String(await call("list_files", { pattern: params.pattern }))).toContain(hint);
});

test.each([
  { query: "absent" },
  { query: "f(x);" },
  { query: "a, b" },
  { query: "costs $5." },
  { query: "ab.*cd", is_regex: true },
  { query: "\\bword\\d+", is_regex: true },
  { query: "x", pattern: "*.{js,jsx}" },
])("search_files that finds nothing hints at nothing for %j", async (params) => {
  const { root } = makeWorktree({ "a.ts": "nothing\n", "a.js": "y" });
  const text = String(await toolsIn(root)("search_files", params));
  expect(text).toMatch(/^\[no matches/);
  expect(text).not.toMatch(/is_regex|holds/);
});

test.each([{}, { ripgrep: false as const }])(
  "search_files says how to search for a query that is no regular expression %j",
  async (options) => {
    const { root } = makeWorktree({ "a.ts": "x **name y\n" });
    const call = toolsIn(root, options);
    for (const query of ["**name", "f(x", "[a", "a{2,1}"]) {
      const result = await call("search_files", { query, is_regex: true });
      expect([query, result]).toMatchObject([query, { success: false, code: "invalid_regex" }]);
      expect(String(result)).toContain("leave out is_regex");
    }
  },
);
