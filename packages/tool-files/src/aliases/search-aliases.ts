import { isEmpty, negated, truth, wholeNumber, type ForeignCall } from "./foreign-call.ts";

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
