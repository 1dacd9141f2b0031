import { isUtf8 } from "node:buffer";
import type { SearchQuery } from "../search-request.ts";
import { queryOptions, RipgrepProcess, type RipgrepRun } from "./ripgrep-process.ts";

export interface RipgrepNames {
  /** Names of files in which it found something. Not to be believed before the sandbox has read them. */
  readonly names: readonly string[];
  /** Files and directories it could not read, unless they go to its log. */
  readonly unreadable: readonly string[];
  /** Names that are not UTF-8. */
  readonly nameless: number;
}

/** Bytes of names that are taken: with more, it is quicker to look at one file after the other. */
const MAX_NAMES_BYTES = 1024 * 1024;

/**
 * Has ripgrep name the files in which one of `patterns` is found, under `paths` from the worktree: none where it refuses the
 * query. `undefined`: it names too many.
 */
export async function ripgrepNames(
  run: RipgrepRun,
  patterns: readonly string[],
  query: SearchQuery,
  paths: readonly string[],
): Promise<RipgrepNames | undefined> {
  const options = [
    ...run.options,
    "--files-with-matches",
    ...queryOptions(query, patterns),
    "--",
    ...paths.map((path) => `./${path}`),
  ];
  const process = new RipgrepProcess({ ...run, options });
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of process.output()) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_NAMES_BYTES) return undefined;
    }
    const { errors } = await process.end();
    const names: string[] = [];
    let nameless = 0;
    const all = Buffer.concat(chunks);
    for (let from = 0, end = all.indexOf(0); end !== -1; from = end + 1, end = all.indexOf(0, from)) {
      const name = all.subarray(from, end);
      if (isUtf8(name)) names.push(name.toString("utf8").replace(/^\.\//, ""));
      else nameless += 1;
    }
    return { names, nameless, unreadable: unreadablePaths(errors) };
  } finally {
    process.kill();
  }
}

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
function unreadablePaths(errors: string): string[] {
  return [...errors.matchAll(/^rg: \.\/(.*): .* \(os error \d+\)$/gm)].map(([, path = ""]) => path);
}
