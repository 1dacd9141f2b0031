import { isUtf8 } from "node:buffer";
import type { SearchQuery } from "../search-request.ts";
import { unreadablePaths } from "./ripgrep-log.ts";
import { queryOptions, RipgrepProcess, type RipgrepRun } from "./ripgrep-process.ts";

export interface RipgrepNames {
  /** Names of files in which it found something. Not to be believed before the sandbox has read them. */
  readonly names: readonly string[];
  /** Files and directories it could not read, unless they go to its log. */
  readonly unreadable: readonly string[];
  /** Names that are not UTF-8. */
  readonly nameless: number;
  /** Whether it refuses the query, or could not read something. */
  readonly failed: boolean;
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
    const { code, errors } = await process.end();
    const names: string[] = [];
    let nameless = 0;
    const all = Buffer.concat(chunks);
    for (let from = 0, end = all.indexOf(0); end !== -1; from = end + 1, end = all.indexOf(0, from)) {
      const name = all.subarray(from, end);
      if (isUtf8(name)) names.push(name.toString("utf8").replace(/^\.\//, ""));
      else nameless += 1;
    }
    return { names, nameless, unreadable: unreadablePaths(errors), failed: code === 2 };
  } finally {
    process.kill();
  }
}
