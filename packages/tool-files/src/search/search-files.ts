import { defineTool, success, type ToolRun } from "@dispatch/tools-interface";
import { Semaphore, unlessAborted } from "@dispatch/tools-interface/internal";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { FilesError } from "../error/files-error.ts";
import { withSuggestions } from "../file-system/suggest-path.ts";
import { readInTree } from "../file-system/work-in-tree.ts";
import { globPattern, patternHints } from "../list/glob-pattern.ts";
import { IgnoreRules } from "../list/ignore-rules.ts";
import { fromCursor } from "../list/list-page.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { worktreeContext } from "../sandbox/worktree-context.ts";
import { encodingName } from "../text/encoding-name.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { escapedLiteral, JAVASCRIPT_NOTE, otherForms } from "./query-forms.ts";
import { RipgrepOverflowError, ripgrepProgram, RipgrepUnavailableError } from "./ripgrep/ripgrep-process.ts";
import { searchAnswer } from "./search-answer.ts";
import type { FileMatches } from "./search-findings.ts";
import { MAX_SEARCHES, type SearchQuery, type SearchRequest } from "./search-request.ts";
import { type SearchOutcome, type SearchPlace, searchTree } from "./search-tree.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_CONTEXT = 20;
const MAX_QUERY = 2000;
const DEADLINE_MS = 30_000;
const queue = new Semaphore(MAX_SEARCHES);

const parameters = z.object({
  query: z.string().min(1).max(MAX_QUERY).describe("Text to find in a line, or a regular expression if is_regex"),
  path: z.string().default(".").describe("Directory or file to search, relative to the worktree"),
  pattern: z
    .string()
    .optional()
    .describe('Glob of the files to search, relative to path, such as "*.ts" (at any depth). Default: all files'),
  is_regex: z
    .boolean()
    .default(false)
    .describe(
      "Whether query is a regular expression (Rust syntax: no look-around, no back-references; (?i) ignores case; without ripgrep JavaScript syntax, which the answer says)",
    ),
  ignore_case: z.boolean().default(false).describe("Whether case does not matter"),
  multiline: z
    .boolean()
    .default(false)
    .describe("Whether a match may go over several lines, each of which is shown; files up to 8 MiB"),
  context_lines: z.int().min(0).max(MAX_CONTEXT).default(0).describe("Lines to show before and after each match"),
  mode: z
    .enum(["lines", "files", "count"])
    .default("lines")
    .describe("What to answer: matching lines, only the files that have any, or the files and how many each has"),
  include_ignored: z.boolean().default(false).describe("Whether to search files that .gitignore excludes"),
  include_hidden: z.boolean().default(true).describe("Whether to search names that begin with a dot"),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .describe("Most matching lines to show, or files in the other modes"),
  cursor: z.string().optional().describe("Where to go on, as the answer said that was cut; all else must be the same"),
  encoding: z
    .string()
    .optional()
    .describe("Encoding of the files that are neither UTF-8 nor UTF-16, such as windows-1251 or Shift_JIS"),
});

function outputOf({ based }: LineNumbers) {
  return z.object({
    matches: z
      .array(
        z.object({
          path: z.string().describe("File, relative to the worktree"),
          line: z.int().describe(`${based} number of the line`),
          text: z.string().describe("The line, cut around the match if long"),
          before: z.array(z.string()).optional().describe("Lines before it, if context_lines"),
          after: z.array(z.string()).optional().describe("Lines after it, if context_lines"),
        }),
      )
      .describe("Matching lines, in mode lines"),
    files: z
      .array(z.object({ path: z.string(), count: z.int().optional().describe("Matching lines, in mode count") }))
      .optional()
      .describe("Matching files, in the other modes"),
    truncated: z.boolean().describe("Whether there are more matches after these"),
    cursor: z.string().optional().describe("Where to go on, if there are more"),
    timed_out: z.boolean().describe("Whether the search ended when its time was over, with the matches so far"),
    regex_syntax: z
      .literal("JavaScript")
      .optional()
      .describe("Set if is_regex was read by JavaScript because ripgrep could not be used"),
    ignored: z.int().describe("Entries left out because of .gitignore, as far as the search came"),
    omissions: z
      .array(
        z.object({
          reason: z
            .enum(["binary", "encoding", "long_line", "too_large", "unreadable", "name"])
            .describe(
              "binary: may match, lines are not shown; encoding: it is unknown; long_line: searched up to its first 256 KB; too_large: to be decoded or searched over several lines; unreadable; name: is not UTF-8",
            ),
          count: z.int().describe("How many files or directories"),
          paths: z.array(z.string()).describe("The first of them, relative to the worktree"),
        }),
      )
      .describe("Files that were not searched, or not wholly"),
  });
}

