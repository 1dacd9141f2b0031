import { createToolRegistry, type ToolResult } from "@dispatch/tools-interface";
import type { Memory } from "../src/memory/open-memory.ts";
import { createMemoryFilesTool } from "../src/tools/memory-files-tool.ts";
import { registerMemoryTools } from "../src/tools/memory-tools.ts";
import { findLoose, findLooseLine } from "./find-unescaped.ts";

/** The results of storing texts from the web in every way and reading them again. */
export interface Poisoned {
  /** How often a text left the string or the line it is shown in. */
  readonly unfenced: readonly string[];
  /** How many of them came into core, or into the prompt. */
  readonly inCore: number;
}

/** Stores each text by every way an agent has, in a memory whose core it may write freely, and reads all of it again. */
export async function poison(memory: Memory, texts: readonly string[]): Promise<Poisoned> {
  const { manager, admin } = memory;
  await admin.write({ label: "persona", content: "I am Ada", tier: "core", permission: "append" });
  await admin.write({ label: "profile", content: "Likes tea", tier: "core", permission: "readwrite" });
  const registry = registerMemoryTools(createToolRegistry(), manager).register([createMemoryFilesTool(manager)]);
  const context = { memorySource: "web" } as const;
  const unfenced: string[] = [];
  const read = async (name: string, params: object): Promise<ToolResult> => {
    const result = await registry.dispatch({ name, arguments: params }, { context });
    const text = String(result);
    const loose = findLoose(text.startsWith("Write to ") ? "{}" : text);
    if (loose !== undefined) unfenced.push(`${name}: ${loose} in ${text.slice(0, 200)}`);
    return result;
  };
  for (const [n, content] of texts.entries()) {
    const label = `web/note ${n}`;
    await read("memory_write", { label, content, reason: content.slice(0, 900) });
    for (const params of [{ label: `core ${n}`, tier: "core" }, { label: "persona" }, { label: "profile" }]) {
      await read("memory_write", { ...params, content });
    }
    await manager.move({ label, tier: "core" });
    await registry.dispatch(
      {
        name: "memory",
        arguments: { command: "rename", old_path: `/memories/${label}`, new_path: "/memories/profile" },
      },
      { context },
    );
    await registry.dispatch(
      {
        name: "memory",
        arguments: { command: "insert", path: "/memories/profile", insert_line: 0, insert_text: content },
      },
      { context },
    );
    await read("memory_read", { query: label, limit: 1 });
    const path = `/memories/${label}`;
    const seen = String(await registry.dispatch({ name: "memory", arguments: { command: "view", path } }, { context }));
    const loose = findLooseLine(seen, path);
    if (loose !== undefined) unfenced.push(`view: ${loose}`);
  }
  await read("memory_list", {});
  const after = await memory.renderCore();
  const blocks = (await manager.list({ tier: "core" })).length;
  const clean = after.text.includes('"content":"I am Ada"') && after.text.includes('"content":"Likes tea"');
  return { unfenced, inCore: clean && blocks === 2 ? 0 : blocks };
}
