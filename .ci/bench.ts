/**
 * `node .ci/bench.ts [--save] [NAME …]` runs the benches whose path contains a NAME, or all, and prints their figures. `--save` keeps the
 * figures in `.ci/bench-results.json`, with the machine, the commit and the versions of the compared packages.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { findMalformedMetric } from "./checks/metric-line.ts";
import { root } from "./machine/run-command.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h", default: false }, save: { type: "boolean", default: false } },
});
const all = globSync("{packages,apps}/*/bench/*.bench.ts", { cwd: root }).toSorted();
const files = all.filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
if (values.help)
  console.log(
    `npx pnpm bench [--save] [NAME …] runs the benches whose path contains a NAME, or all:\n${all.join("\n")}`,
  );
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
  const [load = 0] = os.loadavg();
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
  if (code !== 0) return `it ended with code ${code}`;
  const fault = findMalformedMetric(lines);
  if (fault === undefined && values.save) save(file, lines, load);
  return fault;
}

/** Keeps the figures of one bench in place of those of its last run. */
function save(file: string, lines: readonly string[], load: number): void {
  const results = path.join(root, ".ci/bench-results.json");
  const kept = JSON.parse(readFileSync(results, "utf8")) as Record<string, unknown>;
  const figures = lines.filter((line) => line.startsWith("METRIC ")).map((line) => line.split(" ").slice(1));
  const peers = path.join(root, path.dirname(file), "../peers/package.json");
  const { dependencies = {} } = existsSync(peers)
    ? (JSON.parse(readFileSync(peers, "utf8")) as { dependencies?: Record<string, string> })
    : {};
  kept[file] = {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root, encoding: "utf8" }).trim(),
    machine: `${os.cpus()[0]?.model}, ${os.cpus().length} cores, ${os.platform()} ${os.arch()}, Node ${process.versions.node}`,
    load: Math.round(load * 10) / 10,
    versions: Object.fromEntries(Object.entries(dependencies).filter(([, version]) => !version.startsWith("link:"))),
    figures: Object.fromEntries(figures.map(([name = "", value, unit]) => [name, `${value} ${unit}`])),
  };
  const sorted = Object.fromEntries(Object.entries(kept).toSorted(([one], [other]) => one.localeCompare(other)));
  writeFileSync(results, `${JSON.stringify(sorted, null, 2)}\n`);
}
