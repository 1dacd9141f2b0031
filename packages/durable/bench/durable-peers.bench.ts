import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { buildPackage } from "../../tools-interface/bench/built-package.ts";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { installPeers, runPeers } from "../../tools-interface/bench/peers-directory.ts";
import { newDatabase } from "./new-database.ts";

/** The directory of this package. */
const packageDirectory = fileURLToPath(new URL("..", import.meta.url));

/**
 * Other systems that keep calls, killed as ours: `node durable-peers.bench.ts [CALLS] [KILLS] [PEER …]`, by default 120 calls and
 * 30 kills of each. Needs `DISPATCH_TEST_POSTGRES_URL` for those that keep calls in PostgreSQL.
 */
const [calls = "120", kills = "30", ...chosen] = process.argv.slice(2);
const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
const ON_FILES = ["dispatch", "openai_agents", "workflow_agent", "workflow_agent_once"];
const ON_SERVER = ["dispatch_postgres", "dbos"];

interface Report {
  readonly kills: number;
  readonly calls: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly wrong: number;
  readonly unknown: number;
  readonly versions: readonly string[];
}

buildPackage();
buildPackage(packageDirectory);
installPeers("../../durable/peers");
const cache = path.join(packageDirectory, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const root = mkdtempSync(path.join(cache, "durable-peers-"));
try {
  for (const name of [...ON_FILES, ...ON_SERVER].filter((one) => chosen.length === 0 || chosen.includes(one))) {
    const needsServer = ON_SERVER.includes(name);
    if (needsServer && server === undefined) {
      console.log(`${name} was not measured: DISPATCH_TEST_POSTGRES_URL is not set`);
      continue;
    }
    const store = needsServer ? await newDatabase(server ?? "") : path.join(root, name);
    const args = [name, store, path.join(root, `${name}-effects`), calls, kills];
    const report = JSON.parse(await runPeers("../../durable/peers/kill-peer.ts", args)) as Report;
    console.log(`${name} ${report.versions.join(", ")}: ${report.kills} kills, ${report.calls} calls`);
    metric(`durable.duplicates.${name}`, report.duplicates, "calls");
    metric(`durable.lost.${name}`, report.lost, "calls");
    metric(`durable.wrong.${name}`, report.wrong, "calls");
    metric(`durable.unknown.${name}`, report.unknown, "calls");
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
