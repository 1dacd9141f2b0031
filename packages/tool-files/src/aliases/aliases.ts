import type { Translation } from "@dispatch/tools-interface";
import {
  fromOne,
  lastFromOne,
  onePattern,
  onlyOne,
  readContext,
  readDiff,
  readEdits,
  readFilteringOptions,
  readLimit,
  readOffset,
  readOnlyPath,
  readQuery,
  readSingleEdit,
  readViewRange,
  SEND_EDITS,
} from "./alias-readers.ts";
import {
  alias,
  type AliasRule,
  ForeignCall,
  isEmpty,
  isFalse,
  isTrue,
  negated,
  refuse,
  truth,
  wholeNumber,
  without,
} from "./foreign-call.ts";

/** Facts of a tool that its aliases depend on. */
interface AliasSettings {
  /** Number of a file's first line. Default 0. */
  readonly firstLine?: number;
  /** Highest `limit` of the tool. Default 1000. */
  readonly maxLimit?: number;
}

const FILE_PATHS = "file_path file filename file_name target_file absolute_path relative_path uri";
const DIRECTORY_PATHS =
  "directory directory_path dir dir_path target_directory relative_workspace_path folder folder_path search_path search_directory";
const FORCE = "overwrite force";
/** Lines in the shapes of other tools, some of which count from 0 and some from 1. */
const RANGES =
  "line_range line_ranges lines range ranges line line_number start end from to from_line to_line line_start line_end first_line last_line";
const SORT_ORDERS = {
  name: "path",
  path: "path",
  modified: "modified",
  mtime: "modified",
  time: "modified",
  size: "size",
};
const MODES = {
  content: "lines",
  lines: "lines",
  files_with_matches: "files",
  files: "files",
  count: "count",
  count_matches: "count",
};

/** Aliases of the path of a file, and of the command of an editor that has several. */
function filePath(command: string): readonly AliasRule[] {
  return [
    alias(FILE_PATHS, "path", withoutScheme, '"path", a path relative to the worktree'),
    without("command", (value) => value === command, `this tool only does ${JSON.stringify(command)}, use another one`),
  ];
}

/** Aliases of listing and searching. */
function tree(maxLimit: number): readonly AliasRule[] {
  return [
    alias(`${DIRECTORY_PATHS} ${FILE_PATHS}`, "path", withoutScheme, '"path", a path relative to the worktree'),
    alias("paths directories", "path", onlyOne, '"path", one a call; "pattern" narrows it further'),
    alias(
      "glob include include_pattern file_pattern glob_pattern includes file_glob",
      "pattern",
      onePattern,
      '"pattern", one glob such as "*.{ts,tsx}"',
    ),
    alias(
      "head_limit max_results max_entries max_matches max_count total_max_matches",
      "limit",
      (value) => {
        const limit = wholeNumber(value);
        return limit === undefined || limit < 0 ? undefined : limit === 0 ? maxLimit : Math.min(limit, maxLimit);
      },
      `"limit", up to ${maxLimit}`,
    ),
    without("offset", (value) => wholeNumber(value) === 0, 'send "cursor", as the answer that was cut said'),
    without(
      "exclude excludes exclude_pattern exclude_patterns ignore ignore_globs ignore_patterns",
      isEmpty,
      'leaving out by pattern is not supported, narrow "path" or "pattern"',
    ),
    readFilteringOptions,
    alias("no_ignore include_gitignored", "include_ignored", truth, '"include_ignored"'),
    alias("respect_git_ignore", "include_ignored", negated, '"include_ignored"'),
    alias("hidden show_hidden", "include_hidden", truth, '"include_hidden"'),
  ];
}

/** Aliases of writing a whole file. `force` reads whether to replace one. */
function wholeFile(force: AliasRule): readonly AliasRule[] {
  return [
    ...filePath("create"),
    alias("contents text file_text file_content file_contents new_content body", "content"),
    alias("make_executable", "executable", truth, '"executable", true or false'),
    alias("mode permissions", "executable", executableBy, '"executable", true or false'),
    without("line_count", () => true, ""),
    force,
    without("create_directories create_dirs make_dirs create_parents", isTrue, "directories are always made"),
    without("encoding", (value) => /^utf-?8$/i.test(String(value)), "files are written as UTF-8"),
    without("append", isFalse, "it replaces the whole file, use edit_file to add to one"),
    refuse("code_edit diff patch", "send the whole text as content, or use edit_file"),
  ];
}

/**
 * The fields of other agents' tools, by the tool that a call with them means. Rules apply in their order; a field that none
 * of them takes is refused with the names that are allowed.
 */
