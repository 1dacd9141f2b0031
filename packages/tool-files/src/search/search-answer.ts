import { printablePath, printableText } from "../error/printable-path.ts";
import { toCursor } from "../list/page-cursor.ts";
import type { FileMatches } from "./search-match.ts";
import type { SearchRequest } from "./search-request.ts";
import type { SearchOutcome } from "./searched-files.ts";

/** What a search answers a model with. */
export interface SearchAnswer {
  /** What it reads. */
  readonly text: string;
  /** The files that are shown. */
  readonly files: readonly FileMatches[];
  /** Where to go on, if there is more. */
  readonly cursor: string | undefined;
}

/** Words an answer as is fit for what was asked, and says what is left out. */
export function searchAnswer(outcome: SearchOutcome, request: SearchRequest, shownLimit: number): SearchAnswer {
  const { mode, scope, after } = request;
  const { files, more } = cut(outcome.files, mode, shownLimit);
  const last = files.at(-1);
  const lastLine = mode === "lines" ? (last?.lines.at(-1)?.line ?? 0) : 0;
  const cursor = more && last !== undefined ? toCursor({ key: lastLine, path: last.path }) : undefined;
  const { ignored, unreadable, tooLarge, incomplete, anyFile } = outcome;
  const nothing = files.length === 0;
  const shown = mode === "lines" ? "matching lines" : "matching files";
  const notes = [
    ...(nothing && anyFile ? [after === undefined ? "no matches" : "no matches after the cursor"] : []),
    ...(nothing && !anyFile
      ? [scope.pattern === undefined ? "no matches: no files" : "no matches: no files match the pattern"]
      : []),
    ...(mode === "count" && !nothing
      ? [`${counted(total(files), "matching line")} in ${counted(files.length, "file")}`]
      : []),
    ...(cursor === undefined
      ? []
      : [
          `${after === undefined ? "the first" : "the next"} ${shownLimit} ${shown}, there are more: go on with cursor ${cursor}, or narrow the query, path or pattern`,
        ]),
    ...(ignored > 0 && nothing ? [`${ignored} left out because of .gitignore, search them with include_ignored`] : []),
    ...(unreadable > 0 ? [`${unreadable} could not be read`] : []),
    ...(tooLarge > 0 ? [`${tooLarge} too large for a search over several lines, up to 8 MiB are allowed`] : []),
    ...(incomplete ? ["there is too much here to search all of it; narrow path"] : []),
  ];
  const lines = mode === "lines" ? matchLines(files, request.contextLines) : files.map((file) => fileLine(file, mode));
  return { text: [...lines, ...notes.map((note) => `[${note}]`)].join("\n"), files, cursor };
}

function cut(files: readonly FileMatches[], mode: SearchRequest["mode"], limit: number) {
  if (mode !== "lines") return { files: files.slice(0, limit), more: files.length > limit };
  const kept: FileMatches[] = [];
  let left = limit;
  for (const file of files) {
    if (left === 0) return { files: kept, more: true };
    const lines = file.lines.slice(0, left);
    kept.push({ ...file, lines, count: lines.length });
    left -= lines.length;
    if (lines.length < file.lines.length) return { files: kept, more: true };
  }
  return { files: kept, more: false };
}

function total(files: readonly FileMatches[]): number {
  return files.reduce((sum, { count }) => sum + count, 0);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function fileLine({ path, count }: FileMatches, mode: "files" | "count"): string {
  return mode === "files" ? printablePath(path) : `${printablePath(path)}: ${count}`;
}

/** `path:line: text`, and `path:line- text` for the lines around; `--` between parts that do not follow one another. */
function matchLines(files: readonly FileMatches[], contextLines: number): string[] {
  const answer: string[] = [];
  for (const { path, lines } of files) {
    const name = printablePath(path);
    const shown = new Map<number, string>();
    for (const { line, before, after } of lines) {
      before.forEach((text, index) => shown.set(line - before.length + index, `- ${printableText(text)}`));
      after.forEach((text, index) => shown.set(line + 1 + index, `- ${printableText(text)}`));
    }
    for (const { line, text } of lines) shown.set(line, `: ${printableText(text)}`);
    let previous: number | undefined;
    for (const [line, text] of [...shown].toSorted(([one], [other]) => one - other)) {
      if (contextLines > 0 && answer.length > 0 && line !== (previous ?? -2) + 1) answer.push("--");
      answer.push(`${name}:${line}${text}`);
      previous = line;
    }
  }
  return answer;
}
