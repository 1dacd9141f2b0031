/**
 * Measures programs against the start of an empty one, and calls against a bare exchange of lines with Deno, side by
 * side in every round. Prints one line a figure.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { z } from "zod";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { DenoRuntime } from "../src/deno/index.ts";
import { findDeno } from "../src/deno/process/deno-binary.ts";
import { registerCodeTool } from "../src/index.ts";

const START_ROUNDS = 15;
const BRIDGE_ROUNDS = 7;
/** Enough for a spare process to be ready again, in milliseconds. */
const PAUSE_MS = 150;
/** Runs back to back: far more than are kept ready. */
const SUSTAINED = 8;
const SEQUENTIAL = 4_000;
const PARALLEL = 20_000;
const AT_ONCE = 64;
const SLOW_MS = 50;

const directory = mkdtempSync(path.join(tmpdir(), "code-bench-"));
const limits = { calls: 1_000_000, maxConcurrency: AT_ONCE, wallMs: 60_000, hostMb: 1_000 };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const callTool = async (name: string, params: unknown): Promise<unknown> => {
  if (name === "slow") await pause(SLOW_MS);
  return params;
};
const found: { [name: string]: number[] } = {};

function record(name: string, value: number): void {
  (found[name] ??= []).push(value);
}

function report(name: string, recorded: string, unit: string): void {
  metric(name, median(found[recorded] ?? []), unit);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function deno(file: string, stdio: "ignore" | "pipe") {
  const env = { DENO_DIR: path.join(directory, "deno"), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  return spawn(findDeno(), ["run", "--quiet", "--no-prompt", file], { stdio: [stdio, stdio, "ignore"], env });
}

const empty = path.join(directory, "empty.ts");
writeFileSync(empty, "");
const plainDeno = (): Promise<unknown> => new Promise((resolve) => deno(empty, "ignore").once("close", resolve));

/** Lines there and back, one after the other, with nothing around them. */
const bare = path.join(directory, "bare.ts");
writeFileSync(
  bare,
  `const line = new TextEncoder().encode("x".repeat(150) + "\\n"), buffer = new Uint8Array(65_536);
const start = performance.now();
for (let calls = 0; calls < ${SEQUENTIAL}; calls++) { Deno.stdout.writeSync(line); await Deno.stdin.read(buffer); }
Deno.stdout.writeSync(new TextEncoder().encode("=" + ${SEQUENTIAL} / (performance.now() - start) * 1000));`,
);
const bareRate = (): Promise<number> =>
  new Promise((resolve) => {
    const child = deno(bare, "pipe");
    child.stdout?.on("data", (bytes: Buffer) => {
      if (bytes[0] !== 61) return void child.stdin?.write(bytes);
      resolve(Number(bytes.toString().slice(1)));
      child.stdin?.end();
    });
  });

const warm = new DenoRuntime({ prewarm: 1, limits });
const cold = new DenoRuntime({ prewarm: 0, limits });
const execute = async (runtime: DenoRuntime, code: string): Promise<unknown> => {
  const { value, error } = await runtime.execute({ code, callTool });
  if (error !== undefined) throw new Error(error.message);
  return value;
};
const oneCall = "return (await __callTool__('echo', { n: 1 })).n";
const rated = (code: string): string =>
  `const start = performance.now();\nlet calls = 0;\n${code}\nreturn calls / (performance.now() - start) * 1000;`;
const inTurn = (call: string): string => rated(`for (; calls < ${SEQUENTIAL}; calls++) await ${call};`);
const atOnce = (call: string): string =>
  rated(
    `const worker = async () => { while (calls < ${PARALLEL}) { calls++; await ${call}; } };\nawait Promise.all(Array.from({ length: ${AT_ONCE} }, worker));`,
  );
const echo = "__callTool__('echo', { text: 'x'.repeat(100) })";
const slow = (calls: number): string =>
  `const start = performance.now();\nawait Promise.all(Array.from({ length: ${calls} }, () => __callTool__('slow', {})));\nreturn performance.now() - start;`;

for (let round = -2; round < START_ROUNDS; round += 1) {
  const plain = await time(plainDeno);
  const started = await time(() => execute(cold, oneCall));
  await pause(PAUSE_MS);
  const ready = await time(() => execute(warm, oneCall));
  const together = await time(async () => {
    for (let run = 0; run < SUSTAINED; run += 1) await execute(warm, oneCall);
  });
  if (round < 0) continue;
  record("warm", ready);
  record("warm/deno", ready / plain);
  record("cold/deno", started / plain);
  record("sustained/deno", together / SUSTAINED / plain);
}

const registry = registerCodeTool(
  createToolRegistry().register(
    defineTool({
      name: "echo",
      description: "Answers with what it is given.",
      parameters: z.object({ text: z.string() }),
      output: z.object({ text: z.string() }),
      execute: (params) => params,
    }),
  ),
  { runtime: warm, limits },
);
const dispatched = async (code: string): Promise<number> => {
  const result = await registry.dispatch("execute_code", { code });
  return Number((result as { readonly data?: { readonly value?: unknown } }).data?.value);
};

for (let round = -1; round < BRIDGE_ROUNDS; round += 1) {
  const bareInTurn = await bareRate();
  const sequential = Number(await execute(warm, inTurn(echo)));
  const parallel = Number(await execute(warm, atOnce(echo)));
  const throughRegistry = await dispatched(atOnce("echo({ text: 'x'.repeat(100) })"));
  const one = Number(await execute(warm, slow(1)));
  const ten = Number(await execute(warm, slow(10)));
  if (round < 0) continue;
  record("sequential", sequential);
  record("sequential/bare", sequential / bareInTurn);
  record("parallel", parallel);
  record("dispatched", throughRegistry);
  record("ten/one", ten / one);
}

await Promise.all([warm.close(), cold.close()]);
rmSync(directory, { recursive: true, force: true });
report("code.warm.p50_ms", "warm", "ms");
report("code.warm.vs_deno", "warm/deno", "x");
report("code.cold.vs_deno", "cold/deno", "x");
report("code.sustained.vs_deno", "sustained/deno", "x");
report("code.bridge.seq_per_s", "sequential", "calls/s");
report("code.bridge.seq_vs_bare", "sequential/bare", "x");
report("code.bridge.parallel_per_s", "parallel", "calls/s");
report("code.bridge.dispatched_per_s", "dispatched", "calls/s");
report("code.parallel_calls.vs_one", "ten/one", "x");
