import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import { createEditFileTool } from "./edit/edit-file.ts";
import { FilesError } from "./error/files-error.ts";
import { createListFilesTool } from "./list/list-files.ts";
import { createApplyPatchTool } from "./patch/apply-patch.ts";
import { readFileTool } from "./read/read-file.ts";
import { readFilesTool } from "./read/read-files.ts";
import { WriteGate, type WriteOptions } from "./sandbox/write-gate.ts";
import { createSearchFilesTool, type SearchFilesOptions } from "./search/search-files.ts";
import { createCreateFileTool } from "./write/create-file.ts";
import { createDeleteFileTool } from "./write/delete-file.ts";
import { createMoveFileTool } from "./write/move-file.ts";
import { createWriteFileTool } from "./write/write-file.ts";

/** Options of {@link createFileTools} and {@link registerFileTools}. */
export interface FileToolsOptions extends SearchFilesOptions, WriteOptions {}

/** How each tool is made. */
const MAKERS = {
  read_file: () => readFileTool,
  write_file: ({ gate }: Parts) => createWriteFileTool(gate),
  edit_file: ({ gate }: Parts) => createEditFileTool(gate),
  create_file: ({ gate }: Parts) => createCreateFileTool(gate),
  list_files: () => createListFilesTool(),
  search_files: ({ options }: Parts) => createSearchFilesTool(options),
  read_files: () => readFilesTool,
  delete_file: ({ gate }: Parts) => createDeleteFileTool(gate),
  apply_patch: ({ gate }: Parts) => createApplyPatchTool(gate),
  move_file: ({ gate }: Parts) => createMoveFileTool(gate),
};

interface Parts {
  readonly gate: WriteGate;
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
  const { tools: names = DEFAULT_TOOLS } = options;
  const parts = { gate: new WriteGate(options), options };
  return names.map((name) => {
    if (Object.hasOwn(MAKERS, name)) return MAKERS[name](parts);
    throw new FilesError(
      `Cannot create file tools: found the name ${JSON.stringify(name)}, allowed are ${Object.keys(MAKERS).join(", ")}`,
      { code: "invalid_option" },
    );
  }) as unknown as ToolsOf<Names>;
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
