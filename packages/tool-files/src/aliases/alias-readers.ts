import { ForeignCall, isEmpty, negated, truth, wholeNumber } from "./foreign-call.ts";

/** A line number that counts from 1, as one that counts from `firstLine`. */
export function fromOne(value: unknown, firstLine: number): number | undefined {
  const line = wholeNumber(value);
  return line === undefined || line < 1 ? undefined : line - 1 + firstLine;
}

/** {@link fromOne}, in which -1 is the last line. */
export function lastFromOne(value: unknown, firstLine: number): number | undefined {
  return wholeNumber(value) === -1 ? -1 : fromOne(value, firstLine);
}

/** Reads a pair of lines that count from 1. */
export function readViewRange(call: ForeignCall, firstLine: number): void {
  const base = `which counts from ${firstLine} here`;
  const range = call.take("view_range");
  if (range === undefined || isEmpty(range.value)) return;
  const [from, to, ...more] = Array.isArray(range.value) ? (range.value as unknown[]) : [];
  const [start, end] = [fromOne(from, firstLine), lastFromOne(to, firstLine)];
  if (start === undefined || end === undefined || more.length > 0)
    call.refuse(range.key, `send start_line and end_line, ${base}`);
  call.set("start_line", start);
  call.set("end_line", end);
  call.note(`"view_range" was taken for start_line ${start} and end_line ${end}, ${base}`);
}

/** Reads the number of lines to leave out, which is clear only where it is 0. */
export function readOffset(call: ForeignCall, firstLine: number): void {
  const offset = call.take("offset");
  if (offset === undefined || isEmpty(offset.value)) return;
  const first = wholeNumber(offset.value) ?? 1;
  if (first > 0)
    call.refuse(
      offset.key,
      `some tools count it from 0 and some from 1, send start_line, which counts from ${firstLine} here`,
    );
  call.set("start_line", first === 0 ? firstLine : first);
  call.note(`"offset" was taken for start_line ${first === 0 ? firstLine : first}`);
}

/** Reads a list of files with a single one. */
export function readOnlyPath(call: ForeignCall): void {
  const paths = call.take("paths", "file_paths", "files");
  if (paths === undefined) return;
  const [only, ...others] = Array.isArray(paths.value) ? (paths.value as unknown[]) : [paths.value];
  if (others.length > 0 || typeof only !== "string")
    call.refuse(paths.key, 'send "path", one file a call (read_files reads several, where it is there)');
  call.set("path", only);
  call.note(`${JSON.stringify(paths.key)} was taken for "path"`);
}

/** Reads a number of lines as the last one. */
export function readLimit(call: ForeignCall, firstLine: number): void {
  const limit = call.take("limit", "head", "max_lines", "num_lines", "line_count", "count");
  if (limit === undefined || isEmpty(limit.value)) return;
  const count = wholeNumber(limit.value);
  const start = wholeNumber(call.get("start_line") ?? firstLine);
  if (count === undefined || count < 1 || start === undefined || call.has("end_line"))
    call.refuse(limit.key, "send start_line and end_line, the numbers of the first and the last line");
  const last = start + count - 1;
  // Counted from the end, the last line is the end of the file.
  const end = start < 0 && last >= -1 ? -1 : last;
  if (start < 0 && end < -1) call.refuse(limit.key, "with lines counted from the end send start_line alone");
  call.set("end_line", end);
  call.note(`${JSON.stringify(limit.key)} was taken for end_line ${end}`);
}

/** The only text of a list. */
export function onlyOne(value: unknown): unknown {
  const [one, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
  return typeof one === "string" && others.length === 0 ? one : undefined;
}

/** One glob for several. */
export function onePattern(value: unknown): unknown {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === "string")) return undefined;
  if (value.length === 1) return value[0];
  return value.some((one: string) => /[{},/]/.test(one)) ? undefined : `{${value.join(",")}}`;
}

/** Reads Gemini CLI's options of files to leave out. */
export function readFilteringOptions(call: ForeignCall): void {
  const options = call.take("file_filtering_options");
  if (options !== undefined && typeof options.value === "object" && options.value !== null) {
    const { respect_git_ignore: respect = true } = options.value as { readonly respect_git_ignore?: unknown };
    call.set("include_ignored", negated(respect));
    call.note('"file_filtering_options" was taken for "include_ignored"');
  }
}

