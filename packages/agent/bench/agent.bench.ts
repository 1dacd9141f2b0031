import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createApprovalDesk } from "@dispatch/policy/approvals";
import { createToolRegistry, defineTool, type AnyTool } from "@dispatch/tools-interface";
// @boundaries-ignore figures are printed in one way
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { scriptedAgent } from "../src/__fixtures__/scripted-agent.ts";
import { createAgentTool } from "../src/index.ts";

/** How often each depth is gone through. */
const ROUNDS = Number(process.env["AGENT_ROUNDS"] ?? 4);
/** Processes that one conversation may take before it counts as lost. */
const MAX_PROCESSES = 40;

let [lost, twice, duplicates, processes, kills] = [0, 0, 0, 0, 0];
for (let round = 0; round < ROUNDS; round += 1) {
  for (let depth = 1; depth <= 5; depth += 1) await converse(depth);
}
metric("agent.approvals_lost", lost, "approvals");
metric("agent.approvals_asked_twice", twice, "approvals");
metric("agent.effects_twice", duplicates, "effects");
metric("agent.conversations", ROUNDS * 5, "conversations");
metric("agent.processes", processes, "processes");
metric("agent.kills", kills, "processes");
await cancelDeep();

/** One conversation, from process to process: some end as pending, others hold their question until they are killed. */
async function converse(depth: number): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), "agent-bench-"));
  const [file, effects] = [path.join(directory, "calls.db"), path.join(directory, "effects")];
  const engine = await openSqliteEngine(file);
  const desk = createApprovalDesk({ engine });
  const asked = new Map<string, number>();
  let isDone = false;
  for (let count = 0; !isDone && count < MAX_PROCESSES; count += 1) {
    processes += 1;
    const isHeld = Math.random() < 0.5;
    const script = path.join(import.meta.dirname, "agent-process.ts");
    const given = [file, effects, String(depth), isHeld ? "60000" : "0"];
    const child = spawn(process.execPath, ["--conditions=@dispatch/source", script, ...given], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
    const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
    if (isHeld) {
      while (child.exitCode === null && (await desk.waiting()).length === 0) await sleep(10);
      await sleep(Math.random() * 50);
      if (child.exitCode === null) kills += 1;
      child.kill("SIGKILL");
    }
    await closed;
    isDone = said.trim() === "done";
    for (const { key, parents, params } of await desk.waiting()) {
      const about = JSON.stringify([parents, params]);
      asked.set(about, (asked.get(about) ?? 0) + 1);
      await desk.answer(key, { approved: true, by: "bench" });
    }
  }
  const paid = readFileSync(effects, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("paid"));
  lost += depth - new Set(paid).size;
  duplicates += paid.length - new Set(paid).size;
  for (const times of asked.values()) twice += times - 1;
  await engine.close();
  rmSync(directory, { recursive: true, force: true });
}

/** Cancels a tool that runs five agents deep. */
async function cancelDeep(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const stop = new AbortController();
    let started: () => void = () => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    let tool: AnyTool = defineTool({
      name: "level0",
      description: "Never ends.",
      parameters: { type: "object", properties: {} } as const,
      execute: (_, { signal }) => (started(), new Promise(() => signal)),
    });
    for (let level = 1; level <= 5; level += 1) {
      const calls = [{ name: tool.name, arguments: level === 1 ? {} : { task: "x" } }];
      const tools = createToolRegistry().register(tool) as never;
      const model = scriptedAgent(() => ({ calls }));
      tool = createAgentTool({ name: `level${level}`, description: "x", instructions: "x", model, tools }) as AnyTool;
    }
    const result = createToolRegistry()
      .register(tool)
      .dispatch("level5", { task: "x" } as never, { signal: stop.signal });
    await running;
    const start = performance.now();
    stop.abort();
    await result;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  metric("agent.cancel_ms", times.at(-1) as number, "ms");
}
