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
  "<!-- rest of the page -->",
  "# Rest of file here",
  "// (unchanged code)",
  "(rest of methods ...)",
  "[... 40 lines omitted ...]",
  "// ... truncated ...",
  "/* implementation omitted for brevity */",
  "# other methods omitted for brevity.",
  "[snip]",
  "// Keep the remaining code the same",
  "# leave all other functions as they are unchanged",
])("write_file over a file and edit_file are refused for the omission %j", async (line) => {
  const { root, text } = makeWorktree({ "a.ts": "const a = 1;\nconst b = 2;\n" });
  const result = await toolsIn(root)("write_file", { path: "a.ts", content: `const a = 2;\n${line}\n` });
  expect(result).toMatchObject({ success: false, code: "omitted_text" });
  expect(String(result)).toContain("edit_file");
  expect(text("a.ts")).toBe("const a = 1;\nconst b = 2;\n");
  const edit = { old_text: "const b = 2;\n", new_text: `const b = 3;\n${line}\n` };
  const call = toolsIn(root, { tools: ["edit_file", "apply_patch"] });
  expect(await call("edit_file", { path: "a.ts", edits: [edit] })).toMatchObject({ code: "omitted_text" });
  const patch = `*** Begin Patch\n*** Update File: a.ts\n@@\n-const b = 2;\n+${line}\n*** End Patch`;
  expect(await call("apply_patch", { patch })).toMatchObject({ code: "omitted_text" });
  const old = await call("edit_file", { path: "a.ts", edits: [{ old_text: `const a = 1;\n${line}`, new_text: "" }] });
  expect(old).toMatchObject({
    code: "text_not_found",
    error: expect.stringContaining("stands for text that was left out"),
  });
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
  "// rest of the page is drawn by the browser",
  "# the rest of the arguments",
  "// fields omitted from the answer",
  "[truncated]: https://example.com",
  "* keep the same order as before sorting",
  "// keep existing keys",
  "// keep in mind that the other code is the same everywhere",
  "const cut = (text) => text;",
  "[cut, paste]",
  "(left out)",
  "  ...previous.contents.fields,",
  "[...existing.code]",
  "  ...skipped",
])("write_file and edit_file take the line %j", async (line) => {
  const { root, text } = makeWorktree({ "a.ts": "x\n" });
  const result = await toolsIn(root)("write_file", { path: "a.ts", content: `${line}\n` });
  expect(result.success, String(result)).toBe(true);
  expect(text("a.ts")).toBe(`${line}\n`);
  const edits = [{ old_text: line, new_text: `${line}\n${line}` }];
  expect((await toolsIn(root)("edit_file", { path: "a.ts", edits })).success).toBe(true);
});

test("a file that has the line itself may be written with it, and so may a new file", async () => {
  const line = "// ... existing code ...";
  const { root } = makeWorktree({ "prompt.md": `Never write\n  ${line}\n` });
  const call = toolsIn(root);
  expect((await call("write_file", { path: "prompt.md", content: `Do not write\n${line}\n` })).success).toBe(true);
  expect((await call("write_file", { path: "new.md", content: line })).success).toBe(true);
  const edits = [{ old_text: "Do not", new_text: `Never\n${line}\nDo not` }];
  expect((await call("edit_file", { path: "prompt.md", edits })).success).toBe(true);
});

const METHODS = Array.from({ length: 20 }, (_, at) => `  method${at}() {\n    return ${at};\n  }\n`);
const WHOLE = `class A {\n${METHODS.join("\n")}}\n`;

test.each([
  "  // ...",
  "  //...",
  "  # ...",
  "  /* ... */",
  "  <!-- ... -->",
  "  {/* ... */}",
  "  // \u2026",
  "\t-- .....",
])("write_file is refused for the comment %j where it stands for lines of the file", async (line) => {
  const { root, text } = makeWorktree({ "a.ts": WHOLE, "crlf.ts": WHOLE.replaceAll("\n", "\r\n") });
  const write = toolsIn(root);
  for (const content of [
    `class A {\n${METHODS[0]}\n${line}\n\n${METHODS[19]}}\n`,
    `class A {\n${METHODS[0]}\n${line}\n}\n`,
    `${line}\n${METHODS[19]}}\n`,
    `class A {\n${METHODS[0]}${line}\n`,
    `${line}\n${METHODS[9]}${line}\n`,
    line,
  ]) {
    for (const [path, sent] of [
      ["a.ts", content],
      ["crlf.ts", content.replaceAll("\n", "\r\n")],
    ] as const)
      expect(await write("write_file", { path, content: sent }), content).toMatchObject({ code: "omitted_text" });
  }
  expect(text("a.ts")).toBe(WHOLE);
});

