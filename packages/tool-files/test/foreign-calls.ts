/** A call in the form of another agent's tools, as a model trained on them makes it, and the required result. */
export interface Foreign {
  readonly agent: string;
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Text that the answer, or the file afterwards, has to hold. `undefined`: the call is refused. */
  readonly meant?: string | RegExp;
  /** Text that the refusal has to hold: the call to send instead. */
  readonly advice?: string;
}

/** The files that the calls are made among. */
export const FOREIGN_FILES: Readonly<Record<string, string>> = {
  "src/a.ts": "zero\none\ntwo\nthree\nfour\n",
  "src/b.ts": "Needle one\nneedle two\n",
  "docs/c.md": "needle three\n",
};

const edited = (now: string) => `zero\n${now}\ntwo\nthree\nfour\n`;

function calls(agent: string, ...some: readonly Omit<Foreign, "agent">[]): readonly Foreign[] {
  return some.map((call) => ({ agent, ...call }));
}

/** Calls in the shapes of known agents. Absolute paths begin with `/work`. */
export const FOREIGN_CALLS: readonly Foreign[] = [
  ...calls(
    "Claude Code",
    { name: "read_file", params: { file_path: "src/a.ts" }, meant: /^0\tzero\n1\tone/ },
    { name: "read_file", params: { file_path: "src/a.ts", limit: 2 }, meant: /^0\tzero\n1\tone\n\[/ },
    { name: "read_file", params: { file_path: "src/a.ts", offset: 3, limit: 2 }, advice: "start_line" },
    { name: "read_file", params: { file_path: "src/a.ts", offset: 0, limit: 1 }, meant: /^0\tzero\n\[/ },
    { name: "write_file", params: { file_path: "n.txt", content: "new" }, meant: "Created n.txt" },
    {
      name: "edit_file",
      params: { file_path: "src/a.ts", old_string: "one", new_string: "1", replace_all: false },
      meant: edited("1"),
    },
    {
      name: "edit_file",
      params: { file_path: "src/a.ts", edits: [{ old_string: "one", new_string: "1" }] },
      meant: edited("1"),
    },
    { name: "list_files", params: { pattern: "**/*.ts", path: "src" }, meant: "src/a.ts\nsrc/b.ts" },
    { name: "search_files", params: { pattern: "needle t\\w+", glob: "*.md" }, meant: "docs/c.md:0: needle three" },
    {
      name: "search_files",
      params: { pattern: "needle", output_mode: "files_with_matches", "-i": true, head_limit: 5, "-n": true },
      meant: "docs/c.md\nsrc/b.ts",
    },
    { name: "search_files", params: { pattern: "needle", output_mode: "count" }, meant: "src/b.ts: 1" },
    { name: "search_files", params: { pattern: "two", path: "src/a.ts", "-A": 1, "-B": 1 }, meant: "src/a.ts:1- one" },
    { name: "search_files", params: { pattern: "two", type: "ts" }, advice: '"pattern"' },
    { name: "search_files", params: { pattern: "two", "-o": true }, advice: "no such parameter" },
    { name: "search_files", params: { pattern: "two", "-o": false, type: null }, meant: "src/a.ts:2: two" },
    { name: "search_files", params: { query: "two", paths: ["src", "docs"] }, advice: '"path"' },
    { name: "search_files", params: { query: "two", paths: ["src"] }, meant: "src/a.ts:2: two" },
    { name: "search_files", params: { query: "two", whole_word: true }, advice: "is_regex" },
    { name: "search_files", params: { query: "two", file_types: ["ts"] }, advice: '"pattern"' },
    { name: "read_file", params: { file_path: "src/a.ts", start: 1, end: 2 }, advice: "start_line" },
    { name: "read_file", params: { file_path: "src/a.ts", show_line_numbers: false }, advice: "numbered" },
    { name: "write_file", params: { file_path: "n.txt", content: "x", backup: true }, advice: "no such parameter" },
    {
      name: "edit_file",
      params: { path: "src/a.ts", edits: [{ old_text: "one", new_text: "1", occurrence: 2 }] },
      advice: "no such parameter",
    },
    { name: "list_files", params: { path: ".", ignore: ["docs"] }, advice: "narrow" },
  ),
  ...calls(
    "Codex",
    { name: "read_file", params: { file_path: "/work/src/a.ts", offset: 2, limit: 1 }, advice: "start_line" },
    { name: "read_file", params: { file_path: "/work/src/a.ts", mode: "slice" }, meant: "0\tzero" },
    { name: "read_file", params: { file_path: "/work/src/a.ts", mode: "indentation" }, advice: "start_line" },
    { name: "list_files", params: { dir_path: "/work/src", depth: 1 }, meant: "src/a.ts" },
    { name: "list_files", params: { dir_path: "/work", depth: 3 }, advice: "recursive" },
    { name: "search_files", params: { pattern: "needle", include: "*.md", limit: 3 }, meant: "docs/c.md:0" },
    { name: "edit_file", params: { input: "*** Begin Patch\n*** End Patch" }, advice: "edits" },
    {
      name: "apply_patch",
      params: { command: ["apply_patch", "*** Begin Patch\n*** Delete File: docs/c.md\n*** End Patch"] },
      meant: "D docs/c.md",
    },
    { name: "apply_patch", params: { command: ["bash", "-lc", "ls"] }, advice: '"patch"' },
    { name: "apply_patch", params: { input: "*** Begin Patch\n*** End Patch", workdir: "src" }, advice: "worktree" },
  ),
  ...calls(
    "Cursor",
    {
      name: "read_file",
      params: { target_file: "src/a.ts", should_read_entire_file: true, explanation: "look" },
      meant: "4\tfour",
    },
    {
      name: "read_file",
      params: { target_file: "src/a.ts", start_line_one_indexed: 2, end_line_one_indexed_inclusive: 3 },
      meant: /^1\tone\n2\ttwo\n\[/,
    },
    {
      name: "edit_file",
      params: { target_file: "src/a.ts", instructions: "x", code_edit: "// ... existing code ..." },
      advice: "edits",
    },
    { name: "list_files", params: { relative_workspace_path: "docs", explanation: "look" }, meant: "docs/c.md" },
    {
      name: "search_files",
      params: { query: "needle", include_pattern: "*.md", case_sensitive: false, explanation: "x" },
      meant: "docs/c.md:0",
    },
    { name: "search_files", params: { query: "needle", exclude_pattern: "*.md" }, advice: "narrow" },
    { name: "delete_file", params: { target_file: "docs/c.md", explanation: "old" }, meant: "Deleted docs/c.md" },
    { name: "list_files", params: { query: "a.ts", explanation: "find" }, advice: '"pattern"' },
  ),
  ...calls(
    "Gemini CLI",
    { name: "read_file", params: { absolute_path: "/work/src/a.ts", limit: 1 }, meant: /^0\tzero\n\[/ },
    { name: "write_file", params: { file_path: "/work/n.txt", content: "x" }, meant: "Created n.txt" },
    {
      name: "edit_file",
      params: {
        file_path: "src/a.ts",
        instruction: "count",
        old_string: "one",
        new_string: "1",
        expected_replacements: 1,
      },
      meant: edited("1"),
    },
    {
      name: "edit_file",
      params: { file_path: "src/a.ts", old_string: "o", new_string: "0", expected_replacements: 4 },
      advice: "replace_all",
    },
    {
      name: "list_files",
      params: { pattern: "*.ts", case_sensitive: true, respect_git_ignore: true },
      meant: "src/a.ts",
    },
    {
      name: "list_files",
      params: { dir_path: "docs", file_filtering_options: { respect_git_ignore: false } },
      meant: "docs/c.md",
    },
    { name: "search_files", params: { pattern: "three$", include: "*.md", dir_path: "docs" }, meant: "docs/c.md:0" },
    { name: "search_files", params: { pattern: "needle", fixed_strings: true, names_only: true }, meant: "docs/c.md" },
  ),
  ...calls(
    "OpenHands and SWE-agent",
    {
      name: "read_file",
      params: { command: "view", path: "/work/src/a.ts", view_range: [2, 3] },
      meant: /^1\tone\n2\ttwo\n\[/,
    },
    {
      name: "read_file",
      params: { command: "view", path: "src/a.ts", view_range: [4, -1] },
      meant: /^3\tthree\n4\tfour\n\[/,
    },
    { name: "read_file", params: { command: "undo_edit", path: "src/a.ts" }, advice: "another" },
    {
      name: "create_file",
      params: { command: "create", path: "n.txt", file_text: "x", security_risk: "LOW" },
      meant: "Created n.txt",
    },
    {
      name: "edit_file",
      params: { command: "str_replace", path: "src/a.ts", old_str: "one", new_str: "1" },
      meant: edited("1"),
    },
    {
      name: "edit_file",
      params: { command: "insert", path: "src/a.ts", insert_line: 1, new_str: "x" },
      advice: "another",
    },
    { name: "edit_file", params: { path: "src/a.ts", insert_line: 1, insert_text: "x" }, advice: "edits" },
    { name: "search_files", params: { search_term: "needle", dir: "docs" }, meant: "docs/c.md:0" },
    { name: "list_files", params: { file_name: "c.md", dir: "docs" }, advice: "path" },
  ),
  ...calls(
    "Cline and Roo",
    {
      name: "write_file",
      params: { path: "n.txt", content: "x", line_count: 1, task_progress: "- [x] it" },
      meant: "Created n.txt",
    },
    {
      name: "edit_file",
      params: { path: "src/a.ts", diff: "------- SEARCH\none\n=======\n1\n+++++++ REPLACE\n" },
      meant: edited("1"),
    },
    {
      name: "edit_file",
      params: { path: "src/a.ts", diff: "<<<<<<< SEARCH\n:start_line:2\n-------\none\n=======\n1\n>>>>>>> REPLACE" },
      meant: edited("1"),
    },
    { name: "edit_file", params: { path: "src/a.ts", diff: "@@ -1 +1 @@\n-one\n+1" }, advice: "edits" },
    { name: "search_files", params: { path: ".", regex: "ne+dle th", file_pattern: "*.md" }, meant: "docs/c.md:0" },
    { name: "list_files", params: { path: "src", recursive: "true" }, meant: "src/a.ts" },
    { name: "read_file", params: { paths: ["src/a.ts", "src/b.ts"] }, advice: "path" },
  ),
  ...calls(
    "Copilot, pi and the MCP server",
    { name: "read_file", params: { filePath: "src/a.ts", startLine: 1, endLine: 1 }, meant: /^1\tone\n\[/ },
    { name: "edit_file", params: { filePath: "src/a.ts", oldString: "one", newString: "1" }, meant: edited("1") },
    {
      name: "edit_file",
      params: { path: "src/a.ts", edits: [{ oldText: "one", newText: "1" }], dryRun: false },
      meant: edited("1"),
    },
    {
      name: "edit_file",
      params: { path: "src/a.ts", edits: [{ oldText: "one", newText: "1" }], dryRun: true },
      advice: "always applies",
    },
    {
      name: "edit_file",
      params: { path: "src/a.ts", edits: '[{"old_text":"one","new_text":"1"}]' },
      meant: edited("1"),
    },
    {
      name: "search_files",
      params: { query: "ne+dle", isRegexp: true, includePattern: "*.md", maxResults: 5 },
      meant: "docs/c.md:0",
    },
    { name: "read_file", params: { path: "src/a.ts", head: 1 }, meant: /^0\tzero\n\[/ },
    { name: "read_file", params: { path: "src/a.ts", tail: 1 }, meant: /^4\tfour\n\[/ },
    { name: "search_files", params: { path: ".", pattern: "**/*.ts" }, advice: "list_files" },
    {
      name: "move_file",
      params: { source: "docs/c.md", destination: "docs/d.md" },
      meant: "Moved docs/c.md to docs/d.md",
    },
    { name: "write_file", params: { path: "n.txt", content: "x", append: true }, advice: "edit_file" },
    { name: "create_file", params: { path: "n.sh", content: "x", mode: "0755" }, meant: "Created n.sh" },
  ),
];