/** Reads what to search for, which other tools call a pattern. */
export function readQuery(call: ForeignCall): void {
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

/** Reads the lines around a match. Lines before and after a match are as many here: the larger number shows both. */
export function readContext(call: ForeignCall): void {
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

/** Edits of a call. */
export const MAX_EDITS = 200;
/** Characters of all texts of its edits: 2 Mi. */
export const MAX_EDIT_CHARS: number = 2 * 1024 * 1024;

const OLD = ["old_string", "old_str", "search", "find", "old", "old_content", "search_string"];
const NEW = ["new_string", "new_str", "replace", "replacement", "new", "new_content", "replace_string"];
const ALL = ["allow_multiple", "replace_all_occurrences", "global"];
const EDIT = ["old_text", "new_text", "replace_all"];
/** The advice for edits in another shape. */
export const SEND_EDITS = "send edits: [{ old_text, new_text }]";

/** Reads search and replace blocks as edits. */
export function readDiff(call: ForeignCall): void {
  const diff = call.take("diff");
  if (diff === undefined) return;
  refuseLong(call, diff.key, diff.value);
  const blocks = typeof diff.value === "string" ? searchReplaceBlocks(diff.value) : undefined;
  if (blocks === undefined || call.has("edits")) call.refuse(diff.key, SEND_EDITS);
  call.set("edits", blocks);
  call.note(`"diff" was taken for ${blocks.length} edit${blocks.length === 1 ? "" : "s"}`);
}

/** Texts of edits are taken apart while nothing else is done. */
function refuseLong(call: ForeignCall, key: string, value: unknown): void {
  if (typeof value === "string" && value.length > MAX_EDIT_CHARS)
    call.refuse(key, `it is ${value.length} characters long, allowed are ${MAX_EDIT_CHARS}; send fewer edits a call`);
}

/** Reads the texts of one edit that were sent beside the path. */
export function readSingleEdit(call: ForeignCall): void {
  const old = call.take("old_text", ...OLD);
  const now = call.take("new_text", ...NEW);
  const all = call.take("replace_all", ...ALL);
  if (old === undefined && now === undefined) {
    if (all === undefined) return;
    if (truth(all.value) !== false) call.refuse(all.key, "set it in each edit that is to replace all");
    call.note(`${JSON.stringify(all.key)} was left out, it changes nothing here`);
    return;
  }
  if (old === undefined || now === undefined) call.refuse((old ?? now)!.key, SEND_EDITS);
  if (call.has("edits")) call.refuse(old.key, "it was sent beside edits, put it into them");
  call.set("edits", [
    {
      old_text: old.value,
      new_text: now.value,
      ...(all !== undefined && { replace_all: truth(all.value) ?? all.value }),
    },
  ]);
  call.note(`${JSON.stringify(old.key)} and ${JSON.stringify(now.key)} were taken for an edit`);
}

/** Reads edits written as JSON, a single one, or with other names in them. */
export function readEdits(call: ForeignCall): void {
  if (call.has("edits")) call.set("edits", editsOf(call, call.get("edits")));
}

function editsOf(call: ForeignCall, sent: unknown): unknown {
  let edits = sent;
  if (typeof edits === "string") {
    refuseLong(call, "edits", edits);
    try {
      edits = JSON.parse(edits);
      call.note('"edits" was decoded from text');
    } catch {
      return edits;
    }
  }
  if (typeof edits === "object" && edits !== null && !Array.isArray(edits)) {
    edits = [edits];
    call.note('"edits" was taken for a list of one');
  }
  // The schema answers for too many of them.
  if (!Array.isArray(edits) || edits.length > MAX_EDITS) return edits;
  return edits.map((edit: unknown) => {
    if (typeof edit !== "object" || edit === null || isEmpty(edit)) return edit;
    const inner = new ForeignCall(edit as Record<string, unknown>, EDIT);
    inner.rename(OLD, "old_text");
    inner.rename(NEW, "new_text");
    inner.rename(ALL, "replace_all");
    const { params, changes } = inner.translation() ?? { params: edit, changes: [] };
    for (const change of changes) call.note(change);
    return params;
  });
}

/** A replacement as a diff of search and replace blocks has it. */
interface SearchReplaceBlock {
  readonly old_text: string;
  readonly new_text: string;
}

const FENCE = /^\s*```\w*\s*$/;
const SEARCH = /^(?:-{3,}|<{3,}) ?SEARCH>?/;
const HINT = /^:(?:start|end)_line:/;
const MIDDLE = /^={3,}$/;
/** How every edge begins. */
const ON_EDGE = /^[-<=+>]{3}/;
const REPLACE = /^(?:\+{3,}|>{3,}) ?REPLACE>?/;

/**
 * The blocks of a diff of the form `------- SEARCH`, text, `=======`, text, `+++++++ REPLACE`, or with `<<<<<<<` and `>>>>>>>`.
 * `undefined`: it is anything else, or a text itself looks like the edge of a block. Takes time linear in the diff.
 */
export function searchReplaceBlocks(diff: string): readonly SearchReplaceBlock[] | undefined {
  const lines = diff.split(/\r?\n/);
  const blocks: SearchReplaceBlock[] = [];
  let at = 0;
  const isBetween = (line: string) => line.trim() === "" || FENCE.test(line);
  const textUntil = (edge: RegExp): string | undefined => {
    const from = at;
    while (at < lines.length && !isEdge(lines[at]!)) at += 1;
    if (at === lines.length || !edge.test(lines[at]!)) return undefined;
    const text = lines.slice(from, at);
    at += 1;
    return text.length === 0 ? "" : `${text.join("\n")}\n`;
  };
  for (;;) {
    while (at < lines.length && isBetween(lines[at]!)) at += 1;
    if (at === lines.length) return blocks.length === 0 ? undefined : blocks;
    if (!SEARCH.test(lines[at]!)) return undefined;
    at += 1;
    while (HINT.test(lines[at] ?? "")) at += 1;
    if (lines[at] === "-------") at += 1;
    const old = textUntil(MIDDLE);
    const now = old === undefined ? undefined : textUntil(REPLACE);
    if (old === undefined || now === undefined) return undefined;
    blocks.push({ old_text: old, new_text: now });
  }
}

function isEdge(line: string): boolean {
  return ON_EDGE.test(line) && (SEARCH.test(line) || MIDDLE.test(line) || REPLACE.test(line));
}
