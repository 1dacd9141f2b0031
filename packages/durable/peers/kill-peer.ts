/**
 * Kills a peer's process until it has died so often, lets it come to an end, and prints the findings as JSON:
 * `node kill-peer.ts PEER STORE DESTINATION CALLS KILLS`.
 */
import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { Outcome } from "./durable-peer.ts";
import { durablePeers } from "./durable-peers.ts";

/** Chance to die before each effect, and after it. */
const CHANCE = 0.12;
/** Most milliseconds that a process lives after it is ready. */
const MAX_LIFE_MS = 1_000;
/** Most milliseconds until all calls are over when nothing dies any more. */
const LAST_MS = 400_000;

const [name = "", store = "", destination = "", calls = "", kills = ""] = process.argv.slice(2);
if (name.startsWith("workflow_agent")) await (await import("./workflow-agent.ts")).buildWorkflows(store);

let killed = 0;
let outcomes: readonly Outcome[] | undefined;
while (outcomes === undefined) {
  const isLast = killed >= Number(kills);
  const args = [name, store, destination, calls, isLast ? "0" : `${CHANCE}`, `${MAX_LIFE_MS}`];
  const child = fork(path.join(import.meta.dirname, "peer-worker.ts"), args, {
    execArgv: ["--no-deprecation"],
    // The workflow kit takes a step from a dead process after 860 seconds by default; one second is the least.
    env: { ...process.env, WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS: "1" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.once("message", (sent) => (outcomes = sent as readonly Outcome[]));
  const patience = isLast ? setTimeout(() => child.kill("SIGTERM"), LAST_MS) : undefined;
  const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) =>
    child.once("exit", (...end) => resolve(end)),
  );
  clearTimeout(patience);
  if (signal === "SIGKILL") killed += 1;
  else if (outcomes === undefined && isLast) outcomes = [];
  else if (outcomes === undefined) throw new Error(`Cannot kill ${name}: its process ended with ${code}`);
}

const counts = new Map<string, number>();
for (const n of existsSync(destination) ? readFileSync(destination, "utf8").trim().split("\n") : [])
  counts.set(n, (counts.get(n) ?? 0) + 1);
const report = { kills: killed, calls: Number(calls), duplicates: 0, lost: 0, wrong: 0, unknown: 0 };
for (let n = 0; n < Number(calls); n += 1) {
  const happened = counts.get(`${n}`) ?? 0;
  const outcome = outcomes[n];
  if (happened > 1) report.duplicates += 1;
  if (outcome === undefined) report.lost += 1;
  else if (outcome === "unknown") report.unknown += 1;
  else if ((outcome === "done") !== happened > 0) report.wrong += 1;
}
const versions = (durablePeers[name]?.packages ?? []).map((each) => {
  const manifest = path.join(import.meta.dirname, "node_modules", each, "package.json");
  return `${each} ${(JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version}`;
});
process.stdout.write(JSON.stringify({ ...report, versions }));
