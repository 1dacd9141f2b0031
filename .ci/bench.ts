/** `node .ci/bench.ts [NAME …]` runs the benches whose path contains a NAME, or all, and prints their figures. */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { findMalformedMetric } from "./checks/metric-line.ts";
import { root } from "./machine/run-command.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h", default: false } },
});
const all = globSync("{packages,apps}/*/bench/*.bench.ts", { cwd: root }).toSorted();
const files = all.filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
if (values.help)
  console.log(`npx pnpm bench [NAME …] runs the benches whose path contains a NAME, or all:\n${all.join("\n")}`);
else if (files.length === 0) {
  console.error(`Cannot run a bench: found none named like ${names.join(" or ")}, there are\n${all.join("\n")}`);
  process.exitCode = 1;
}

for (const file of values.help ? [] : files) {
  const fault = await bench(file);
  if (fault === undefined) continue;
  console.error(`Cannot use ${file}: ${fault}`);
  process.exitCode = 1;
}

/** Streams one bench, alone on the machine as far as this process can ensure it, and returns its fault, if any. */
async function bench(file: string): Promise<string | undefined> {
  const args = ["--conditions=@dispatch/source", "--expose-gc", file];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve).on("error", reject);
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    lines.push(line);
  }
  const code = await ended;
  return code === 0 ? findMalformedMetric(lines) : `it ended with code ${code}`;
}
