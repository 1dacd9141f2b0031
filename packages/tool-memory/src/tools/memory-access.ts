import { type Tool, failure, ToolError, type ToolFailure, type ToolResult } from "@dispatch/tools-interface";
import { z } from "zod";
import { SOURCES, type Source } from "../block/memory-block.ts";
import type { MemoryManager } from "../block/memory-manager.ts";

/** The methods of a manager that the three tools use. */
export type ToolManager = Pick<MemoryManager, "search" | "write" | "list">;

/** The memory of one owner, as `openMemory` opens it. */
export interface HeldMemory<Manager> {
  /** The agent's side. */
  readonly manager: Manager;
}

/** The fields of a call's context beside its owner. */
interface OwnerContext {
  readonly session?: string | undefined;
  readonly readScopes?: readonly string[] | undefined;
}

/** The memories of many owners, as `openMemoryStore` opens them. */
export interface HeldStore<Manager> {
  /** The memory of an owner. Throws for an id that is none. */
  owner(id: string, options?: OwnerContext): HeldMemory<Manager>;
}

/** The objects that tools can be made for: one owner's memory, its manager or one of your own, or a store. */
export type MemorySource<Manager> = Manager | HeldMemory<Manager> | HeldStore<Manager>;

/** The call context of tools over one memory. */
export interface MemoryContext {
  /** The least trusted source in the model's conversation. Default: the `source` that the memory was opened with. */
  readonly memorySource?: Source | undefined;
}

/** The call context of tools over a store. The host sets it; no parameter of a tool does. */
export interface StoreContext extends MemoryContext {
  /** The owner whose memory a call is about, 1 to 200 characters. */
  readonly memoryOwner: string;
  /** The session for the history, 1 to 200 characters. Default: none. */
  readonly memorySession?: string | undefined;
  /** Ids of owners whose memories can be read too, as `readScopes` of the store's `owner`. Default: none. */
  readonly memoryReadScopes?: readonly string[] | undefined;
}

/** The call context that tools over `Memory` need. */
type ContextFor<Memory> = Memory extends HeldStore<unknown> ? StoreContext : MemoryContext;

/** A tool as it is over `Memory`. */
export type ToolOver<Memory, Made> =
  // oxlint-disable-next-line no-unused-vars -- the context is the part that is replaced
  Made extends Tool<infer Name, infer Input, infer Data, infer _Context, infer Params>
    ? Tool<Name, Input, Data, ContextFor<Memory>, Params>
    : never;

const memoryContext = z.object({ memorySource: z.enum(SOURCES).optional() });
const storeContext = memoryContext.extend({
  memoryOwner: z.string().min(1).max(200),
  memorySession: z.string().min(1).max(200).optional(),
  memoryReadScopes: z.array(z.string().min(1).max(200)).optional(),
});

/** The context of a call, once it was checked. It is absent where the host gave none and needs none. */
type CallContext = Partial<StoreContext> | undefined;

/** How tools get at a memory. */
export interface MemoryAccess<Manager> {
  readonly context: z.ZodType<CallContext, CallContext>;
  readonly managerOf: (context: CallContext) => Manager;
}

/** How tools get at a memory, a manager or the memories of a store. */
export function toMemoryAccess<Manager extends object>(memory: MemorySource<Manager>): MemoryAccess<Manager> {
  if ("owner" in memory && typeof memory.owner === "function") {
    return {
      context: storeContext,
      managerOf: ({ memoryOwner = "", memorySession: session, memoryReadScopes: readScopes } = {}) =>
        memory.owner(memoryOwner, { session, readScopes }).manager,
    };
  }
  const manager = "manager" in memory ? memory.manager : (memory as Manager);
  return { context: memoryContext, managerOf: () => manager };
}

/**
 * Runs a tool's call of a manager. An error of the database may contain paths, statements and other owners' texts, so the
 * model reads only that the call failed. The host finds the error's message in `metadata.cause`.
 */
export async function guardMemory<Result extends ToolResult>(
  attempt: string,
  advice: string,
  work: () => Promise<Result>,
): Promise<Result | ToolFailure> {
  try {
    return await work();
  } catch (error) {
    if (ToolError.isInstance(error)) throw error;
    return failure(`${attempt}: the memory did not answer as it should; ${advice}`, {
      code: "memory_unavailable",
      metadata: { cause: error instanceof Error ? error.message : typeof error },
    });
  }
}
