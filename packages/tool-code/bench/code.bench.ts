/** Measures programs against the start of an empty one, side by side in one run. Prints one line a figure. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DenoRuntime } from "../src/deno/index.ts";
import { findDeno } from "../src/deno/deno-binary.ts";

const ROUNDS = 15;
/** Enough for a spare process to be ready again, in milliseconds. */
const PAUSE_MS = 100;

const folder = mkdtempSync(path.join(tmpdir(), "code-bench-"));
const empty = path.join(folder, "empty.ts");
writeFileSync(empty, "");
const limits = { calls: 1_000_000, inFlight: 64, wallMs: 60_000 };
const callTool = async (_: string, params: unknown): Promise<unknown> => params;
const oneCall = "return (await __callTool__('echo', { n: 1 })).n";

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

const plainDeno = (): Promise<unknown> =>
  new Promise((resolve) =>
    spawn(findDeno(), ["run", "--quiet", "--no-prompt", empty], {
      stdio: "ignore",
      env: { DENO_DIR: path.join(folder, "deno"), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    }).once("close", resolve),
  );

const warm = new DenoRuntime({ prewarm: 1, limits });
const cold = new DenoRuntime({ prewarm: 0, limits });
const times = { deno: [] as number[], warm: [] as number[], cold: [] as number[] };
for (let round = -2; round < ROUNDS; round += 1) {
  const found = {
    deno: await time(plainDeno),
    warm: Number.NaN,
    cold: await time(() => cold.execute({ code: oneCall, callTool })),
  };
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  found.warm = await time(() => warm.execute({ code: oneCall, callTool }));
  if (round < 0) continue;
  times.deno.push(found.deno);
  times.warm.push(found.warm);
  times.cold.push(found.cold);
}

/** Calls a second, as the program itself sees them. */
async function rate(code: string): Promise<number> {
  const { value, error } = await warm.execute({
    code: `const start = performance.now();\nlet calls = 0;\n${code}\nreturn calls / (performance.now() - start) * 1000;`,
    callTool,
  });
  if (error !== undefined) throw new Error(error.message);
  return Number(value);
}
const sequential = await rate("for (; calls < 10_000; calls++) await __callTool__('echo', { text: 'x'.repeat(100) });");
const parallel = await rate(
  "const worker = async () => { while (calls < 50_000) { calls++; await __callTool__('echo', { text: 'x'.repeat(100) }); } };\nawait Promise.all(Array.from({ length: 64 }, worker));",
);

await Promise.all([warm.close(), cold.close()]);
rmSync(folder, { recursive: true, force: true });
console.log(`METRIC code.warm.vs_deno ${(median(times.warm) / median(times.deno)).toFixed(2)} x`);
console.log(`METRIC code.cold.vs_deno ${(median(times.cold) / median(times.deno)).toFixed(2)} x`);
console.log(`METRIC code.bridge.seq_per_s ${Math.round(sequential)} calls/s`);
console.log(`METRIC code.bridge.parallel_per_s ${Math.round(parallel)} calls/s`);
