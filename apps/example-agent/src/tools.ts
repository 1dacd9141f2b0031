import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { registerCodeTool } from "@dispatch/tool-code";
import { DenoRuntime } from "@dispatch/tool-code/deno";
import { createFileHistory, createUndoTool, registerFileTools, type FileHistory } from "@dispatch/tool-files";
import { openMemory, registerMemoryTools, type MemoryManager, type MemorySteward } from "@dispatch/tool-memory";
import { createToolRegistry, type AnyToolRegistry } from "@dispatch/tools-interface";
import { askUserQuestionTool } from "./host-tools/ask-user-question.ts";

/** The agent's tools, and what only a person may use. */
export interface Toolbox {
  readonly registry: AnyToolRegistry;
  /** The same tools for another front end, over the same memory, history and sandbox. */
  registryFor(host: Host): AnyToolRegistry;
  /** What the agent remembers. */
  readonly memory: MemoryManager;
  /** Approves, rejects, undoes, forgets. No tool can reach it. */
  readonly steward: MemorySteward;
  /** What files were before the tools changed them. */
  readonly history: FileHistory;
  close(): Promise<void>;
}

/** Where the tools keep what outlives a call. */
export interface ToolboxFolders {
  /** Keeps the memory. Default: thrown away at the end. */
  readonly memory: string | undefined;
  /** Keeps what changed files were before. Default: thrown away at the end. */
  readonly undo: string | undefined;
}

/** What the front end and the configuration allow. It decides what models are told of; everything is registered always. */
export interface Host {
  /** Whether somebody is there who can be asked questions. */
  readonly canAsk: boolean;
}

/** What tools are made of, whoever uses them: several front ends may share it. */
type ToolParts = Pick<Toolbox, "memory" | "history"> & { readonly runtime: DenoRuntime };

/** Limits of one program: calls enough to read every file of a middling project, and an hour, since people approve some. */
const LIMITS = { calls: 5_000, totalMs: 3_600_000 };

/** Opens what tools need, and makes them. */
export async function openToolbox({ memory: folder, undo }: ToolboxFolders, host: Host): Promise<Toolbox> {
  const temporary = folder === undefined ? await mkdtemp(path.join(tmpdir(), "dispatch-memory-")) : undefined;
  const history = createFileHistory(undo === undefined ? {} : { directory: undo });
  const memory = await openMemory(folder ?? temporary ?? "", { owner: "example", actor: "example-agent" });
  const runtime = new DenoRuntime();
  const parts: ToolParts = { memory: memory.manager, history, runtime };
  return {
    registry: createRegistry(parts, host),
    registryFor: (other) => createRegistry(parts, other),
    memory: memory.manager,
    steward: memory.steward,
    history,
    async close() {
      await runtime.close();
      await memory.close();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * Every package wired together. Code runs without files and without network of its own: whatever it does to the
 * worktree, it does through the same file tools, with the same limits and the same transcript. The code tool comes last,
 * because it tells the model of the others.
 */
function createRegistry({ memory, history, runtime }: ToolParts, { canAsk }: Host): AnyToolRegistry {
  const registry = createToolRegistry();
  registerFileTools(registry, { history });
  registry.register(createUndoTool(history));
  registerMemoryTools(registry, memory);
  registry.register(askUserQuestionTool, { advertised: canAsk });
  registerCodeTool(registry, { runtime, limits: LIMITS });
  return registry;
}
