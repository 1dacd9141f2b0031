import fs from "node:fs";
import { isTooManyOpenFiles } from "../error/system-error.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** Bytes of a `.gitignore` that are read. */
const MAX_GITIGNORE = 256 * 1024;

/** The text of a directory's `.gitignore`, if there is one. Like Git, does not follow one that is a link. */
export function readGitignore(sandbox: Sandbox, directory: string): string | undefined {
  const path = directory === "" ? ".gitignore" : `${directory}/.gitignore`;
  try {
    const file = sandbox.openFile(path);
    try {
      if (file.path !== path) return undefined;
      const bytes = Buffer.alloc(Math.min(file.size, MAX_GITIGNORE));
      return bytes.toString("utf8", 0, fs.readSync(file.fd, bytes, 0, bytes.length, 0));
    } finally {
      file.close();
    }
  } catch (error) {
    if (isTooManyOpenFiles(error)) throw error;
    return undefined;
  }
}
