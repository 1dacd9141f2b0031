/** `node .ci/interop.ts [OPTION …]` holds the providers' formats to the providers' own packages; options go to vitest. */
import path from "node:path";
import process from "node:process";

import { root, runCommand, type Outcome } from "./run-command.ts";
import { runPnpm } from "./run-pnpm.ts";

const peers = path.join(root, "packages/tools-interface/peers");

const steps: readonly (readonly [what: string, run: () => Promise<Outcome>])[] = [
  ["install the providers' packages", () => runPnpm(["--dir", peers, "install", "--frozen-lockfile"])],
  ["check against their types", () => runCommand("tsc", ["-p", path.join(peers, "tsconfig.json")])],
  ["run with them", () => runVitest(process.argv.slice(2))],
];

for (const [what, run] of steps) {
  const { ok, output } = await run();
  if (ok) continue;
  console.error(`Cannot ${what}:\n${output}`);
  process.exitCode = 1;
  break;
}

function runVitest(options: readonly string[]): Promise<Outcome> {
  return runCommand("vitest", ["run", "--config", path.join(peers, "vitest.config.ts"), ...options], { inherit: true });
}
