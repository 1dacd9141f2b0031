// Calls in the shapes of known agents: how many do the intended work, or are refused with the call to send instead.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { registerFileTools } from "@dispatch/tool-files";
import { createToolRegistry } from "@dispatch/tools-interface";
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { FOREIGN_CALLS, FOREIGN_FILES } from "../test/foreign-calls.ts";
import { RACING_TOOLS } from "../test/race.ts";

const registry = registerFileTools(createToolRegistry(), { tools: RACING_TOOLS });
let right = 0;
for (const { agent, name, params, meant, advice } of FOREIGN_CALLS) {
  const worktreePath = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tool-files-aliases-")));
  for (const [path, content] of Object.entries(FOREIGN_FILES)) {
    fs.mkdirSync(dirname(join(worktreePath, path)), { recursive: true });
    fs.writeFileSync(join(worktreePath, path), content);
  }
  const sent = JSON.parse(JSON.stringify(params).replaceAll('"/work', `"${worktreePath}`)) as object;
  const result = await registry.dispatch({ name, arguments: sent }, { context: { worktreePath } });
  const found =
    name === "edit_file" && result.success ? fs.readFileSync(join(worktreePath, "src/a.ts"), "utf8") : String(result);
  const fits = typeof meant === "string" ? found.includes(meant) : (meant?.test(found) ?? found.includes(advice ?? ""));
  const isRight = result.success === (meant !== undefined) && result.ignored.length === 0 && fits;
  if (isRight) right += 1;
  else console.error(agent, name, JSON.stringify(params), found);
  fs.rmSync(worktreePath, { recursive: true });
}
metric("files.aliases", right / FOREIGN_CALLS.length, "ratio");
metric("files.aliases.calls", FOREIGN_CALLS.length, "count", 0);
