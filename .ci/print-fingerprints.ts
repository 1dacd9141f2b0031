/** Prints the fingerprint of every tool that the packages make, by package, as JSON. Needs `--conditions=@dispatch/source`. */
import process from "node:process";
import { createCodeTool } from "../packages/tool-code/src/index.ts";
import { createFileHistory, createFileTools, createUndoTool } from "../packages/tool-files/src/index.ts";
import { createMemoryFilesTool, createMemoryTools, openMemory } from "../packages/tool-memory/src/index.ts";
import { createOutputArchive } from "../packages/tools-interface/src/define/output-archive.ts";
import { createToolRegistry } from "../packages/tools-interface/src/index.ts";

const further = ["read_files", "read_notebook", "delete_file", "move_file", "apply_patch"] as const;
const files = [...createFileTools(), ...createFileTools({ tools: further }), createUndoTool(createFileHistory())];
const code = createCodeTool();
const memory = await openMemory(":memory:");
const { searchTool } = createToolRegistry().register(code, { defer: true });
const tools = {
  "@dispatch/tool-code": [code],
  "@dispatch/tool-files": files,
  "@dispatch/tool-memory": [...createMemoryTools(memory), createMemoryFilesTool(memory)],
  "@dispatch/tools-interface": [createOutputArchive().tool, ...(searchTool === undefined ? [] : [searchTool])],
};
await memory.close();
const printed = Object.entries(tools).map(([name, of]) => [
  name,
  Object.fromEntries(of.map((tool) => [tool.name, tool.fingerprint])),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(printed)));
