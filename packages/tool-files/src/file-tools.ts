import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import { createEditFileTool } from "./edit/edit-file.ts";
import { createListFilesTool } from "./list/list-files.ts";
import { readFileTool } from "./read/read-file.ts";
import { WriteGate, type WriteOptions } from "./sandbox/write-gate.ts";
import { createSearchFilesTool, type SearchFilesOptions } from "./search/search-files.ts";
import { createCreateFileTool } from "./write/create-file.ts";
import { createWriteFileTool } from "./write/write-file.ts";

/** Options of {@link createFileTools} and {@link registerFileTools}. */
export interface FileToolsOptions extends SearchFilesOptions, WriteOptions {}

/**
 * Creates the six file tools with the host's options, for any registry. Each call needs `worktreePath` in its context.
 * {@link fileTools} has the same tools with the defaults, by name.
 */
export function createFileTools(options: FileToolsOptions = {}) {
  const { read_file, write_file, edit_file, create_file, list_files, search_files } = toolsByName(options);
  return [read_file, write_file, edit_file, create_file, list_files, search_files] as const;
}

/**
 * The six file tools with the default options, keyed by the name a model calls them by.
 *
 * @example
 * ```ts
 * await fileTools.read_file.call({ path: "README.md" }, { context: { worktreePath: "/home/agent/project" } });
 * ```
 */
export const fileTools = Object.freeze(toolsByName({}));

function toolsByName(options: FileToolsOptions) {
  const gate = new WriteGate(options);
  return {
    read_file: readFileTool,
    write_file: createWriteFileTool(gate),
    edit_file: createEditFileTool(gate),
    create_file: createCreateFileTool(gate),
    list_files: createListFilesTool(),
    search_files: createSearchFilesTool(options),
  };
}

/**
 * Registers the six file tools and returns the registry, typed with them.
 *
 * @example
 * ```ts
 * const registry = registerFileTools(createToolRegistry());
 * await registry.dispatch("read_file", { path: "README.md" }, { context: { worktreePath: "/home/agent/project" } });
 * ```
 */
export function registerFileTools<Tools extends ToolRecord, Context>(
  registry: ToolRegistry<Tools, Context>,
  options: FileToolsOptions = {},
) {
  return registry.register(createFileTools(options));
}
