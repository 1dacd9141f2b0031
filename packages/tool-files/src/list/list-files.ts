import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { printablePath } from "../error/printable-path.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { withSandbox, worktreeContext } from "../sandbox/worktree-context.ts";
import { globPattern } from "./glob-pattern.ts";
import { isAfter, LIST_ORDERS, sortedEntries } from "./list-sort.ts";
import { listTree } from "./list-tree.ts";
import { fromCursor, toCursor } from "./page-cursor.ts";
import type { Tree } from "./tree.ts";

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
  include_ignored: z.boolean().default(false).describe("Whether to list what .gitignore leaves out"),
  include_hidden: z
    .boolean()
    .default(true)
    .describe("Whether to list names that begin with a dot, and what is in them"),
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
  total: z.int().describe("How many paths there are, listed or not"),
  truncated: z.boolean().describe("Whether there are more after those that are listed"),
  cursor: z.string().optional().describe("Where to go on, if there are more"),
  ignored: z.int().describe("Entries left out because of .gitignore"),
});

/** `list_files`: paths of files. */
export const listFilesTool = defineTool({
  name: "list_files",
  description: `Lists files, one path a line, relative to the worktree; a path that needs quotes is a JSON string. .git and what .gitignore leaves out are not listed unless include_ignored (.git never). At most ${DEFAULT_LIMIT} paths unless limit says otherwise; a cut answer says how to go on. Lines in square brackets are notes.`,
  parameters,
  output,
  context: worktreeContext,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async execute({ path, pattern, recursive, include_ignored, include_hidden, sort, limit, cursor }, run) {
    const attempt = attemptOn("list", path);
    const glob = pattern === undefined ? undefined : globPattern(pattern, attempt);
    const place = cursor === undefined ? undefined : fromCursor(cursor, attempt);
    const [tree, entries] = await withSandbox(run.context.worktreePath, async (sandbox) => {
      const found = await listTree(sandbox, {
        path,
        pattern: glob,
        recursive,
        includeIgnored: include_ignored,
        includeHidden: include_hidden,
        links: true,
        directories: !recursive,
        attempt,
        signal: run.signal,
      });
      return [found, sortedEntries(sandbox, found, sort)] as const;
    });
    const left = place === undefined ? entries : entries.filter((entry) => isAfter(entry, place, sort));
    const shown = left.slice(0, limit);
    const last = left.length > limit ? shown.at(-1) : undefined;
    const next = last === undefined ? undefined : toCursor(last);
    const notes = [
      ...(entries.length === 0 ? [pattern === undefined ? "no files" : "no files match the pattern"] : []),
      ...(entries.length > 0 && left.length === 0 ? ["nothing after the cursor"] : []),
      ...(next === undefined ? [] : [cutNote(shown.length, left.length, entries.length, next, tree.incomplete)]),
      ...listingNotes(tree),
    ];
    return success(
      [...shown.map((entry) => printablePath(entry.path)), ...notes.map((note) => `[${note}]`)].join("\n"),
      {
        data: {
          files: shown.filter(({ key }) => key >= 0).map((entry) => entry.path),
          directories: shown.filter(({ key }) => key < 0).map((entry) => entry.path.slice(0, -1)),
          total: entries.length,
          truncated: next !== undefined,
          ...(next !== undefined && { cursor: next }),
          ignored: tree.ignored,
        },
      },
    );
  },
});

function cutNote(shown: number, left: number, total: number, cursor: string, incomplete: boolean): string {
  const atLeast = incomplete ? "at least " : "";
  const begun = left < total ? `, ${atLeast}${left - shown} more after them` : "";
  return `${shown} of ${atLeast}${total} listed${begun}; go on with cursor ${cursor}, narrow path or pattern, or raise limit (up to ${MAX_LIMIT})`;
}

function listingNotes(tree: Tree): string[] {
  const { ignored, links, unreadable, rulesLeftOut, insideIgnored, incomplete } = tree;
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
    ...(unreadable > 0 ? [`${count(unreadable, "directory", "directories")} could not be read`] : []),
    ...(rulesLeftOut > 0 ? [`${count(rulesLeftOut, "rule", "rules")} of .gitignore too complex to apply`] : []),
    ...(incomplete ? ["there is too much here to look at all of it; narrow path"] : []),
  ];
}
