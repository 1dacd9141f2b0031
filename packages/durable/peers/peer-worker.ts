/**
 * A process that dies: `node peer-worker.ts PEER STORE DESTINATION CALLS CHANCE MAX_MS`. Before and after each effect it kills
 * itself with this chance, and at a random time below MAX_MS anyway. With a chance of 0 it lives until all calls are over
 * and sends their outcomes.
 */
import { appendFileSync } from "node:fs";
import process from "node:process";
import type { Charge, Outcome } from "./durable-peer.ts";
import { durablePeers } from "./durable-peers.ts";

const [name = "", store = "", destination = "", calls = "", chance = "", maxMs = ""] = process.argv.slice(2);
const armed = Promise.withResolvers<void>();
const die = (): boolean => process.kill(process.pid, "SIGKILL");
const reach = (): void => {
  if (Math.random() < Number(chance)) die();
};
const charge: Charge = async (n) => {
  await armed.promise;
  reach();
  appendFileSync(destination, `${n}\n`);
  reach();
  return `done ${n}`;
};
const ready = (): void => {
  armed.resolve();
  if (Number(chance) > 0) setTimeout(die, Math.random() * Number(maxMs));
};
const peer = await durablePeers[name]?.open(store);
const outcomes: readonly Outcome[] | undefined = await peer?.run(Number(calls), charge, ready);
process.send?.(outcomes, () => process.exit(0));
