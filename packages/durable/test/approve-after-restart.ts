import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createDurable } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { openDestination } from "./destination.ts";
import { openEngine } from "./open-engine.ts";

/** The question, and its tool. */
export interface ApprovalRun {
  readonly engine: string;
  readonly destination: string;
  readonly calls: number;
  readonly nodeArgs: readonly string[];
}

const program = fileURLToPath(new URL("./asking-worker.ts", import.meta.url));

/**
 * Lets calls wait for approval in a process, kills it, answers from this one while no worker lives, and starts another one.
 *
 * @returns how many calls were asked for, and how many then ran exactly once.
 */
export async function approveAfterRestart({
  engine,
  destination,
  calls,
  nodeArgs,
}: ApprovalRun): Promise<{ readonly asked: number; readonly ran: number }> {
  const durable = createDurable(await openEngine(engine, false));
  const asked = defineTool({
    name: "asked",
    description: "Acts after approval.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    needsApproval: true,
    execute: () => "never here",
  });
  const registry = createToolRegistry().register(asked);
  const start = (): ChildProcess =>
    spawn(process.execPath, [...nodeArgs, program, engine, destination], { stdio: ["ignore", "ignore", "inherit"] });
  const submitted = [];
  for (let n = 0; n < calls; n += 1) {
    const call = { id: `toolu_0${n}a9b8c7d6`, name: "asked", arguments: { n } };
    submitted.push(await durable.submit(registry, call, { session: "asking" }));
  }
  const first = start();
  while ((await durable.open()).waits.length < calls) await pause(50);
  await end(first);
  const { waits } = await durable.open();
  for (const { key } of waits) await durable.answer(key, { approved: true });
  const second = start();
  const results = await Promise.all(submitted.map((call) => call.outcome()));
  await end(second);
  const counts = openDestination(destination).counts();
  const ran = submitted.filter(({ effectId }, n) => results[n]?.success === true && counts.get(effectId) === 1);
  await durable.close();
  return { asked: waits.length, ran: ran.length };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
