/** `node .ci/tool.ts NAME …` runs a tool of the gate on the repository, installing it first when it is missing. */
import process from "node:process";
import { installTools } from "./machine/install-tools.ts";
import { runCommand } from "./machine/run-command.ts";

const [name, ...args] = process.argv.slice(2);
if (name === undefined) throw new Error("Cannot run a tool: no name was given, allowed are those in .ci/package.json");
await installTools();
const { ok, output } = await runCommand(name, args, { inherit: true });
if (output !== "") console.error(output);
process.exitCode = ok ? 0 : 1;