/** Options of `search_files`. */
export interface SearchFilesOptions {
  /**
   * The ripgrep to search with. `false`: none, the built-in engine searches. Default: the one installed with this
   * package, or the built-in engine where there is none.
   */
  readonly ripgrep?: string | false;
}

/** Makes `search_files`: lines of files that hold a text or match a regular expression. */
export function createSearchFilesTool(options: SearchFilesOptions, numbers: LineNumbers) {
  return defineTool({
    name: "search_files",
    description: `Searches text files line by line. Each line of the answer is path:line: text, lines ${numbers.based} as in read_file; path:line- text is a line around a match. At most ${DEFAULT_LIMIT} matching lines unless limit says otherwise, in order of path; a cut answer says how to go on. .git and what .gitignore leaves out are not searched, links are not followed. Lines in square brackets are notes; they name the files that could not be searched wholly, and binary files that match.`,
    parameters,
    translate: translateAliases("search_files", parameters, { maxLimit: MAX_LIMIT }),
    output: outputOf(numbers),
    context: worktreeContext,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    execute(params, run) {
      return unlessAborted(
        queue.run(() => execute(params, run, { ...options, numbers })),
        run.signal,
      );
    },
  });
}

async function execute(
  { path, pattern, mode, limit, context_lines: contextLines, cursor, ...params }: z.infer<typeof parameters>,
  run: ToolRun<z.infer<typeof worktreeContext>>,
  { numbers, ...options }: SearchFilesOptions & { readonly numbers: LineNumbers },
) {
  run.signal.throwIfAborted();
  const attempt = attemptOn("search", path);
  const place = cursor === undefined ? undefined : fromCursor(cursor, attempt);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const signal = AbortSignal.any([run.signal, deadline]);
  const query = toQuery(params, attempt);
  const { worktreePath } = run.context;
  try {
    const request: SearchRequest = {
      query,
      scope: {
        path,
        pattern: pattern === undefined ? undefined : globPattern(pattern, attempt),
        includeIgnored: params.include_ignored,
        includeHidden: params.include_hidden,
      },
      mode,
      // One more than is shown, which proves that there are more.
      limit: limit + 1,
      after: place && { path: place.path, line: place.key },
      contextLines: mode === "lines" ? contextLines : 0,
      encoding: params.encoding === undefined ? undefined : encodingName(params.encoding, attempt),
      forms: await otherForms(query, signal),
      attempt,
      signal,
    };
    const leftOut = params.include_ignored ? undefined : IgnoreRules.none;
    const tree = { contents: () => true, recursive: true, leftOut, from: place?.path };
    const reach = { verb: "search", path, tree };
    const outcome = await withSuggestions(run.context, path, () =>
      readInTree(run.context, reach, (sandbox) => search({ sandbox, worktreePath, deadline }, request, options)),
    );
    const { text, files, cursor: next } = searchAnswer(outcome, request, limit, numbers);
    const byJavaScript = params.is_regex && outcome.engine === "javascript";
    const hints = [
      ...(byJavaScript ? [JAVASCRIPT_NOTE] : []),
      ...(files.length === 0 ? noMatchHints(request, pattern) : []),
    ].map((hint) => `[${hint}]`);
    return success([text, ...hints].join("\n"), {
      data: {
        ...toData({ mode, contextLines, files, next, numbers }, outcome),
        ...(byJavaScript && { regex_syntax: "JavaScript" as const }),
      },
    });
  } catch (error) {
    if (params.is_regex && error instanceof FilesError && error.code === "invalid_regex")
      throw new FilesError(`${error.message}\n${NO_REGEX_HINT}`, { code: error.code, cause: error });
    if (!deadline.aborted || run.signal.aborted) throw error;
    throw new FilesError(
      `${attempt}: nothing found and no file finished after ${DEADLINE_MS / 1000} s, narrow it by path or pattern or use a simpler query`,
      { code: "search_timeout", cause: error },
    );
  }
}

