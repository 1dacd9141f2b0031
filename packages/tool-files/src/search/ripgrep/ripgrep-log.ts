/**
 * The facts in ripgrep's log of a walk. Names in it are unescaped: one with a line break may look like several lines.
 */
export interface RipgrepLog {
  /** Files of rules it opened, as it names them. */
  readonly ruleFiles: readonly string[];
  /** Entries it left out because of a rule. */
  readonly ignored: readonly string[];
  /** Whether it names an entry whose name has a line break, so that other lines may be part of a name. */
  readonly unclear: boolean;
  /** Files it left out because of their size. */
  readonly tooLarge: readonly string[];
  /** Files and directories it could not read. */
  readonly unreadable: readonly string[];
}

/** Reads the log that `--debug` writes. */
export function ripgrepLog(text: string): RipgrepLog {
  const ruleFiles: string[] = [];
  const tooLarge: string[] = [];
  const ignored: string[] = [];
  let unclear = false;
  for (const line of text.split("\n")) {
    if (!line.startsWith("rg: DEBUG|ignore::")) continue;
    const opened = line.indexOf(": opened gitignore file: ");
    if (opened !== -1) ruleFiles.push(line.slice(opened + 25));
    const [, left, why] = /: ignoring (?:\.\/)?(.*?)(?:: (Ignore\(.*|\d+ bytes))?$/.exec(line) ?? [];
    if (left === undefined) continue;
    if (why === undefined) unclear = true;
    else if (why.startsWith("Ignore(IgnoreMatch(Gitignore(")) ignored.push(left);
    else if (/^\d/.test(why)) tooLarge.push(left);
  }
  return { ruleFiles, ignored, unclear, tooLarge, unreadable: unreadablePaths(text) };
}

/** Paths from the worktree that it says it could not read. */
export function unreadablePaths(errors: string): string[] {
  return [...errors.matchAll(/^rg: \.\/(.*): .* \(os error \d+\)$/gm)].map(([, path = ""]) => path);
}
