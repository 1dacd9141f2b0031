import { queryOptions, RipgrepProcess, type RipgrepRun } from "./ripgrep-process.ts";
import type { SearchQuery } from "./search-request.ts";

/** What one run of ripgrep says. */
export interface RipgrepNames {
  /** Names of files in which it found something. Not to be believed before the sandbox has read them. */
  readonly names: readonly string[];
  /** Files it could not read, as far as it was not told to write a log. */
  readonly unreadable: number;
}

/** Has ripgrep name the files that match, under `paths` from the worktree: none where it refuses the query. */
export async function ripgrepNames(
  run: RipgrepRun,
  query: SearchQuery,
  paths: readonly string[],
): Promise<RipgrepNames> {
  const options = [
    ...run.options,
    "--files-with-matches",
    ...queryOptions(query),
    "--",
    ...paths.map((path) => `./${path}`),
  ];
  const process = new RipgrepProcess({ ...run, options });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of process.output()) chunks.push(chunk);
    const { errors } = await process.end();
    const names = Buffer.concat(chunks).toString("utf8").split("\0").slice(0, -1);
    return {
      names: names.map((name) => name.replace(/^\.\//, "")),
      unreadable: errors.split("\n").filter((line) => line.startsWith("rg: ./")).length,
    };
  } finally {
    process.kill();
  }
}

/** Whether ripgrep would look into any file at all. */
export async function ripgrepFindsAny(run: RipgrepRun, paths: readonly string[]): Promise<boolean> {
  const options = ["--no-config", ...run.options, "--files", "--null", "--", ...paths.map((path) => `./${path}`)];
  const process = new RipgrepProcess({ ...run, options });
  try {
    for await (const _ of process.output()) return true;
    await process.end();
    return false;
  } finally {
    process.kill();
  }
}