function toData(
  {
    mode,
    contextLines,
    files,
    next,
    numbers,
  }: {
    readonly mode: SearchRequest["mode"];
    readonly contextLines: number;
    readonly files: readonly FileMatches[];
    readonly next: string | undefined;
    readonly numbers: LineNumbers;
  },
  { endedAt, incomplete, ignored, omissions }: SearchOutcome,
): z.input<ReturnType<typeof outputOf>> {
  return {
    matches: files.flatMap(({ path, lines }) =>
      lines.map(({ line, text, before, after }) => ({
        path,
        line: numbers.of(line),
        text,
        ...(contextLines > 0 && { before: [...before], after: [...after] }),
      })),
    ),
    ...(mode !== "lines" && { files: files.map(({ path, count }) => ({ path, ...(mode === "count" && { count }) })) }),
    truncated: next !== undefined || incomplete,
    ...(next !== undefined && { cursor: next }),
    timed_out: endedAt !== undefined,
    ignored,
    omissions: omissions.map(({ reason, count, paths }) => ({ reason, count, paths: [...paths] })),
  };
}

function toQuery(
  params: {
    readonly query: string;
    readonly is_regex: boolean;
    readonly ignore_case: boolean;
    readonly multiline: boolean;
  },
  attempt: string,
): SearchQuery {
  const { query, is_regex, ignore_case: ignoreCase, multiline } = params;
  const refuse = (found: string) => new FilesError(`${attempt}: the query holds ${found}`, { code: "invalid_query" });
  if (query.includes("\0") || !query.isWellFormed())
    throw refuse("a NUL or half a character, which no text file holds; search for other parts of it");
  const breaks = /[\r\n]/.test(query);
  if (breaks && !multiline) throw refuse("a line break; search for one line of it, or set multiline");
  const literal = breaks && !is_regex;
  return { text: literal ? escapedLiteral(query) : query, isRegex: is_regex || literal, ignoreCase, multiline };
}

async function search(
  place: Omit<SearchPlace, "program">,
  request: SearchRequest,
  options: SearchFilesOptions,
): Promise<SearchOutcome> {
  const program = options.ripgrep === false ? undefined : (options.ripgrep ?? ripgrepProgram());
  const builtin = () => searchTree(request, { ...place, program: undefined });
  if (program === undefined) return builtin();
  try {
    return await searchTree(request, { ...place, program });
  } catch (error) {
    if (!(error instanceof RipgrepUnavailableError || error instanceof RipgrepOverflowError)) throw error;
    return builtin();
  }
}

/** Signs of a regular expression that seldom stand in a text. */
const LOOKS_LIKE_REGEX = /\.[*+]|\\[bBdDsSwW.()[\]{}|*+?^$]|\[[^\]]+\][*+?]?|\|\S|^\^|[^\\\s]\$$|\(\?/;
/** A character without a meaning of its own in a regular expression, or one whose meaning is taken away. */
const IS_PLAIN = /^(?:[^\\^$.|?*+()[\]{}]|\\[^\w\s])*$/;

/** Hints on the intended meaning of a search without matches. `pattern` is the glob as it was given. */
function noMatchHints({ query }: SearchRequest, pattern: string | undefined): string[] {
  return [...queryHints(query), ...patternHints(pattern)];
}

function queryHints({ text, isRegex, multiline }: SearchRequest["query"]): string[] {
  if (!isRegex && LOOKS_LIKE_REGEX.test(text))
    return ["the query was taken as a text and looks like a regular expression: set is_regex if it is one"];
  if (isRegex && text.includes("\\") && IS_PLAIN.test(text))
    return [
      "the query was taken as a regular expression, in which a backslash only takes away the meaning of the next character: for a text as it stands leave out is_regex",
    ];
  if (isRegex && !multiline && text.includes("\\n"))
    return ["the query was searched for in one line at a time: set multiline to search over several"];
  return [];
}

/** Follows the error about a query that is no regular expression. */
const NO_REGEX_HINT = "if it is meant as a text as it stands, leave out is_regex";