test.each(["  // ...", "  # ...", "  /* ... */", "  <!-- ... -->", "  // \u2026"])(
  "edit_file and apply_patch are refused for the comment %j where it stands for lines of the file",
  async (line) => {
    const { root, text } = makeWorktree({ "a.ts": WHOLE, "crlf.ts": WHOLE.replaceAll("\n", "\r\n") });
    const call = toolsIn(root, { tools: ["edit_file", "apply_patch"] });
    const [block, last] = [METHODS.slice(2, 5).join("\n"), METHODS.slice(17).join("\n")];
    for (const path of ["a.ts", "crlf.ts"]) {
      for (const [old_text, new_text] of [
        [block, `${line}\n`],
        [block, `${METHODS[2]}${line}\n`],
        [
          block,
          `${METHODS[2]}
${METHODS[3]}`.replace("return 2;", "return 22;") + `${line}\n`,
        ],
        [`${last}}\n`, `${line}\n}\n`],
        [WHOLE, `class A {\n${METHODS[0]}${line}\n}\n`],
      ] as const) {
        const edits = [
          { old_text: "return 0;", new_text: "return 00;" },
          { old_text: old_text.replace("return 0;", "return 00;"), new_text },
        ];
        expect(await call("edit_file", { path, edits }), new_text).toMatchObject({ code: "omitted_text" });
        const lines = (mark: string, given: string) =>
          given.replaceAll(/^(?=[^]*\n)/gm, mark).replaceAll(/\n[-+]$/g, "\n");
        const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n${lines("-", old_text)}${lines("+", new_text)}*** End Patch`;
        expect(await call("apply_patch", { patch }), patch).toMatchObject({ code: "omitted_text" });
      }
    }
    expect(text("a.ts")).toBe(WHOLE);
    expect(text("crlf.ts")).toBe(WHOLE.replaceAll("\n", "\r\n"));
    // One that is meant: the lines are taken out first.
    for (const [old_text, new_text] of [
      [block, `  method2() {}\n`],
      ["  method2() {}\n", `  method2() {}\n${line}\n`],
    ] as const)
      expect(await call("edit_file", { path: "a.ts", edits: [{ old_text, new_text }] })).toMatchObject({
        success: true,
      });
  },
);

test("edit_file and apply_patch take a comment of dots where no lines of the file are lost beside it", async () => {
  const { root } = makeWorktree({ "a.ts": WHOLE, "b.ts": `${WHOLE}// ...\n` });
  const call = toolsIn(root, { tools: ["edit_file", "apply_patch"] });
  for (const [path, old_text, new_text] of [
    ["a.ts", "    return 3;\n", "    // ...\n"],
    ["a.ts", METHODS[4], `${METHODS[4]}  // ...\n`],
    ["b.ts", METHODS.slice(2, 5).join("\n"), "// ...\n"],
  ] as const)
    expect(await call("edit_file", { path, edits: [{ old_text, new_text }] }), new_text).toMatchObject({
      success: true,
    });
});

test("write_file takes a comment of dots where no lines of the file are lost beside it", async () => {
  const { root, text } = makeWorktree();
  const write = toolsIn(root);
  const shorter = `class A {\n${METHODS[0]}\n${METHODS[19]}}\n`;
  for (const [old, content] of [
    [undefined, `class A {\n  // ...\n}\n`],
    [WHOLE, `${WHOLE}\nconst example = {\n  // ...\n};\n`],
    [WHOLE, `const example = {\n  // ...\n};\n${shorter}`],
    [WHOLE.replace("return 3;", "// ..."), `class A {\n  // ...\n}\n`],
    ["const a = {\n  one: 1,\n};\n", "const a = {\n  // ...\n};\n"],
  ] as const) {
    if (old !== undefined) await write("write_file", { path: "a.ts", content: old });
    expect(await write("write_file", { path: "a.ts", content }), content).toMatchObject({ success: true });
    expect(text("a.ts")).toBe(content);
  }
});
