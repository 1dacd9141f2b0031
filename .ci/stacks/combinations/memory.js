import { openMemory, registerMemoryTools } from "@dispatch/tool-memory";
import { createToolRegistry } from "@dispatch/tools-interface";

const memory = await openMemory(":memory:");
const registry = registerMemoryTools(createToolRegistry(), memory.manager);
await registry.dispatch("memory_write", { label: "tea", content: "The user drinks green tea" });
const read = await registry.dispatch("memory_read", { query: "green tea" });
await memory.close();
const server = await openMemory("postgres://nobody@127.0.0.1:1/none").then(
  () => "opened",
  (/** @type {{ code?: string }} */ error) => error.code,
);
console.log(String(read).includes("green tea") ? server : String(read));
