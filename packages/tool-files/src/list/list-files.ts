import { defineTool, success } from "@dispatch/tools-interface";
import { Semaphore, unlessAborted } from "@dispatch/tools-interface/internal";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { namedPaths, printablePath } from "../error/printable-path.ts";
import type { TreeCopy } from "../file-system/staged-worktree.ts";
import { withSuggestions } from "../file-system/suggest-path.ts";
import { readInTree } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { worktreeContext, type WorktreeContext } from "../sandbox/worktree-context.ts";
import { globPattern, pathMatcher, patternHints } from "./glob-pattern.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { fromCursor, goesOn, LIST_ORDERS, listPage, type ListPage, type ListPageRequest } from "./list-page.ts";
import { listThreads, MAX_LISTINGS } from "./list-threads.ts";
import { LIST_TIMEOUT_MS, MAX_ENTRIES, QUICK_LISTING } from "./list-tree.ts";

/** Limits of a listing on the main thread. */
const QUICK = { ...QUICK_LISTING, maxStats: 500 };
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;

const parameters = z.object({
  path: z.string().default(".").describe("Directory to list, relative to the worktree"),
  pattern: z
    .string()
    .optional()
    .describe('Glob relative to path, such as "*.ts" (at any depth) or "src/**/*.{ts,tsx}". Default: all files'),
  recursive: z
    .boolean()
    .default(true)
    .describe("Whether to go into directories; if false, directories are listed with a slash at the end"),
  include_ignored: z.boolean().default(false).describe("Whether to list files that .gitignore excludes"),
  include_hidden: z.boolean().default(true).describe("Whether to list names that begin with a dot, and their contents"),
  sort: z
    .enum(LIST_ORDERS)
    .default("path")
    .describe("Order: by path, by time with the latest change first, or by size with the largest first"),
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe("Most paths to list"),
  cursor: z.string().optional().describe("Where to go on, as the answer said that was cut; all else must be the same"),
});

const output = z.object({
  files: z.array(z.string()).describe("Files, relative to the worktree, in order"),
  directories: z.array(z.string()).describe("Directories, relative to the worktree, in order; empty when recursive"),
  total: z
    .int()
    .optional()
    .describe(
      "How many paths there are, listed or not; not counted where a recursive listing goes on in order of path",
    ),
  truncated: z.boolean().describe("Whether there are more after those that are listed"),
  cursor: z.string().optional().describe("Where to go on, if there are more"),
  ignored: z.int().describe("Entries left out because of .gitignore"),
});

const queue = new Semaphore(MAX_LISTINGS);

/** Makes `list_files`: paths of files. */
export function createListFilesTool() {
  return defineTool({
    name: "list_files",
    description: `Lists files, one path a line, relative to the worktree; a path that needs quotes is a JSON string. .git and what .gitignore leaves out are not listed unless include_ignored (.git never). At most ${DEFAULT_LIMIT} paths unless limit says otherwise; a cut answer says how to go on. Lines in square brackets are notes.`,
    parameters,
    translate: translateAliases("list_files", parameters, { maxLimit: MAX_LIMIT }),
    output,
    context: worktreeContext,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute(params, run) {
      const attempt = attemptOn("list", params.path);
      const request: ListPageRequest = {
        path: params.path,
        pattern: params.pattern === undefined ? undefined : globPattern(params.pattern, attempt),
        recursive: params.recursive,
        includeIgnored: params.include_ignored,
        includeHidden: params.include_hidden,
        sort: params.sort,
        limit: params.limit,
        place: params.cursor === undefined ? undefined : fromCursor(params.cursor, attempt),
        attempt,
      };
      const { worktreePath } = run.context;
      const list = async (sandbox: Sandbox) => {
        run.signal.throwIfAborted();
        const quick = listPage(sandbox, request, QUICK);
        if (quick !== undefined && !quick.incomplete && quick.total?.atLeast !== true) return quick;
        const { workingDirectory, strength } = sandbox;
        return listThreads.run(
          "listPage",
          { worktree: { workingDirectory, worktreePath, strength }, request },
          run.signal,
        );
      };
      const page = await unlessAborted(
        queue.run(() => withSuggestions(run.context, params.path, () => listInTree(run.context, request, list))),
        run.signal,
      );
      const { shown, total, cursor, ignored } = page;
      const lines = [
        ...shown.map(({ path }) => printablePath(path)),
        ...notesOn(page, params).map((note) => `[${note}]`),
      ];
      return success(lines.join("\n"), {
        data: {
          files: shown.filter(({ key }) => key >= 0).map(({ path }) => path),
          directories: shown.filter(({ key }) => key < 0).map(({ path }) => path.slice(0, -1)),
          ...(total !== undefined && { total: total.entries }),
          truncated: cursor !== undefined || page.incomplete,
          ...(cursor !== undefined && { cursor }),
          ignored,
        },
      });
    },
  });
}

