/** What ripgrep's log says of a walk. Names in it are as they are: one with a line break may look like several lines. */
export interface RipgrepLog {
  /** Files of rules it opened, as it names them. */
  readonly ruleFiles: readonly string[];
  /** Entries it left out because of a rule. */
  readonly ignored: number;
  /** Files it left out because of their size. */
  readonly tooLarge: number;
  /** Files and directories it could not read. */
  readonly unreadable: number;
}

/** Reads the log that `--debug` writes. */
export function ripgrepLog(text: string): RipgrepLog {
  const ruleFiles: string[] = [];
  let [ignored, tooLarge, unreadable] = [0, 0, 0];
  for (const line of text.split("\n")) {
    if (line.startsWith("rg: ./")) unreadable += 1;
    if (!line.startsWith("rg: DEBUG|ignore::")) continue;
    const opened = line.indexOf(": opened gitignore file: ");
    if (opened !== -1) ruleFiles.push(line.slice(opened + 25));
    else if (line.includes(": Ignore(IgnoreMatch(Gitignore(")) ignored += 1;
    else if (/: ignoring .*: \d+ bytes$/.test(line)) tooLarge += 1;
  }
  return { ruleFiles, ignored, tooLarge, unreadable };
}
