import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createDurable, type Durable } from "@dispatch/durable";
import { openDestination } from "./destination.ts";
import { effectTools, TOOL_NAMES } from "./effect-tools.ts";
import { openEngine } from "./open-engine.ts";

/** Options of a run of kills. */
export interface KillOptions {
  /** The file or URL of the engine, new. */
  readonly engine: string;
  /** The file of the destination, new. */
  readonly destination: string;
  /** How many workers are killed. */
  readonly kills: number;
  /** How many workers live at a time. */
  readonly workers: number;
  /** How many calls are submitted. */
  readonly calls: number;
  /** Arguments of Node, beside the worker. */
  readonly nodeArgs: readonly string[];
  /** Harms the database now and then while workers are killed, such as by a restart. Default: nothing does. */
  readonly disturb?: () => Promise<void>;
}

/** The findings after a run of kills. */
export interface KillReport {
  readonly kills: number;
  readonly calls: number;
  /** Effects that happened more often than once, of tools that must not be begun twice. */
  readonly duplicates: number;
  /** Calls without an outcome, successes without an effect, and effects without a call that says so. */
  readonly lost: number;
  /** Outcomes that nobody knows. */
  readonly unknown: number;
  /** Those of them that are listed as questions. */
  readonly named: number;
  /** Sessions whose transcript does not hold each call exactly once. */
  readonly untold: number;
}

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** Chance to die at each moment of a tool. */
const CHANCE = 0.12;
/** Between two disturbances of the database, in milliseconds. */
const DISTURB_MS = 3_000;
/** Most milliseconds that a worker lives. */
const MAX_LIFE_MS = 700;

/** Submits calls, kills the workers that run them, and counts the outcomes. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const durable = createDurable(await openEngine(options.engine, false));
  const registry = effectTools(openDestination(options.destination), () => {});
  const effects: {
    readonly effectId: string;
    readonly name: string;
    readonly callId: string;
    readonly session: string;
  }[] = [];
  for (let n = 0; n < options.calls; n += 1) {
    const name = TOOL_NAMES[n % TOOL_NAMES.length] ?? "charge";
    const session = `s${n % 10}`;
    const callId = `toolu_0${n}a9b8c7d6`;
    const { effectId } = await durable.submit(registry, { id: callId, name, arguments: { n } }, { session });
    effects.push({ effectId, name, callId, session });
  }
  const over = new AbortController();
  const disturbed = (async () => {
    while (!over.signal.aborted && options.disturb !== undefined) {
      await pause(DISTURB_MS * (0.5 + Math.random()));
      await options.disturb();
    }
  })();
  // A database that is gone says nothing.
  const countOpen = async (): Promise<number> => (await durable.open()).calls.length;
  const kills = await killWorkers(options, () =>
    countOpen().then(
      (open) => open === 0,
      () => false,
    ),
  );
  over.abort();
  await disturbed;
  const report = await count(durable, options.destination, effects);
  await durable.close();
  return { kills, calls: options.calls, ...report };
}

/** Keeps workers alive and counts those that die, until there were enough and nothing is open. */
async function killWorkers(
  { engine, destination, kills, workers, nodeArgs }: KillOptions,
  isDone: () => Promise<boolean>,
): Promise<number> {
  const living = new Set<ChildProcess>();
  let killed = 0;
  let started = 0;
  const start = (): void => {
    const chance = started < kills ? CHANCE : 0;
    started += 1;
    const args = [...nodeArgs, program, engine, destination, `${chance}`, `${MAX_LIFE_MS}`];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
    living.add(child);
    child.once("exit", (_, signal) => {
      living.delete(child);
      if (signal === "SIGKILL") killed += 1;
      // One that could not start, such as without a database, does not count: another one is killed in its place.
      else started -= 1;
      if (!isStopped) start();
    });
  };
  let isStopped = false;
  for (let n = 0; n < workers; n += 1) start();
  const isOver = async (): Promise<boolean> => killed >= kills && (await isDone());
  while (!(await isOver())) await pause(50);
  isStopped = true;
  const ended = [...living].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of living) child.kill("SIGKILL");
  await Promise.all(ended);
  return killed;
}

async function count(
  durable: Durable,
  destination: string,
  calls: readonly {
    readonly effectId: string;
    readonly name: string;
    readonly callId: string;
    readonly session: string;
  }[],
): Promise<Omit<KillReport, "kills" | "calls">> {
  const counts = openDestination(destination).counts();
  const { waits } = await durable.open();
  const asked = new Set(waits.filter(({ kind }) => kind === "unknown").map(({ key }) => key));
  const report = { duplicates: 0, lost: 0, unknown: 0, named: 0, untold: 0 };
  const texts = new Map<string, readonly string[]>();
  for (const session of new Set(calls.map((call) => call.session))) {
    const entries = (await durable.session(session).transcript?.entries()) ?? [];
    texts.set(
      session,
      entries.map(({ callId }) => callId),
    );
    for (const entry of entries.filter(({ parentCallId }) => parentCallId !== undefined)) {
      const [, effectId] = /done (eff_\w+)/.exec(JSON.stringify(entry.result)) ?? [];
      if (effectId !== undefined && (counts.get(effectId) ?? 0) > 1) report.duplicates += 1;
      if (effectId !== undefined && !counts.has(effectId)) report.lost += 1;
    }
  }
  for (const { effectId, name, callId, session } of calls) {
    const result = await durable.engine.find(`${effectId}.1`);
    const outcome = (result?.result ?? undefined) as { success: boolean; code?: string; effects?: string } | undefined;
    const happened = counts.get(effectId) ?? 0;
    const acts = name === "charge" || name === "charge_asked" || name === "set";
    if (happened > 1 && name !== "set") report.duplicates += 1;
    if (outcome === undefined) report.lost += 1;
    else if (acts && outcome.success !== happened > 0 && outcome.code !== "outcome_unknown") report.lost += 1;
    if (outcome?.code === "outcome_unknown") {
      report.unknown += 1;
      if (asked.has(`unknown:${effectId}.1`)) report.named += 1;
    }
    if (texts.get(session)?.filter((id) => id === callId).length !== 1) report.untold += 1;
  }
  return report;
}
