import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createDurable } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import pg from "pg";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { buildPackage } from "../../tools-interface/bench/built-package.ts";
// @boundaries-ignore benches build and print in one way
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { openDestination } from "../test/destination.ts";
import { openEngine } from "../test/open-engine.ts";
import { newDatabase } from "./new-database.ts";

/** The directory of this package. */
const packageDirectory = fileURLToPath(new URL("..", import.meta.url));

/**
 * Many durable calls: `node durable-load.bench.ts [CALLS] [CALLS_IN_POSTGRES] [KILLS]`, by default 100,000 of each with eight
 * workers, of which 40 are killed meanwhile. Needs `DISPATCH_TEST_POSTGRES_URL` for PostgreSQL.
 */
const [calls = "100000", serverCalls = calls, kills = "40"] = process.argv.slice(2);
const server = process.env["DISPATCH_TEST_POSTGRES_URL"];
const WORKERS = 8;
const CONCURRENCY = 8;
/** Calls that are submitted at the same time. */
const SUBMITTED = 64;

interface Done {
  readonly times: readonly number[];
  readonly rss: number;
}

buildPackage();
buildPackage(packageDirectory);
// Not in the system's directory for temporary files, which may be in memory.
const cache = path.join(packageDirectory, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const root = mkdtempSync(path.join(cache, "durable-load-"));
const program = fileURLToPath(new URL("./load-process.ts", import.meta.url));

/** Does each number below `count`, several at a time. */
async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: SUBMITTED }, lane));
}

async function load(label: string, url: string, count: number, size: () => Promise<number>): Promise<void> {
  const destination = path.join(root, `${label}-effects`);
  const engine = await openEngine(url, false);
  const durable = createDurable(engine);
  const charge = defineTool({
    name: "charge",
    description: "Acts.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    execute: () => "never here",
  });
  const registry = createToolRegistry().register(charge);
  const effectIds: string[] = [];
  const started = performance.now();
  await inLanes(count, async (n) => {
    const call = { id: `toolu_0${n}a9b8c7d6`, name: "charge", arguments: { n } };
    const { effectId } = await durable.submit(registry, call, { session: `s${n % 100}` });
    effectIds.push(effectId);
  });
  const submitted = performance.now();
  metric(`durable.load.submitted_per_s.${label}`, (1000 * count) / (submitted - started), "calls/s");

  const acted = (): number => statSync(destination, { throwIfNoEntry: false })?.size ?? 0;
  const line = Buffer.byteLength(`${effectIds[0] ?? ""} charge\n`);
  const start = (): ChildProcess =>
    fork(program, [url, destination, `${CONCURRENCY}`], { execArgv: ["--no-deprecation"] });
  const living = Array.from({ length: WORKERS }, start);
  let killed = 0;
  let shown = 0;
  // A call whose outcome is unknown may have had no effect, so the destination alone cannot say when it is over.
  for (let open = count; open > 0;) {
    await pause(200);
    const done = acted() / line;
    if (killed < Number(kills) && done > ((killed + 1) * count) / (Number(kills) + 1)) {
      const at = killed % WORKERS;
      const ended = once(living[at] as ChildProcess, "exit");
      living[at]?.kill("SIGKILL");
      await ended;
      living[at] = start();
      killed += 1;
    }
    if (done - shown > count / 10) console.log(`${label}: ${(shown = Math.floor(done))} effects`);
    if (done > count - killed * CONCURRENCY - 1) open = (await durable.open()).calls.length;
  }
  const ended = performance.now();
  const reports = await Promise.all(
    living.map(async (child) => {
      child.send("stop");
      const [report] = (await once(child, "message")) as [Done];
      return report;
    }),
  );
  const counts = openDestination(destination).counts();
  const found = { lost: 0, unknown: 0, notBegun: 0 };
  await inLanes(count, async (n) => {
    const effectId = effectIds[n] ?? "";
    const record = await engine.find(`${effectId}.1`);
    const result = record?.result as { readonly success: boolean; readonly code?: string } | undefined;
    if (result?.code === "outcome_unknown") found.unknown += 1;
    // The database did not answer, which the outcome says; it may be submitted again.
    else if (result?.code === "durable_unavailable" && !counts.has(effectId)) found.notBegun += 1;
    else if (result?.success !== true || !counts.has(effectId)) found.lost += 1;
  });
  await durable.close();
  const times = reports.flatMap((report) => report.times).toSorted((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  console.log(
    `${label}: ${count} calls, ${WORKERS} workers, ${killed} of them killed, ${found.unknown} outcomes unknown`,
  );
  metric(`durable.load.calls_per_s.${label}`, (1000 * count) / (ended - submitted), "calls/s");
  metric(`durable.load.duplicates.${label}`, [...counts.values()].filter((happened) => happened > 1).length, "effects");
  metric(`durable.load.lost.${label}`, found.lost, "calls");
  metric(`durable.load.not_begun.${label}`, found.notBegun, "calls");
  metric(`durable.load.call_ms_p50.${label}`, at(0.5), "ms");
  metric(`durable.load.call_ms_p99.${label}`, at(0.99), "ms");
  metric(`durable.load.worker_rss.${label}`, Math.max(...reports.map(({ rss }) => rss)) / 2 ** 20, "MiB");
  metric(`durable.load.bytes_per_call.${label}`, (await size()) / count, "bytes");
}

try {
  const file = path.join(root, "calls.db");
  await load("embedded", file, Number(calls), async () => statSync(file).size);
  if (server === undefined) console.log("PostgreSQL was not measured: DISPATCH_TEST_POSTGRES_URL is not set");
  else {
    const url = await newDatabase(server);
    await load("postgres", url, Number(serverCalls), async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ size: string }>("SELECT pg_database_size(current_database()) AS size");
      await client.end();
      return Number(rows[0]?.size);
    });
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
