import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createDurable } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import pg from "pg";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { buildPackage } from "../../tools-interface/bench/built-package.ts";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { approveAfterRestart } from "../test/approve-after-restart.ts";
import { openEngine } from "../test/open-engine.ts";
import { runKills, type KillReport } from "../test/run-kills.ts";
import { disturbPostgres } from "./disturb-postgres.ts";
import { newDatabase } from "./new-database.ts";

/** The directory of this package. */
const packageDirectory = fileURLToPath(new URL("..", import.meta.url));

/**
 * Durable calls: `node durable.bench.ts [KILLS] [KILLS_IN_POSTGRES]`, by default 1,000 of each with eight workers. Needs
 * `DISPATCH_TEST_POSTGRES_URL` for PostgreSQL, of a server that writes to disk (`fsync`) for the times. With a command in
 * `DISPATCH_BENCH_RESTART` the server is restarted by it, without a shutdown, while workers are killed.
 */
const [kills = "1000", serverKills = kills] = process.argv.slice(2);
const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
/** Single calls that are measured, one after the other. */
const CALLS = 400;
const APPROVALS = 200;
/** The children load the package as it is published, which takes a tenth of the time of the source. */
const nodeArgs = ["--no-deprecation"];

buildPackage();
buildPackage(packageDirectory);
// Not in the system's directory for temporary files, which may be in memory.
const cache = path.join(packageDirectory, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const root = mkdtempSync(path.join(cache, "durable-bench-"));
let runs = 0;
const file = (name: string): string => path.join(root, `${name}-${(runs += 1)}`);

function report(label: string, { kills: killed, calls, duplicates, lost, unknown, named, untold }: KillReport): void {
  console.log(`${label}: ${killed} workers killed, ${calls} calls, ${unknown} outcomes unknown`);
  metric(`durable.duplicates.${label}`, duplicates, "effects");
  metric(`durable.lost.${label}`, lost, "calls");
  metric(`durable.untold.${label}`, untold, "calls");
  metric(`durable.unknown_named.${label}`, unknown === 0 ? 1 : named / unknown, "share");
}

/** Milliseconds of each of several single calls. */
async function timeCalls(url: string): Promise<number[]> {
  const durable = createDurable(await openEngine(url, false));
  const session = durable.session("times");
  const tool = defineTool({
    name: "nothing",
    description: "Does nothing.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    execute: () => "nothing",
  });
  const registry = createToolRegistry().register(tool);
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const started = performance.now();
    const call = { id: `toolu_0${n}a9b8c7d6`, name: "nothing", arguments: { n } };
    const result = await registry.dispatch(call, { durable: session });
    if (!result.success) throw new Error(String(result));
    times.push(performance.now() - started);
  }
  await durable.close();
  return times;
}

/** Milliseconds of an insert with its commit, as anybody would write it. */
async function timeInserts(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE TABLE IF NOT EXISTS bare (id TEXT PRIMARY KEY, body TEXT)");
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const started = performance.now();
    await client.query("INSERT INTO bare VALUES ($1, $2)", [crypto.randomUUID(), "x".repeat(300)]);
    times.push(performance.now() - started);
  }
  await client.query("DROP TABLE bare");
  await client.end();
  return times;
}

try {
  metric("durable.call_ms.embedded_p50", median(await timeCalls(file("calls.db"))), "ms");
  const run = { calls: APPROVALS, nodeArgs };
  const embedded = await approveAfterRestart({ ...run, engine: file("calls.db"), destination: file("effects") });
  metric("durable.approval_after_restart.embedded", embedded.ran, `of_${APPROVALS}`);
  const killed = { workers: 8, nodeArgs };
  report(
    "embedded",
    await runKills({
      ...killed,
      kills: +kills,
      calls: +kills * 4,
      engine: file("calls.db"),
      destination: file("effects"),
    }),
  );
  if (server === undefined) console.log("PostgreSQL was not measured: DISPATCH_TEST_POSTGRES_URL is not set");
  else {
    const inserts = median(await timeInserts(server));
    const calls = median(await timeCalls(await newDatabase(server)));
    metric("durable.insert_ms.postgres_p50", inserts, "ms");
    metric("durable.call_ms.postgres_p50", calls, "ms");
    metric("durable.call.postgres_vs_insert", calls / inserts, "times");
    const destination = file("effects");
    const asked = await approveAfterRestart({ ...run, engine: await newDatabase(server), destination });
    metric("durable.approval_after_restart.postgres", asked.ran, `of_${APPROVALS}`);
    const engine = await newDatabase(server);
    const options = { ...killed, kills: +serverKills, calls: +serverKills * 4, engine, destination: file("effects") };
    report("postgres", await runKills(options));
    const own = await newDatabase(server);
    const { disturb, done } = disturbPostgres(own, process.env["DISPATCH_BENCH_RESTART"]);
    const harmed = { ...options, engine: own, destination: file("effects"), disturb };
    report("postgres_disturbed", await runKills(harmed));
    console.log(`${done.terminated} connections ended, ${done.restarts} restarts of the server`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
