import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import type { MemoryManager } from "../block/memory-manager.ts";
import { createMemoryList } from "./memory-list.ts";
import { createMemoryRead } from "./memory-read.ts";
import { createMemoryWrite } from "./memory-write.ts";

/** The methods of a manager that the three tools use. */
export type ToolManager = Pick<MemoryManager, "read" | "write" | "list">;

/** `memory_read`, `memory_write` and `memory_list` over a manager: that of `openMemory` or your own. */
export function createMemoryTools(manager: ToolManager) {
  return Object.freeze([createMemoryRead(manager), createMemoryWrite(manager), createMemoryList(manager)] as const);
}

/**
 * Adds the three tools to a registry and returns it.
 *
 * @throws DuplicateToolError when one of their names is taken; then no tool is added.
 */
export function registerMemoryTools<Tools extends ToolRecord, Context>(
  registry: ToolRegistry<Tools, Context>,
  manager: ToolManager,
) {
  return registry.register(createMemoryTools(manager));
}
