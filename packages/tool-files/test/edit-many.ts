// Replaces one number after the other of a file, each with a call of its own: for tests with several processes.
import { createToolRegistry } from "@dispatch/tools-interface";
import { registerFileTools } from "../src/index.ts";

const [worktreePath = "", path = "", from = "0", count = "0"] = process.argv.slice(2);
const registry = registerFileTools(createToolRegistry());
const failures: string[] = [];
for (let number = Number(from); number < Number(from) + Number(count); number += 1) {
  const edits = [{ old_text: `<${number}>`, new_text: `[${number}]` }];
  const result = await registry.dispatch("edit_file", { path, edits }, { context: { worktreePath } });
  if (!result.success) failures.push(`${number}: ${result.error}`);
}
process.stdout.write(JSON.stringify(failures));
