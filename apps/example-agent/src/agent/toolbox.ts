import { registerCodeTool } from "@dispatch/tool-code";
import { createFileHistory, createUndoTool, registerFileTools, type FileHistory } from "@dispatch/tool-files";
import { openMemory, registerMemoryTools, type MemoryManager, type MemoryAdmin } from "@dispatch/tool-memory";
import { createToolRegistry, type AnyToolRegistry, type OutputKeeper } from "@dispatch/tools-interface";
import { createOutputArchive, type OutputArchive } from "@dispatch/tools-interface/outputs";
import { openRuntime, type OpenRuntimeOptions } from "./open-runtime.ts";

/** The agent's tools, and the resources behind them. */
export interface Toolbox {
  readonly registry: AnyToolRegistry;
  /** Keeps outputs that its model is not shown, for its tool `read_output`. */
  readonly keepOutput: OutputKeeper;
  /** Creates a registry for another front end, over the same memory, history and sandbox. */
  registryWith(addTools: AddTools): AnyToolRegistry;
  /** The agent's memory. */
  readonly memory: MemoryManager;
  /** The administrator's side of the memory: approves, rejects, undoes, forgets. No tool can reach it. */
  readonly admin: MemoryAdmin;
  /** Earlier versions of the files that the tools changed. */
  readonly history: FileHistory;
  close(): Promise<void>;
}

/** Registers further tools. Their stubs are part of the code tool, so it is registered after them. */
export type AddTools = (registry: AnyToolRegistry) => void;

export interface ToolboxOptions extends Pick<OpenRuntimeOptions, "onWarning" | "prewarm"> {
  /** Directory that keeps the memory. Default: none, the memory is gone with `close()`. */
  readonly memory?: string | undefined;
  /** Directory that keeps earlier versions of changed files. Default: they are dropped by `close()`. */
  readonly undo?: string | undefined;
  /** Default: none. */
  readonly addTools?: AddTools;
}

/** Limits of one program: enough calls to read every file of a mid-sized project, and an hour, because people approve some. */
const PROGRAM_LIMITS = { calls: 5_000, totalMs: 3_600_000 };

/** Opens the memory, the file history and the sandbox, and registers the tools of every package. */
export async function openToolbox({
  memory: directory,
  undo,
  addTools,
  onWarning,
  prewarm,
}: ToolboxOptions = {}): Promise<Toolbox> {
  const history = createFileHistory(undo === undefined ? {} : { directory: undo });
  await using opening = new AsyncDisposableStack();
  const memory = opening.adopt(
    await openMemory(directory ?? ":memory:", { owner: "example", actor: "example-agent" }),
    (open) => open.close(),
  );
  const runtime = opening.adopt(openRuntime({ onWarning, prewarm }), (open) => open.close());

  // A program has no files and no network of its own: it changes the worktree through the same file tools, with the same
  // limits and the same transcript as the model.
  const registryOver = (add: AddTools | undefined, archive: OutputArchive): AnyToolRegistry => {
    const registry = createToolRegistry({ keepOutput: archive.keep });
    registerFileTools(registry, { history });
    registry.register(createUndoTool(history));
    registerMemoryTools(registry, memory);
    registry.register(archive.tool);
    add?.(registry);
    registerCodeTool(registry, { runtime, limits: PROGRAM_LIMITS });
    return registry;
  };
  const archive = createOutputArchive();
  const registry = registryOver(addTools, archive);
  const opened = opening.move();
  let closed: Promise<void> | undefined;
  return {
    registry,
    keepOutput: archive.keep,
    // The text that one model may read again is not shared with another.
    registryWith: (add) => registryOver(add, createOutputArchive()),
    memory: memory.manager,
    admin: memory.admin,
    history,
    close: () => (closed ??= opened.disposeAsync()),
  };
}
