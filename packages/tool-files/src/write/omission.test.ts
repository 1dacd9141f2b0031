import { expect, test } from "vitest";
import { makeWorktree, toolsIn } from "../../test/worktree.ts";

test.each([
  "// ... existing code ...",
  "// ...existing code...",
  "  // ... rest of the code remains unchanged ...",
  "# ... rest of the file ...",
  "# ... existing imports",
  "/* ... existing code ... */",
  "<!-- ... rest of content ... -->",
  "{/* ... existing code ... */}",
  "// \u2026 other methods \u2026",
  "// ... (rest of the file unchanged)",
  "... rest of the function ...",
  "// rest of the code remains the same",
  "// (existing code unchanged)",
  "-- ... remaining lines ...",
])("write_file over a file is refused for the omission %j", async (line) => {
  const { root, text } = makeWorktree({ "a.ts": "const a = 1;\nconst b = 2;\n" });
  const result = await toolsIn(root)("write_file", { path: "a.ts", content: `const a = 2;\n${line}\n` });
  expect(result).toMatchObject({ success: false, code: "omitted_text" });
  expect(String(result)).toContain("edit_file");
  expect(text("a.ts")).toBe("const a = 1;\nconst b = 2;\n");
});

test.each([
  "...",
  "def f(): ...",
  "const all = [...existing, other];",
  "// the rest of the code is generated",
  "# existing code paths are tested below",
  "f(...rest);",
  "See the remaining sections...",
  "console.log('... loading the rest of the file ...');",
  "// unchanged",
])("write_file takes the line %j", async (line) => {
  const { root, text } = makeWorktree({ "a.ts": "x\n" });
  const result = await toolsIn(root)("write_file", { path: "a.ts", content: `${line}\n` });
  expect(result.success, String(result)).toBe(true);
  expect(text("a.ts")).toBe(`${line}\n`);
});

test("a file that has the line itself may be written with it, and so may a new file", async () => {
  const line = "// ... existing code ...";
  const { root } = makeWorktree({ "prompt.md": `Never write\n  ${line}\n` });
  const call = toolsIn(root);
  expect((await call("write_file", { path: "prompt.md", content: `Do not write\n${line}\n` })).success).toBe(true);
  expect((await call("write_file", { path: "new.md", content: line })).success).toBe(true);
});
