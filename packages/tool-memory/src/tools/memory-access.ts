import { z } from "zod";
import type { MemoryManager } from "../block/memory-manager.ts";
import { SOURCES, type Source } from "../block/provenance.ts";

/** The methods of a manager that the three tools use. */
export type ToolManager = Pick<MemoryManager, "read" | "write" | "list">;

/** The memory of one owner, as `openMemory` opens it. */
export interface HeldMemory<Manager> {
  /** The agent's side. */
  readonly manager: Manager;
}

/** The memories of many owners, as `openMemoryStore` opens them. */
export interface HeldStore<Manager> {
  /** The memory of an owner. Throws for an id that is none. */
  owner(id: string, options?: { readonly session?: string | undefined }): HeldMemory<Manager>;
}

/** What tools can be made over: one owner's memory, its manager or one of your own, or a store. */
export type MemorySource<Manager> = Manager | HeldMemory<Manager> | HeldStore<Manager>;

/**
 * The call context of tools over one memory. `memorySource` names the least trusted source in the model's conversation;
 * default: the `source` that the memory was opened with.
 */
const memoryContext = z.object({ memorySource: z.enum(SOURCES).optional() });

/**
 * The call context of tools over a store: whose memory a call is about, and optionally the session for the history. The host
 * sets both; no parameter of a tool does.
 */
const ownerContext = memoryContext.extend({
  memoryOwner: z.string().min(1).max(200),
  memorySession: z.string().min(1).max(200).optional(),
});

/** Schema of the context of tools over one memory, or over a store. */
export type MemoryContextSchema = typeof memoryContext | typeof ownerContext;

/** The schema of the context that tools over `Memory` need. */
export type ContextSchemaOf<Memory> = Memory extends HeldStore<unknown> ? typeof ownerContext : typeof memoryContext;

/** The context of a call, once it was checked. It may be absent where all its properties are optional. */
export type MemoryContext = Partial<z.infer<typeof ownerContext>> | undefined;

/** How tools get at a memory. */
export interface MemoryAccess<Manager, Context extends MemoryContextSchema> {
  /** Schema of the context. */
  readonly context: Context;
  /** The manager that a call is about. */
  managerOf(context: MemoryContext): Manager;
}

/** How tools get at a memory, a manager or the memories of a store. */
export function toMemoryAccess<Manager extends object, const Memory extends MemorySource<Manager>>(
  memory: Memory,
): MemoryAccess<Manager, ContextSchemaOf<Memory>> {
  if ("owner" in memory && typeof memory.owner === "function") {
    const store = memory as HeldStore<Manager>;
    return {
      context: ownerContext as ContextSchemaOf<Memory>,
      managerOf: ({ memoryOwner = "", memorySession } = {}) =>
        store.owner(memoryOwner, { session: memorySession }).manager,
    };
  }
  const manager = "manager" in memory ? (memory as HeldMemory<Manager>).manager : (memory as Manager);
  return { context: memoryContext as ContextSchemaOf<Memory>, managerOf: () => manager };
}

/** The source that the host named, if any. */
export function sourceOf(context: MemoryContext): Source | undefined {
  return context?.memorySource;
}
