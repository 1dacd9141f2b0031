import type { ToolRecord, ToolRegistry } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import {
  toMemoryAccess,
  type MemoryAccess,
  type MemorySource,
  type ToolManager,
  type ToolOver,
} from "./memory-access.ts";
import { createMemoryList } from "./memory-list.ts";
import { createMemoryRead } from "./memory-read.ts";
import { createMemoryWrite } from "./memory-write.ts";

/**
 * `memory_read`, `memory_write` and `memory_list`.
 *
 * @param memory the memory of `openMemory`, a manager of your own, or the store of `openMemoryStore`: then each call needs
 * `memoryOwner` in its context, which says whose memory it is about.
 * @param options as of {@link MemoryToolsOptions}.
 *
 * @example
 * ```ts
 * const memory = await openMemory("./memory");
 * const [memoryRead] = createMemoryTools(memory);
 * const found = await memoryRead.call({ query: "tea" });
 * ```
 */
export function createMemoryTools<const Memory extends MemorySource<ToolManager>>(
  memory: Memory,
  options: MemoryToolsOptions = {},
) {
  checkOptions("create tools for a memory", options, { howToApprove: true });
  return toTools(toMemoryAccess(memory), options) as ToolsOver<Memory>;
}

/** Options of the three tools. */
export interface MemoryToolsOptions {
  /** How a person approves a queued write, such as "run `my-agent pending`". The model reads it, to tell the person. Default: not said. */
  readonly howToApprove?: string | undefined;
}

function toTools(access: MemoryAccess<ToolManager>, { howToApprove }: MemoryToolsOptions) {
  return Object.freeze([
    createMemoryRead(access),
    createMemoryWrite(access, howToApprove),
    createMemoryList(access),
  ] as const);
}

/** The three tools as they are over `Memory`. */
type ToolsOver<Memory> = readonly [
  ToolOver<Memory, ReturnType<typeof createMemoryRead>>,
  ToolOver<Memory, ReturnType<typeof createMemoryWrite>>,
  ToolOver<Memory, ReturnType<typeof createMemoryList>>,
];

/**
 * Adds the three tools to a registry and returns it.
 *
 * @param memory as of {@link createMemoryTools}.
 * @param options as of {@link MemoryToolsOptions}.
 * @throws DuplicateToolError when one of their names is taken; then no tool is added.
 *
 * @example
 * ```ts
 * const memory = await openMemory("./memory");
 * const registry = registerMemoryTools(createToolRegistry(), memory);
 * await registry.dispatch("memory_write", { label: "user/drinks", content: "Prefers green tea" });
 * ```
 */
export function registerMemoryTools<Tools extends ToolRecord, Context, const Memory extends MemorySource<ToolManager>>(
  registry: ToolRegistry<Tools, Context>,
  memory: Memory,
  options?: MemoryToolsOptions,
) {
  return registry.register(createMemoryTools(memory, options));
}
