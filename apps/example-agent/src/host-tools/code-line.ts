import { oneLine } from "@dispatch/tools-interface/display";

/** A line of code. */
export interface CodeLine {
  /** From the worktree. */
  readonly path: string;
  /** 0-based. */
  readonly line: number;
  readonly text: string;
}

/** Characters of a line that are shown. */
const MAX_LINE_CHARS = 200;

/** A line of a file, cut if long, without characters that could forge another line. Tabs stay. */
export function toCodeLine(path: string, line: number, row: string): CodeLine {
  const text = row.replace(/\r$/, "").replaceAll(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
  return { path, line, text: text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : text };
}

/** Lines of one kind as a model reads them, under a note with how many there are. */
export function showLines(kind: string, lines: readonly CodeLine[], limit: number): readonly string[] {
  const count = lines.length === 0 ? `no ${kind}` : `${lines.length} ${kind}${lines.length === 1 ? "" : "s"}`;
  const cut = lines.length > limit ? `, the first ${limit} of them; narrow path or raise limit` : "";
  return [
    `[${count}${cut}]`,
    ...lines.slice(0, limit).map(({ path, line, text }) => `${shownPath(path)}:${line}: ${text}`),
  ];
}

/** A path that could be taken for something else is a JSON string, as in search_files. */
function shownPath(path: string): string {
  return /^[\p{L}\p{N}_./@+-]+$/u.test(path) ? path : oneLine(JSON.stringify(path));
}
