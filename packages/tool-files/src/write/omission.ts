import fs from "node:fs";
import { FileNotFoundError, FilesError } from "../error/files-error.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

const MARK = "(?:\\.{3}|\u2026)";
const OPENS = "(?:\\/\\/+|#+|--+|;+|%+|\\/\\*+|<!--|\\{\\s*\\/\\*|\\*|[\"']{3}|[([])";
const CLOSES = "(?:\\*+\\/\\s*\\}?|-->|[\"']{3}|[)\\]])";
const LEFT_OUT =
  "(?:the\\s+)?(?:rest|remaining|remainder|existing|unchanged|previous|other|same|original|all (?:other|existing|the rest))\\b";
const WHAT =
  "(?:of|code|file|methods?|functions?|content|contents|implementation|imports?|lines?|tests?|class|logic|text|section|unchanged|remains?|as before|here|goes)\\b";
/** A line that stands for text which was left out: `// ... existing code ...`, `# rest of the file unchanged`. */
const OMISSION = new RegExp(
  `^\\s*${OPENS}?\\s*(?:${MARK}\\s*[([]?\\s*${LEFT_OUT}[^\\n]{0,20}?${WHAT}[^\\n]{0,60}|[([]?${LEFT_OUT}[^\\n]{0,20}?${WHAT}[^\\n]{0,60}?(?:${MARK}|unchanged|the same|as before)[)\\]]?)\\s*${CLOSES}?\\s*$`,
  "i",
);
/** Longest line that is looked at, and bytes of a file. */
const MAX_LINE = 160;
const MAX_BYTES = 8 * 1024 * 1024;

/** Lines of a text that stand for text which was left out. */
function omissionsIn(content: string): readonly string[] {
  if (!/\.{3}|\u2026|unchanged|the same|as before/i.test(content)) return [];
  return content.split("\n").filter((line) => line.length <= MAX_LINE && OMISSION.test(line));
}

/**
 * Refuses a whole new text for a file that exists, if lines of it stand for text which was left out and the file has no such
 * lines: writing it would lose that text. Code `omitted_text`.
 */
export function assertWhole(sandbox: Sandbox, path: string, content: string, attempt: string): void {
  const omissions = omissionsIn(content);
  if (omissions.length === 0) return;
  const there = textOf(sandbox, path);
  const [line] = there === undefined ? [] : omissions.filter((one) => !there.includes(one.trim()));
  if (line === undefined) return;
  throw new FilesError(
    `${attempt}: the line ${JSON.stringify(line.trim())} stands for text that was left out, which the file would lose; send the whole text, or use edit_file to change a part`,
    { code: "omitted_text" },
  );
}

/** The text of a file; `undefined` if there is none. */
function textOf(sandbox: Sandbox, path: string): string | undefined {
  try {
    const file = sandbox.openFile(path);
    try {
      return file.size > MAX_BYTES ? "" : fs.readFileSync(file.fd, "utf8");
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof FileNotFoundError) return undefined;
    throw error;
  }
}
