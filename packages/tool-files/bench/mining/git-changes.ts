import { execFileSync } from "node:child_process";
import { fileChange, type FileChange } from "./file-change.ts";

const TEXT = /\.(ts|js|mjs|cjs|tsx|jsx|py|go|rs|c|h|cpp|java|rb|sh|md|json|yml|yaml|toml|css|html|txt)$/;

/** Changes of files in the history of a Git repository, the newest first. */
export function gitChanges(repository: string, limit: number): FileChange[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", repository, ...args], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const changes: FileChange[] = [];
  const log = git("log", "--no-merges", "--no-renames", "--diff-filter=M", "--raw", "--no-abbrev", "--format=");
  for (const line of log.toString("utf8").split("\n")) {
    const [, before, after, path] = /^:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) M\t(.+)$/.exec(line) ?? [];
    if (before === undefined || after === undefined || path === undefined || !TEXT.test(path)) continue;
    const change = fileChange(path, git("cat-file", "blob", before), git("cat-file", "blob", after));
    if (change !== undefined) changes.push(change);
    if (changes.length >= limit) break;
  }
  return changes;
}
