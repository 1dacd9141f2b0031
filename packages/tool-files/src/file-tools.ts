import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { createEditFileTool } from "./edit/edit-file.ts";
import { FilesError } from "./error/files-error.ts";
import { createListFilesTool } from "./list/list-files.ts";
import { createApplyPatchTool } from "./patch/apply-patch.ts";
import { createReadFileTool } from "./read/read-file.ts";
import { createReadFilesTool } from "./read/read-files.ts";
import { createReadNotebookTool } from "./read/read-notebook.ts";
import { WriteGate, type WriteOptions } from "./sandbox/write-gate.ts";
import { createSearchFilesTool, type SearchFilesOptions } from "./search/search-files.ts";
import { LineNumbers } from "./text/line-numbers.ts";
import { createCreateFileTool } from "./write/create-file.ts";
import { createDeleteFileTool } from "./write/delete-file.ts";
import { createMoveFileTool } from "./write/move-file.ts";
import { createWriteFileTool } from "./write/write-file.ts";

/** Options of {@link createFileTools} and {@link registerFileTools}. */
export interface FileToolsOptions extends SearchFilesOptions, WriteOptions {
  /** The number of a file's first line, in parameters and answers. Default 0. */
  readonly firstLine?: 0 | 1;
}

/** How each tool is made. */
const MAKERS = {
  read_file: ({ numbers }: Parts) => createReadFileTool(numbers),
  write_file: ({ gate }: Parts) => createWriteFileTool(gate),
  edit_file: ({ gate, numbers }: Parts) => createEditFileTool(gate, numbers),
  create_file: ({ gate }: Parts) => createCreateFileTool(gate),
  list_files: () => createListFilesTool(),
  search_files: ({ options, numbers }: Parts) => createSearchFilesTool(options, numbers),
  read_notebook: ({ numbers }: Parts) => createReadNotebookTool(numbers),
  read_files: ({ numbers }: Parts) => createReadFilesTool(numbers),
  delete_file: ({ gate }: Parts) => createDeleteFileTool(gate),
  apply_patch: ({ gate, numbers }: Parts) => createApplyPatchTool(gate, numbers),
  move_file: ({ gate }: Parts) => createMoveFileTool(gate),
};

interface Parts {
  readonly gate: WriteGate;
  readonly numbers: LineNumbers;
  readonly options: FileToolsOptions;
}

/** The names of all file tools. The first six are made by default, any other when it is asked for. */
export type FileToolName = keyof typeof MAKERS;

const DEFAULT_TOOLS = ["read_file", "write_file", "edit_file", "create_file", "list_files", "search_files"] as const;

type ToolsOf<Names extends readonly FileToolName[]> = {
  readonly [Index in keyof Names]: ReturnType<(typeof MAKERS)[Names[Index]]>;
};

/**
 * Creates file tools with the host's options, for any registry: the six of {@link fileTools}, or those that `tools` names.
 * Each call needs `worktreePath` in its context.
 *
 * @throws {FilesError} For a name or an option that cannot be used; code `invalid_option`.
 *
 * @example
 * ```ts
 * createFileTools({ tools: ["read_file", "edit_file", "move_file", "delete_file"] });
 * ```
 */
export function createFileTools<const Names extends readonly FileToolName[] = typeof DEFAULT_TOOLS>(
  options: FileToolsOptions & { readonly tools?: Names } = {},
): ToolsOf<Names> {
  checkOptions("create file tools", options, {
    tools: true,
    ripgrep: true,
    firstLine: true,
    afterWrite: true,
    protectedPaths: true,
    history: true,
  });
  const { tools: names = DEFAULT_TOOLS } = options;
  const parts = { gate: new WriteGate(options), numbers: lineNumbers(options), options };
  return names.map((name) => {
    if (Object.hasOwn(MAKERS, name)) return MAKERS[name](parts);
    throw new FilesError(
      `Cannot create file tools: found the name ${JSON.stringify(name)}, allowed are ${Object.keys(MAKERS).join(", ")}`,
      { code: "invalid_option" },
    );
  }) as unknown as ToolsOf<Names>;
}

function lineNumbers({ firstLine = 0 }: FileToolsOptions): LineNumbers {
  if ((firstLine as unknown) === 0 || (firstLine as unknown) === 1) return new LineNumbers(firstLine);
  throw new FilesError(`Cannot create file tools: firstLine is ${JSON.stringify(firstLine)}, allowed are 0 and 1`, {
    code: "invalid_option",
  });
}

/**
 * The six default file tools with the default options, keyed by the name a model calls them by.
 *
 * @example
 * ```ts
 * await fileTools.read_file.call({ path: "README.md" }, { context: { worktreePath: "/home/agent/project" } });
 * ```
 */
export const fileTools = Object.freeze(defaultTools());

function defaultTools() {
  const [read_file, write_file, edit_file, create_file, list_files, search_files] = createFileTools();
  return { read_file, write_file, edit_file, create_file, list_files, search_files };
}

/**
 * Registers file tools, the six or those that `tools` names, and returns the registry, typed with them.
 *
 * @example
 * ```ts
 * const registry = registerFileTools(createToolRegistry());
 * await registry.dispatch("read_file", { path: "README.md" }, { context: { worktreePath: "/home/agent/project" } });
 * ```
 */
export function registerFileTools<
  Tools extends ToolRecord,
  Context,
  const Names extends readonly FileToolName[] = typeof DEFAULT_TOOLS,
>(registry: ToolRegistry<Tools, Context>, options: FileToolsOptions & { readonly tools?: Names } = {}) {
  return registry.register(createFileTools<Names>(options));
}
