import { namedPaths, printablePath, printableText } from "../error/printable-path.ts";
import { toCursor } from "../list/list-page.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import type { FileMatches, SearchMatch } from "./search-findings.ts";
import type { SearchRequest } from "./search-request.ts";
import type { SearchOutcome } from "./search-tree.ts";
import type { OmissionReason } from "./searched-text.ts";

/** Characters of an answer without its notes: with them it stays below the limit of a result. */
const MAX_CHARS = 90_000;

/** The answer of a search for a model. */
export interface SearchAnswer {
  readonly text: string;
  readonly files: readonly FileMatches[];
  /** Where to go on, if there is more. */
  readonly cursor: string | undefined;
}

interface Numbered {
  readonly numbers: LineNumbers;
}

/** Note on files that were left out, with advice. */
const OMITTED: Readonly<Record<OmissionReason, (count: number) => string>> = {
  binary: (count) =>
    count === 1
      ? "1 binary file that matches or may match is not shown"
      : `${count} binary files that match or may match are not shown`,
  encoding: (count) =>
    `${counted(count, "file")} in an unknown encoding, searched for ASCII only; state it with encoding`,
  long_line: (count) => `${counted(count, "file")} with lines that were searched up to their first 256 KB only`,
  too_large: (count) => `${count} too large to be decoded or searched over several lines, up to 8 MiB are allowed`,
  unreadable: (count) => `${count} could not be read`,
  name: (count) => `${counted(count, "entry", "entries")} not searched, the name is not UTF-8`,
};

/** Formats an answer with as many details as requested, and names omissions. */
export function searchAnswer(
  outcome: SearchOutcome,
  request: SearchRequest,
  shownLimit: number,
  numbers: LineNumbers,
): SearchAnswer {
  const { mode, contextLines } = request;
  const { files, lines, more } = page(outcome.files, { mode, contextLines, limit: shownLimit, numbers });
  const last = files.at(-1);
  const lastLine = mode === "lines" ? (last?.lines.at(-1)?.line ?? 0) : 0;
  const { endedAt } = outcome;
  const cursor =
    (more || outcome.full) && last !== undefined
      ? toCursor({ key: lastLine, path: last.path })
      : endedAt && toCursor({ key: endedAt.line, path: endedAt.path });
  const notes = [
    ...resultNotes(outcome, request, files),
    ...cutNotes(outcome, request, files, cursor),
    ...omissionNotes(outcome, files),
  ];
  return { text: [...lines, ...notes.map((note) => `[${note}]`)].join("\n"), files, cursor };
}

function resultNotes(
  { anyFile, endedAt }: SearchOutcome,
  request: SearchRequest,
  files: readonly FileMatches[],
): string[] {
  const { mode, scope, after } = request;
  if (files.length > 0) {
    if (mode !== "count") return [];
    const total = files.reduce((sum, { count }) => sum + count, 0);
    return [`${counted(total, "matching line")} in ${counted(files.length, "file")}`];
  }
  if (endedAt !== undefined) return ["no matches so far"];
  if (after !== undefined) return ["no matches after the cursor"];
  if (anyFile) return ["no matches"];
  return [scope.pattern === undefined ? "no matches: no files" : "no matches: no files match the pattern"];
}

function cutNotes(
  { endedAt, incomplete }: SearchOutcome,
  { mode, after }: SearchRequest,
  files: readonly FileMatches[],
  cursor: string | undefined,
): string[] {
  if (incomplete) return ["there is too much here to search all of it; narrow path"];
  if (cursor === undefined) return [];
  if (endedAt !== undefined)
    return [`not finished in time: go on with cursor ${cursor}, or narrow the query, path or pattern`];
  const shown = mode === "lines" ? files.reduce((sum, { lines }) => sum + lines.length, 0) : files.length;
  const what = `${after === undefined ? "the first" : "the next"} ${shown} matching ${mode === "lines" ? "lines" : "files"}`;
  return [`${what}, there are more: go on with cursor ${cursor}, or narrow the query, path or pattern`];
}

function omissionNotes({ omissions, ignored, rulesLeftOut }: SearchOutcome, files: readonly FileMatches[]): string[] {
  return [
    ...(ignored > 0 && files.length === 0
      ? [`${ignored} left out because of .gitignore, search them with include_ignored`]
      : []),
    ...(rulesLeftOut > 0 ? [`${counted(rulesLeftOut, "rule")} of .gitignore too complex to apply`] : []),
    ...omissions.map(({ reason, count, paths }) => {
      const note = OMITTED[reason](count);
      return paths.length === 0 ? note : `${note}: ${namedPaths(paths, count)}`;
    }),
  ];
}

/** As many of the files and matches as an answer shows: within the limit of them and of its length, one at least. */
function page(
  files: readonly FileMatches[],
  { mode, contextLines, limit, numbers }: Pick<SearchRequest, "mode" | "contextLines" | "limit"> & Numbered,
) {
  const kept: FileMatches[] = [];
  const answer: string[] = [];
  let [left, chars] = [limit, 0];
  for (const file of files) {
    const name = printablePath(file.path);
    const lines: SearchMatch[] = [];
    for (const [index, match] of (mode === "lines" ? file.lines : [undefined]).entries()) {
      const shown =
        match === undefined
          ? [mode === "files" ? name : `${name}: ${file.count}`]
          : matchLines(name, match, { last: lines.at(-1), next: file.lines[index + 1], numbers });
      if (contextLines > 0 && answer.length > 0 && startsAnew(match, lines.at(-1))) shown.unshift("--");
      const length = shown.reduce((sum, line) => sum + line.length + 1, 0);
      if (left === 0 || (chars + length > MAX_CHARS && chars > 0)) {
        if (lines.length > 0) kept.push({ ...file, lines, count: lines.length });
        return { files: kept, lines: answer, more: true };
      }
      [left, chars] = [left - 1, chars + length];
      answer.push(...shown);
      if (match !== undefined) lines.push(match);
    }
    kept.push(mode === "lines" ? { ...file, lines, count: lines.length } : file);
  }
  return { files: kept, lines: answer, more: false };
}

/** `path:line: text`, and `path:line- text` for the lines around that are not shown with the matches before and after it. */
function matchLines(
  name: string,
  { line, text, before, after }: SearchMatch,
  {
    last,
    next,
    numbers,
  }: { readonly last: SearchMatch | undefined; readonly next: SearchMatch | undefined } & Numbered,
): string[] {
  const shownTo = last === undefined ? -1 : last.line + last.after.length;
  const first = line - before.length;
  const show = (at: number, sign: string, shown: string) => `${name}:${numbers.of(at)}${sign} ${printableText(shown)}`;
  return [
    ...before.flatMap((shown, index) => (first + index > shownTo ? [show(first + index, "-", shown)] : [])),
    show(line, ":", text),
    ...after.flatMap((shown, index) =>
      next === undefined || line + 1 + index < next.line ? [show(line + 1 + index, "-", shown)] : [],
    ),
  ];
}

/** Whether a match and the lines around it do not follow those of the last one. */
function startsAnew(match: SearchMatch | undefined, last: SearchMatch | undefined): boolean {
  if (match === undefined) return false;
  return last === undefined || match.line - match.before.length > last.line + last.after.length + 1;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
