/**
 * `node .ci/interop.ts [OPTION …]` holds the providers' formats to the providers' own packages, and the MCP server to the
 * protocol's own programs, and the packages to bundlers and runtimes; options go to vitest.
 */
import path from "node:path";
import process from "node:process";
import { root, runCommand, type Outcome } from "./machine/run-command.ts";
import { runPnpm } from "./machine/run-pnpm.ts";

const roots = ["packages/tools-interface/peers", "packages/mcp-server/peers", "apps/example-agent/peers", ".ci/stacks"];

for (const directory of roots) {
  const peers = path.join(root, directory);
  const steps: readonly (readonly [what: string, run: () => Promise<Outcome>])[] = [
    ["install", () => runPnpm(["--dir", peers, "install", "--frozen-lockfile"])],
    ["check the types of", () => runCommand("tsc", ["-p", path.join(peers, "tsconfig.json")])],
    ["run", () => runVitest(peers, process.argv.slice(2))],
  ];
  for (const [what, run] of steps) {
    const { ok, output } = await run();
    if (ok) continue;
    console.error(`Cannot ${what} ${directory}:\n${output}`);
    process.exitCode = 1;
    break;
  }
}

function runVitest(peers: string, options: readonly string[]): Promise<Outcome> {
  // A filter may name a test of one root alone.
  const empty = options.some((option) => !option.startsWith("-")) ? ["--passWithNoTests"] : [];
  const config = path.join(peers, "vitest.config.ts");
  const reporter = `--reporter=${path.join(root, ".ci/test-reporter.ts")}`;
  return runCommand("vitest", ["run", "--config", config, reporter, ...empty, ...options], { inherit: true });
}
