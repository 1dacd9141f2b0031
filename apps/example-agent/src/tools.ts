import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { registerCodeTool } from "@dispatch/tool-code";
import { DenoRuntime } from "@dispatch/tool-code/deno";
import { registerFileTools } from "@dispatch/tool-files";
import { openMemory, registerMemoryTools, type MemorySteward } from "@dispatch/tool-memory";
import { createToolRegistry, type AnyToolRegistry } from "@dispatch/tools-interface";

/** The agent's tools, and what only a person may use. */
export interface Toolbox {
  readonly registry: AnyToolRegistry;
  /** Approves, rejects, undoes, forgets. No tool can reach it. */
  readonly steward: MemorySteward;
  close(): Promise<void>;
}

/** Tool calls of one program: enough to read every file of a middling project. */
const MOST_CALLS = 5_000;

/**
 * Every package wired together. Code runs without files and without network of its own: whatever it does to the
 * worktree, it does through the same file tools, with the same limits and the same transcript.
 */
export async function openToolbox(memoryFolder: string | undefined): Promise<Toolbox> {
  const temporary = memoryFolder === undefined ? await mkdtemp(path.join(tmpdir(), "dispatch-memory-")) : undefined;
  const memory = await openMemory(memoryFolder ?? temporary ?? "", { owner: "example", actor: "example-agent" });
  const runtime = new DenoRuntime();
  const registry = createToolRegistry();
  registerFileTools(registry);
  registerMemoryTools(registry, memory.manager);
  registerCodeTool(registry, { runtime, limits: { calls: MOST_CALLS } });
  return {
    registry,
    steward: memory.steward,
    async close() {
      await runtime.close();
      await memory.close();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}
