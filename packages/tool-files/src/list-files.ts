import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { globPattern } from "./glob-pattern.ts";
import { listTree } from "./list-tree.ts";
import { attemptOn } from "./path-names.ts";
import { printablePath } from "./printable-path.ts";
import type { Tree } from "./tree.ts";
import { inSandbox, worktreeContext } from "./worktree-context.ts";

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
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe("Most paths to list"),
});

const output = z.object({
  files: z.array(z.string()).describe("Files, relative to the worktree, sorted"),
  directories: z.array(z.string()).describe("Directories, relative to the worktree, sorted; empty when recursive"),
  total: z.int().describe("How many paths there are, listed or not"),
  truncated: z.boolean().describe("Whether there are more than are listed"),
  ignored: z.int().describe("Entries left out because of .gitignore"),
});

/** `list_files`: paths of files. */
export const listFilesTool = defineTool({
  name: "list_files",
  description: `Lists files, one path a line, relative to the worktree; a path that needs quotes is a JSON string. .git and what .gitignore leaves out are not listed unless include_ignored (.git never). At most ${DEFAULT_LIMIT} paths unless limit says otherwise. Lines in square brackets are notes.`,
  parameters,
  output,
  context: worktreeContext,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  async execute({ path, pattern, recursive, include_ignored, limit }, run) {
    const attempt = attemptOn("list", path);
    const glob = pattern === undefined ? undefined : globPattern(pattern, attempt);
    const tree = await inSandbox(run.context.worktreePath, (sandbox) =>
      listTree(sandbox, {
        path,
        pattern: glob,
        recursive,
        includeIgnored: include_ignored,
        links: true,
        directories: !recursive,
        attempt,
        signal: run.signal,
      }),
    );
    const total = tree.files.length + tree.directories.length;
    const directories = tree.directories.slice(0, limit);
    const files = tree.files.slice(0, limit - directories.length);
    const truncated = total > limit;
    const lines = [...directories.map((directory) => printablePath(`${directory}/`)), ...files.map(printablePath)];
    const notes = [
      ...(total === 0 ? [pattern === undefined ? "no files" : "no files match the pattern"] : []),
      ...listingNotes(tree, total, limit),
    ];
    return success([...lines, ...notes.map((note) => `[${note}]`)].join("\n"), {
      data: { files, directories, total, truncated, ignored: tree.ignored },
    });
  },
});

function listingNotes(tree: Tree, total: number, limit: number): string[] {
  const { ignored, links, unreadable, rulesLeftOut, insideIgnored, incomplete } = tree;
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  return [
    ...(total > limit
      ? [`${limit} of ${total} listed; narrow path or pattern, or raise limit (up to ${MAX_LIMIT})`]
      : []),
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
