// Applies a patch to two files and is killed just before the second one is replaced.
import fs from "node:fs";
import { createToolRegistry } from "@dispatch/tools-interface";
import { registerFileTools } from "../src/index.ts";

const [worktreePath = ""] = process.argv.slice(2);
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (String(to).endsWith("/b.txt")) process.kill(process.pid, "SIGKILL");
  renameSync(from, to);
};
const update = (path: string) => [`*** Update File: ${path}`, "@@", "-old", "+new"];
const patch = ["*** Begin Patch", ...update("a.txt"), ...update("b.txt"), "*** End Patch"].join("\n");
const registry = registerFileTools(createToolRegistry(), { tools: ["apply_patch"] });
await registry.dispatch("apply_patch", { patch }, { context: { worktreePath } });
