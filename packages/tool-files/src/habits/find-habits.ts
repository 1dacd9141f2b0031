import { ForeignCall, isEmpty, isFalse, isTrue, negated, truth, wholeNumber } from "./foreign-call.ts";
import { readDirectoryPath } from "./path-habits.ts";

const PATTERNS = ["glob", "include", "include_pattern", "file_pattern", "glob_pattern", "includes", "file_glob"];
const LIMITS = ["head_limit", "max_results", "max_entries", "max_matches", "max_count", "total_max_matches"];

/** Reads the habits that listing and searching have in common. */
function readFindHabits(call: ForeignCall, maxLimit: number): void {
  readDirectoryPath(call);
  call.rename(["paths", "directories"], "path", onlyOne, '"path", one a call; "pattern" narrows it further');
  call.rename(PATTERNS, "pattern", onePattern, '"pattern", one glob such as "*.{ts,tsx}"');
  call.rename(
    LIMITS,
    "limit",
    (value) => {
      const limit = wholeNumber(value);
      return limit === undefined || limit < 0 ? undefined : limit === 0 ? maxLimit : Math.min(limit, maxLimit);
    },
    `"limit", up to ${maxLimit}`,
  );
  call.drop(["offset"], (value) => wholeNumber(value) === 0, 'send "cursor", as the answer that was cut said');
  call.drop(
    ["exclude", "excludes", "exclude_pattern", "exclude_patterns", "ignore", "ignore_globs", "ignore_patterns"],
    isEmpty,
    'leaving out by pattern is not supported, narrow "path" or "pattern"',
  );
  const options = call.take("file_filtering_options");
  if (options !== undefined && typeof options.value === "object" && options.value !== null) {
    const { respect_git_ignore: respect = true } = options.value as { readonly respect_git_ignore?: unknown };
    call.set("include_ignored", negated(respect));
    call.note('"file_filtering_options" was taken for "include_ignored"');
  }
  call.rename(["no_ignore", "include_gitignored"], "include_ignored", truth, '"include_ignored"');
  call.rename(["respect_git_ignore"], "include_ignored", negated, '"include_ignored"');
  call.rename(["hidden", "show_hidden"], "include_hidden", truth, '"include_hidden"');
}

function onlyOne(value: unknown): unknown {
  const [one, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
  return typeof one === "string" && others.length === 0 ? one : undefined;
}

function onePattern(value: unknown): unknown {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === "string")) return undefined;
  if (value.length === 1) return value[0];
  return value.some((one: string) => /[{},/]/.test(one)) ? undefined : `{${value.join(",")}}`;
}

/** Reads a call of `list_files` in the shape of another tool. */
export function listHabits(sent: Readonly<Record<string, unknown>>, own: readonly string[], maxLimit: number) {
  const call = new ForeignCall(sent, own);
  readFindHabits(call, maxLimit);
  call.rename(["name", "name_pattern"], "pattern");
  call.forbid(
    ["query", "search_term"],
    'send "pattern", a glob such as "*name*", or use search_files to search in files',
  );
  call.rename(
    ["depth", "max_depth"],
    "recursive",
    (value) => (wholeNumber(value) === 1 ? false : undefined),
    '"recursive", true or false',
  );
  call.rename(["sort_by", "order_by"], "sort", sortOrder, '"sort", which is path, modified or size');
  call.drop(["case_sensitive"], isTrue, "patterns are case-sensitive");
  return call.translation();
}

function sortOrder(value: unknown): string | undefined {
  const orders = {
    name: "path",
    path: "path",
    modified: "modified",
    mtime: "modified",
    time: "modified",
    size: "size",
  };
  return typeof value === "string" && Object.hasOwn(orders, value) ? orders[value as keyof typeof orders] : undefined;
}

const MODES = {
  content: "lines",
  lines: "lines",
  files_with_matches: "files",
  files: "files",
  count: "count",
  count_matches: "count",
} as const;

/** Reads a call of `search_files` in the shape of another tool. */
export function searchHabits(sent: Readonly<Record<string, unknown>>, own: readonly string[], maxLimit: number) {
  const call = new ForeignCall(sent, own);
  readQuery(call);
  readFindHabits(call, maxLimit);
  call.rename(["-i", "case_insensitive", "insensitive"], "ignore_case", truth, '"ignore_case", true or false');
  call.rename(["case_sensitive"], "ignore_case", negated, '"ignore_case", true or false');
  call.drop(["-n", "line_numbers", "show_line_numbers"], () => true, "");
  readContext(call);
  call.rename(
    ["output_mode"],
    "mode",
    (value) =>
      typeof value === "string" && Object.hasOwn(MODES, value) ? MODES[value as keyof typeof MODES] : undefined,
    '"mode", which is lines, files or count',
  );
  call.rename(["names_only", "files_only", "-l"], "mode", (value) => (isTrue(value) ? "files" : "lines"));
  call.drop(["type", "types", "file_type", "file_types"], isEmpty, 'send "pattern", a glob such as "*.ts"');
  call.drop(
    ["whole_word", "word_regexp", "match_whole_word", "-w"],
    isFalse,
    'send "query" as \\bword\\b and is_regex',
  );
  return call.translation();
}

function readQuery(call: ForeignCall): void {
  const flags = ["is_regexp", "use_regex", "regexp"];
  call.rename(flags, "is_regex", truth, '"is_regex", true or false');
  call.rename(["fixed_strings", "literal", "fixed_string"], "is_regex", negated, '"is_regex", true or false');
  const regex = call.take("regex");
  if (regex !== undefined) {
    if (typeof regex.value === "string") asRegex(call, regex.key, regex.value);
    else call.set("is_regex", truth(regex.value));
    call.note('"regex" was taken for what to search');
  }
  call.rename(["search_term", "search_query", "search", "term", "keyword", "text"], "query");
  const pattern = call.get("pattern");
  if (call.has("query") || typeof pattern !== "string") return;
  if (/^(?:\*|\{)|\*\*|\/\*/.test(pattern))
    call.refuse(
      "pattern",
      "it looks like a glob and there is no query; send query to search in files, or use list_files with pattern to find files",
    );
  call.unset("pattern");
  asRegex(call, "pattern", pattern);
  call.note('"pattern" was taken for "query", a regular expression, because there is no query');
}

function asRegex(call: ForeignCall, key: string, source: string): void {
  if (call.has("query")) call.refuse(key, 'it was sent beside "query", send "query" alone');
  call.set("query", source);
  if (!call.has("is_regex")) call.set("is_regex", true);
}

/** Lines before and after a match are as many here: the larger number shows both. */
function readContext(call: ForeignCall): void {
  const names = ["-A", "-B", "-C", "context", "before", "after", "before_context", "after_context"];
  let lines: number | undefined;
  for (let found = call.take(...names); found !== undefined; found = call.take(...names)) {
    const count = wholeNumber(found.value);
    if (isEmpty(found.value)) continue;
    if (count === undefined || count < 0) call.refuse(found.key, 'send "context_lines", a number');
    lines = Math.max(lines ?? 0, count);
    call.note(`${JSON.stringify(found.key)} was taken for "context_lines"`);
  }
  if (lines !== undefined) call.set("context_lines", Math.max(lines, wholeNumber(call.get("context_lines")) ?? 0));
}
