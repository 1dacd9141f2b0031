/** What ripgrep's log says of a walk. Names in it are as they are: one with a line break may look like several lines. */
export interface RipgrepLog {
  /** Files of rules it opened, as it names them. */
  readonly ruleFiles: readonly string[];
  /** Entries it left out because of a rule. */
  readonly ignored: number;
  /** Files it left out because of their size. */
  readonly tooLarge: readonly string[];
  /** Files and directories it could not read. */
  readonly unreadable: readonly string[];
}

/** Reads the log that `--debug` writes. */
export function ripgrepLog(text: string): RipgrepLog {
  const ruleFiles: string[] = [];
  const tooLarge: string[] = [];
  let ignored = 0;
  for (const line of text.split("\n")) {
    if (!line.startsWith("rg: DEBUG|ignore::")) continue;
    const opened = line.indexOf(": opened gitignore file: ");
    if (opened !== -1) ruleFiles.push(line.slice(opened + 25));
    else if (line.includes(": Ignore(IgnoreMatch(Gitignore(")) ignored += 1;
    const large = /: ignoring (?:\.\/)?(.*): \d+ bytes$/.exec(line)?.[1];
    if (large !== undefined) tooLarge.push(large);
  }
  return { ruleFiles, ignored, tooLarge, unreadable: unreadablePaths(text) };
}

/** Paths from the worktree that it says it could not read. */
export function unreadablePaths(errors: string): string[] {
  return [...errors.matchAll(/^rg: \.\/(.*): .* \(os error \d+\)$/gm)].map(([, path = ""]) => path);
}