const ALIASES = {
  read_file: ({ firstLine = 0 }: AliasSettings) => {
    const base = `which counts from ${firstLine} here`;
    return [
      ...filePath("view"),
      readOnlyPath,
      (call) => readViewRange(call, firstLine),
      without("should_read_entire_file", (value) => isTrue(value) || value === false, "leave it out"),
      alias("start_line_one_indexed", "start_line", (value) => fromOne(value, firstLine), `"start_line", ${base}`),
      alias(
        "end_line_one_indexed end_line_one_indexed_inclusive",
        "end_line",
        (value) => lastFromOne(value, firstLine),
        `"end_line", ${base}`,
      ),
      (call) => readOffset(call, firstLine),
      alias(
        "tail",
        "start_line",
        (value) => {
          const count = wholeNumber(value);
          return count === undefined || count < 1 ? undefined : -count;
        },
        '"start_line", a negative number counts from the end',
      ),
      (call) => readLimit(call, firstLine),
      refuse(RANGES, `send start_line and end_line, ${base}`),
      without("show_line_numbers line_numbers number_lines", isTrue, "lines are always numbered"),
      without("mode", (value) => value === "slice" || isEmpty(value), "send start_line and end_line instead"),
      (call) => {
        if (isEmpty(call.get("pages"))) call.unset("pages");
      },
      without("indentation", isEmpty, "it is not supported, send start_line and end_line"),
    ];
  },
  read_files: () => [
    alias("files file_paths file_path path include", "paths", (value) => (typeof value === "string" ? [value] : value)),
  ],
  read_notebook: () => [
    alias("notebook_path notebook", "path"),
    ...filePath("view"),
    without("cell_id", isEmpty, "send start_cell and end_cell, which count from 0"),
  ],
  write_file: () => wholeFile(without(FORCE, isTrue, "use create_file, which replaces nothing")),
  create_file: () => wholeFile(without(FORCE, isFalse, "use write_file, which replaces a file")),
  edit_file: () => [
    ...filePath("str_replace"),
    without("dry_run", isFalse, "it always applies the edits, leave it out or do not call"),
    refuse("code_edit patch input", SEND_EDITS),
    refuse("insert_line insert_text", `${SEND_EDITS}, with the line it goes after in both`),
    without(
      "expected_replacements",
      (value) => wholeNumber(value) === 1,
      'set "replace_all" in the edit to replace all',
    ),
    alias("changes replacements operations", "edits"),
    readDiff,
    readSingleEdit,
    readEdits,
  ],
  delete_file: () => [
    ...filePath("delete"),
    alias("directory dir_path", "path"),
    without("recursive force", isFalse, "only files and empty directories are deleted, delete what is inside first"),
  ],
  move_file: () => [
    alias("destination destination_path dest dst to new target target_path", "new_path"),
    alias("source source_path src from old_path old", "path"),
    ...filePath("rename"),
    without(FORCE, isFalse, "nothing is replaced, delete what has the new name first"),
  ],
  apply_patch: () => [
    alias("input patch_text diff content", "patch"),
    readPatchCommand,
    without("workdir cwd", isFalse, "paths in a patch are relative to the worktree"),
  ],
  list_files: ({ maxLimit = 1000 }: AliasSettings) => [
    ...tree(maxLimit),
    alias("name name_pattern", "pattern"),
    refuse("query search_term", 'send "pattern", a glob such as "*name*", or use search_files to search in files'),
    alias(
      "depth max_depth",
      "recursive",
      (value) => (wholeNumber(value) === 1 ? false : undefined),
      '"recursive", true or false',
    ),
    alias(
      "sort_by order_by",
      "sort",
      (value) => valueIn(SORT_ORDERS, value),
      '"sort", which is path, modified or size',
    ),
    without("case_sensitive", isTrue, "patterns are case-sensitive"),
  ],
  search_files: ({ maxLimit = 1000 }: AliasSettings) => [
    alias("is_regexp use_regex regexp", "is_regex", truth, '"is_regex", true or false'),
    alias("fixed_strings literal fixed_string", "is_regex", negated, '"is_regex", true or false'),
    readQuery,
    ...tree(maxLimit),
    alias("-i case_insensitive insensitive", "ignore_case", truth, '"ignore_case", true or false'),
    alias("case_sensitive", "ignore_case", negated, '"ignore_case", true or false'),
    without("-n line_numbers show_line_numbers", () => true, ""),
    readContext,
    alias("output_mode", "mode", (value) => valueIn(MODES, value), '"mode", which is lines, files or count'),
    alias("names_only files_only -l", "mode", (value) => (isTrue(value) ? "files" : "lines")),
    without("type types file_type file_types", isEmpty, 'send "pattern", a glob such as "*.ts"'),
    without("whole_word word_regexp match_whole_word -w", isFalse, 'send "query" as \\bword\\b and is_regex'),
  ],
} satisfies Record<string, (settings: AliasSettings) => readonly AliasRule[]>;

/** Translates calls in the shape of other agents' tools to those of a tool with these parameters. */
export function translateAliases(
  tool: keyof typeof ALIASES,
  parameters: { readonly shape: object },
  settings: AliasSettings = {},
): (sent: Readonly<Record<string, unknown>>) => Translation | undefined {
  const own = Object.keys(parameters.shape);
  const rules: readonly AliasRule[] = ALIASES[tool](settings);
  return (sent) => {
    const call = new ForeignCall(sent, own);
    for (const rule of rules) rule(call);
    return call.translation();
  };
}

function valueIn(values: Readonly<Record<string, string>>, value: unknown): string | undefined {
  return typeof value === "string" && Object.hasOwn(values, value) ? values[value] : undefined;
}

function withoutScheme(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^file:\/\/(?=\/)/, "") : undefined;
}

/** Whether a mode such as `755` or `"0644"` lets the owner run the file. */
function executableBy(value: unknown): boolean | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^(?:0o?)?[0-7]{3}$/.test(text)) return text === "+x" || undefined;
  return (Number.parseInt(text.slice(-3), 8) & 0o100) !== 0;
}

function readPatchCommand(call: ForeignCall): void {
  const command = call.take("command", "cmd");
  if (command === undefined) return;
  const patch = patchOfCommand(command.value);
  if (patch === undefined || call.has("patch")) call.refuse(command.key, 'send "patch" alone');
  call.set("patch", patch);
  call.note(`${JSON.stringify(command.key)} was taken for "patch"`);
}

/** The patch of a command of a shell: `["apply_patch", PATCH]`, or a text. */
function patchOfCommand(value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === "string" ? value : undefined;
  const [program, patch, ...others] = value as unknown[];
  const known = (program === "apply_patch" || program === "applypatch") && others.length === 0;
  return known && typeof patch === "string" ? patch : undefined;
}