function notesOn(page: ListPage, { pattern, limit }: z.infer<typeof parameters>): string[] {
  const { shown, total, cursor, incomplete } = page;
  const none = incomplete ? "none found" : pattern === undefined ? "no files" : "no files match the pattern";
  return [
    ...(total?.entries === 0 ? [none, ...patternHints(pattern)] : []),
    ...(total?.entries !== 0 && shown.length === 0 ? [incomplete ? none : "nothing after the cursor"] : []),
    ...(cursor === undefined ? [] : [cutNote(page, cursor, shown.length === limit)]),
    ...listingNotes(page),
  ];
}

function cutNote({ shown, left, total }: ListPage, cursor: string, byLimit: boolean): string {
  const atLeast = total?.atLeast === true ? "at least " : "";
  const of = total === undefined ? "" : ` of ${atLeast}${total.entries}`;
  const begun =
    total === undefined || left === undefined || left === total.entries
      ? ""
      : `, ${atLeast}${left - shown.length} more after them`;
  const raise = byLimit ? `, or raise limit (up to ${MAX_LIMIT})` : ": an answer holds no more";
  const narrow = byLimit ? "narrow path or pattern" : "or narrow path or pattern";
  return `${shown.length}${of} listed${begun}; go on with cursor ${cursor}, ${narrow}${raise}`;
}

function listingNotes(tree: ListPage): string[] {
  const { ignored, links, unreadable, nameless, rulesLeftOut, insideIgnored, incomplete } = tree;
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  return [
    ...(ignored > 0
      ? [`${count(ignored, "entry", "entries")} left out because of .gitignore, list them with include_ignored`]
      : []),
    ...(insideIgnored ? ["this directory itself is left out by .gitignore; listed because it was named"] : []),
    ...(links > 0
      ? [
          `${count(links, "symbolic link", "symbolic links")} left out: to a directory, to nothing, or out of the worktree`,
        ]
      : []),
    ...(unreadable.length > 0
      ? [`${count(unreadable.length, "directory", "directories")} could not be read: ${namedPaths(unreadable)}`]
      : []),
    ...(nameless > 0 ? [`${count(nameless, "entry", "entries")} left out: the name is not UTF-8`] : []),
    ...(rulesLeftOut > 0 ? [`${count(rulesLeftOut, "rule", "rules")} of .gitignore too complex to apply`] : []),
    ...(incomplete
      ? [
          `stopped after ${MAX_ENTRIES.toLocaleString("en")} entries or ${LIST_TIMEOUT_MS / 1000} s, there is more here; narrow path`,
        ]
      : []),
  ];
}

/** Runs `act`, which makes a page, in the sandbox of a call's worktree. Of another file system it gets the files that the page needs. */
async function listInTree(
  context: WorktreeContext,
  request: ListPageRequest,
  act: (sandbox: Sandbox) => Promise<ListPage>,
): Promise<ListPage> {
  const { path, place, recursive, includeIgnored } = request;
  const whole = { contents: () => false, recursive, leftOut: includeIgnored ? undefined : IgnoreRules.none };
  const reach = (tree: TreeCopy) => ({ verb: "list", path, tree });
  if (!goesOn(request) || context.fileSystem === undefined) return readInTree(context, reach(whole), act);
  const from = place === undefined || place.key < 0 ? undefined : place.path;
  const enough = enoughFor(request);
  const page = await readInTree(context, reach({ ...whole, from, isEnough: enough.isEnough }), act);
  // Files that the copy counted may not be listed: it does not apply all rules.
  if (page.cursor !== undefined || !enough.wasReached()) return page;
  return readInTree(context, reach({ ...whole, from }), act);
}

/** Counts the files that seem to belong to a page, up to those that prove that there are more. */
function enoughFor({ pattern, includeHidden, limit, place }: ListPageRequest) {
  const matcher = pattern === undefined ? undefined : pathMatcher(pattern, true);
  let left = limit + 1;
  return {
    isEnough: (path: string, inTree: string): boolean => {
      const hidden = !includeHidden && inTree.split("/").some((name) => name.startsWith("."));
      if (path !== place?.path && !hidden && matcher?.matches(inTree) !== false) left -= 1;
      return left <= 0;
    },
    wasReached: () => left <= 0,
  };
}
