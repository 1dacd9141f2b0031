import fs from "node:fs";
import { FileNotFoundError, FilesError } from "../error/files-error.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { dotsForLines, hasDots } from "../text/dots-omission.ts";
import { missingLines } from "../text/omitted-lines.ts";

/** Bytes of a file that are looked at. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Refuses a whole new text for a file that exists, if lines of it stand for text which was left out, as `omittedLines` gives
 * them, and the file has no such lines, or as `dotsForLines` finds them: writing it would lose that text. Code
 * `omitted_text`.
 */
export function assertWhole(
  sandbox: Sandbox,
  path: string,
  { content, omissions }: { readonly content: string; readonly omissions: readonly string[] },
  attempt: string,
): void {
  const dots = hasDots(content);
  if (omissions.length === 0 && !dots) return;
  const there = textOf(sandbox, path);
  if (there === undefined) return;
  const line = missingLines(omissions, there)[0] ?? (dots ? dotsForLines(content, there) : undefined);
  if (line === undefined) return;
  throw new FilesError(
    `${attempt}: the line ${JSON.stringify(line)} stands for text that was left out, which the file would lose; send the whole text, or use edit_file to change a part`,
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
