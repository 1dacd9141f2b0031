import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import { createFileTool } from "./create-file.ts";
import { editFileTool } from "./edit-file.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { createSearchFilesTool, type SearchFilesOptions } from "./search-files.ts";
import { writeFileTool } from "./write-file.ts";

/** Options of {@link createFileTools} and {@link registerFileTools}. */
export type FileToolsOptions = SearchFilesOptions;

/** The six file tools, for any registry. Each call needs `worktreePath` in its context. */
export function createFileTools(options: FileToolsOptions = {}) {
  return [
    readFileTool,
    writeFileTool,
    editFileTool,
    createFileTool,
    listFilesTool,
    createSearchFilesTool(options),
  ] as const;
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
