import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";

const worktreePath = await mkdtemp(path.join(tmpdir(), "dispatch-files-"));
await writeFile(path.join(worktreePath, "a.txt"), "hello\n");
const registry = registerFileTools(createToolRegistry());
const read = await registry.dispatch("read_file", { path: "a.txt" }, { context: { worktreePath } });
const found = await registry.dispatch("search_files", { query: "hello" }, { context: { worktreePath } });
await rm(worktreePath, { recursive: true });
console.log(String(read).includes("hello") && String(found).includes("a.txt") ? "works" : `${read} ${found}`);
