import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import { createEditFileTool } from "./edit/edit-file.ts";
import { listFilesTool } from "./list/list-files.ts";
import { readFileTool } from "./read/read-file.ts";
import { WriteGate, type WriteOptions } from "./sandbox/write-gate.ts";
import { createSearchFilesTool, type SearchFilesOptions } from "./search/search-files.ts";
import { createCreateFileTool } from "./write/create-file.ts";
import { createWriteFileTool } from "./write/write-file.ts";

/** Options of {@link createFileTools} and {@link registerFileTools}. */
export interface FileToolsOptions extends SearchFilesOptions, WriteOptions {}

/** The six file tools, for any registry. Each call needs `worktreePath` in its context. */
export function createFileTools(options: FileToolsOptions = {}) {
  const gate = new WriteGate(options);
  return [
    readFileTool,
    createWriteFileTool(gate),
    createEditFileTool(gate),
    createCreateFileTool(gate),
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
