import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { builtinSearch } from "./builtin-search.ts";
import { FilesError } from "./files-error.ts";
import { globPattern } from "./glob-pattern.ts";
import { listTree } from "./list-tree.ts";
import { attemptOn } from "./path-names.ts";
import { printablePath, printableText } from "./printable-path.ts";
import { RipgrepUnavailable } from "./ripgrep.ts";
import { ripgrepProgram } from "./ripgrep-program.ts";
import { ripgrepSearch } from "./ripgrep-search.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SearchMatch, SearchOutcome, SearchRequest } from "./search-match.ts";
import { inSandbox, worktreeContext } from "./worktree-context.ts";

const MAX_MATCHES = 100;
const MAX_QUERY = 2000;
const DEADLINE_MS = 30_000;

const parameters = z.object({
  query: z
    .string()
    .min(1)
    .max(MAX_QUERY)
    .describe("Text to find in a line, or a regular expression if is_regex; case matters"),
  path: z.string().default(".").describe("Directory or file to search, relative to the worktree"),
  pattern: z
    .string()
    .optional()
    .describe('Glob of the files to search, relative to path, such as "*.ts" (at any depth). Default: all files'),
  is_regex: z
    .boolean()
    .default(false)
    .describe(
      "Whether query is a regular expression (Rust syntax: no look-around, no back-references; (?i) ignores case)",
    ),
  include_ignored: z.boolean().default(false).describe("Whether to search what .gitignore leaves out"),
});

const output = z.object({
  matches: z.array(
    z.object({
      path: z.string().describe("File, relative to the worktree"),
      line: z.int().describe("0-based number of the line"),
      text: z.string().describe("The line, cut around the match if long"),
    }),
  ),
  truncated: z.boolean().describe("Whether there are more matching lines"),
});

/** Options of {@link createSearchFilesTool}. */
export interface SearchFilesOptions {
  /**
   * The ripgrep to search with. `false`: none, the built-in engine searches. Default: the one installed with this
   * package, or the built-in engine where there is none.
   */
  readonly ripgrep?: string | false;
}

/** Makes `search_files`: lines of files that hold a text or match a regular expression. */
export function createSearchFilesTool(options: SearchFilesOptions = {}) {
  return defineTool({
    name: "search_files",
    description: `Searches text files line by line. Each line of the answer is path:line: text, lines 0-based as in read_file. At most ${MAX_MATCHES} matching lines, in order of path; it is said when there are more. Binary files, .git and what .gitignore leaves out are not searched, nor what is beyond the first 256 KB of a line. Lines in square brackets are notes.`,
    parameters,
    output,
    context: worktreeContext,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute({ query, path, pattern, is_regex, include_ignored }, run) {
      const attempt = attemptOn("search", path);
      if (/[\0\r\n]/.test(query) || !query.isWellFormed()) {
        throw new FilesError(
          `${attempt}: the query holds a line break, a NUL or half a character; a search goes line by line, search for one line of it`,
          { code: "invalid_query" },
        );
      }
      const glob = pattern === undefined ? undefined : globPattern(pattern, attempt);
      const deadline = AbortSignal.timeout(DEADLINE_MS);
      const signal = AbortSignal.any([run.signal, deadline]);
      try {
        return await inSandbox(run.context.worktreePath, async (sandbox) => {
          const tree = await filesToSearch(sandbox, path, {
            pattern: glob,
            includeIgnored: include_ignored,
            attempt,
            signal,
          });
          const { files } = tree;
          // One more than is shown, which proves that there are more.
          const found = await search(
            sandbox,
            { query, isRegex: is_regex, files, limit: MAX_MATCHES + 1, attempt, signal },
            options,
          );
          const unreadable = found.unreadable + tree.unreadable;
          return answer(found.matches, files.length, { ...tree, unreadable });
        });
      } catch (error) {
        if (!deadline.aborted || run.signal.aborted) throw error;
        throw new FilesError(
          `${attempt}: not finished after ${DEADLINE_MS / 1000} s, narrow it by path or pattern or use a simpler query`,
          { code: "search_timeout", cause: error },
        );
      }
    },
  });
}

/** `search_files` with the ripgrep that was installed with this package. */
export const searchFilesTool = createSearchFilesTool();

type Scope = {
  readonly pattern: string | undefined;
  readonly includeIgnored: boolean;
  readonly attempt: string;
  readonly signal: AbortSignal;
};
type Searched = {
  readonly files: readonly string[];
  readonly ignored: number;
  readonly unreadable: number;
  readonly incomplete: boolean;
};

async function filesToSearch(sandbox: Sandbox, path: string, scope: Scope): Promise<Searched> {
  const kind = sandbox.kindOf(path);
  if (kind !== "file") return listTree(sandbox, { path, recursive: true, links: false, directories: false, ...scope });
  const file = sandbox.openFile(path);
  file.close();
  return { files: [file.path], ignored: 0, unreadable: 0, incomplete: false };
}

async function search(sandbox: Sandbox, request: SearchRequest, options: SearchFilesOptions): Promise<SearchOutcome> {
  const program = options.ripgrep === false ? undefined : (options.ripgrep ?? (await ripgrepProgram()));
  if (program === undefined) return builtinSearch(sandbox, request);
  try {
    return await ripgrepSearch(sandbox, request, program);
  } catch (error) {
    if (!(error instanceof RipgrepUnavailable)) throw error;
    return builtinSearch(sandbox, request);
  }
}

function answer(found: readonly SearchMatch[], files: number, { ignored, unreadable, incomplete }: Searched) {
  const matches = found.slice(0, MAX_MATCHES);
  const truncated = found.length > matches.length;
  const notes = [
    ...(matches.length === 0 ? [`no matches in ${files} file${files === 1 ? "" : "s"}`] : []),
    ...(truncated
      ? [`the first ${MAX_MATCHES} matching lines, there are more: narrow the query, path or pattern`]
      : []),
    ...(ignored > 0 && matches.length === 0
      ? [`${ignored} left out because of .gitignore, search them with include_ignored`]
      : []),
    ...(unreadable > 0 ? [`${unreadable} could not be read`] : []),
    ...(incomplete ? ["there is too much here to search all of it; narrow path"] : []),
  ];
  const lines = matches.map(({ path, line, text }) => `${printablePath(path)}:${line}: ${printableText(text)}`);
  return success([...lines, ...notes.map((note) => `[${note}]`)].join("\n"), {
    data: { matches: matches.map(({ path, line, text }) => ({ path, line, text })), truncated },
  });
}
