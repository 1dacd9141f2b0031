import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { registerCodeTool } from "@dispatch/tool-code";
import { DenoRuntime } from "@dispatch/tool-code/deno";
import { createFileHistory, createUndoTool, registerFileTools, type FileHistory } from "@dispatch/tool-files";
import { openMemory, registerMemoryTools, type MemoryManager, type MemorySteward } from "@dispatch/tool-memory";
import { createToolRegistry, type AnyToolRegistry } from "@dispatch/tools-interface";
import { askUserQuestionTool } from "../host-tools/ask-user-question.ts";
import { codeSearchTool } from "../host-tools/code-search.ts";
import { createLoadSkillTool } from "../host-tools/load-skill.ts";
import type { SearchEngine } from "../host-tools/search-engine.ts";
import type { Skill } from "../host-tools/skills.ts";
import { createWebSearchTool } from "../host-tools/web-search.ts";

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

/** What the tools are given, whoever uses them. */
export interface ToolboxOptions {
  /** Keeps the memory. Default: thrown away at the end. */
  readonly memory: string | undefined;
  /** Keeps what changed files were before. Default: thrown away at the end. */
  readonly undo: string | undefined;
  /** Skills that the user installed. Default: none. */
  readonly skills?: readonly Skill[];
  /** What searches the web. Default: nothing. */
  readonly webSearch?: SearchEngine | undefined;
}

/** What a front end allows. With the configuration it decides what models are told of; everything is registered always. */
export interface Host {
  /** Whether somebody is there who can be asked questions. */
  readonly canAsk: boolean;
}

/** What tools are made of, whoever uses them: several front ends may share it. */
type ToolParts = Pick<Toolbox, "memory" | "history"> &
  Pick<ToolboxOptions, "skills" | "webSearch"> & { readonly runtime: DenoRuntime };

/** Limits of one program: calls enough to read every file of a middling project, and an hour, since people approve some. */
const LIMITS = { calls: 5_000, totalMs: 3_600_000 };

/** Opens what tools need, and makes them. */
export async function openToolbox(options: ToolboxOptions, host: Host): Promise<Toolbox> {
  const { memory: folder, undo, skills, webSearch } = options;
  const temporary = folder === undefined ? await mkdtemp(path.join(tmpdir(), "dispatch-memory-")) : undefined;
  const history = createFileHistory(undo === undefined ? {} : { directory: undo });
  const memory = await openMemory(folder ?? temporary ?? "", { owner: "example", actor: "example-agent" });
  const runtime = new DenoRuntime();
  const parts: ToolParts = { memory: memory.manager, history, runtime, ...(skills && { skills }), webSearch };
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
 * because it tells the model of the others. What the host cannot do is not advertised, and still dispatched: a restored
 * transcript may ask for it, and is told why it cannot be done.
 */
function createRegistry(
  { memory, history, runtime, skills = [], webSearch }: ToolParts,
  { canAsk }: Host,
): AnyToolRegistry {
  const registry = createToolRegistry();
  registerFileTools(registry, { history });
  registry.register(createUndoTool(history));
  registerMemoryTools(registry, memory);
  registry.register(codeSearchTool);
  registry.register(createWebSearchTool(webSearch), { advertised: webSearch !== undefined });
  registry.register(createLoadSkillTool(skills), { advertised: skills.length > 0 });
  registry.register(askUserQuestionTool, { advertised: canAsk });
  registerCodeTool(registry, { runtime, limits: LIMITS });
  return registry;
}
