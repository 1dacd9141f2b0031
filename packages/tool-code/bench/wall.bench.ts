/**
 * Measures the time that the defences add to a start, side by side in every round: the wall of the kernel, on a run with and
 * without it; and the modules of Node that are loaded to be closed, on Deno with and without them.
 */
import { spawnSync } from "node:child_process";
// @boundaries-ignore benches measure in one way
import { median, metric } from "../../tools-interface/bench/measure.ts";
import { DEFAULT_EXPORTS, importMapUrl } from "../src/deno/harness/closed-modules.ts";
import { DenoRuntime } from "../src/deno/index.ts";
import { findDeno } from "../src/deno/process/deno-binary.ts";

const ROUNDS = 31;
const WARM_UP = 3;
/** Enough for a spare process to be ready again, in milliseconds. */
const PAUSE_MS = 250;

type Timed = () => number | Promise<number>;

/** Reports how much longer the first takes. */
async function compare(name: string, one: Timed, other: Timed): Promise<void> {
  const times: (readonly [number, number])[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const pair = [await one(), await other()] as const;
    if (round >= 0) times.push(pair);
  }
  metric(name, median(times.map(([longer]) => longer)) - median(times.map(([, shorter]) => shorter)), "ms");
}

for (const [name, prewarm] of [
  ["code.wall.added_ms", 0],
  ["code.wall.warm_added_ms", 1],
] as const) {
  const walled = new DenoRuntime({ prewarm, containment: "required" });
  const bare = new DenoRuntime({ prewarm, containment: "process" });
  const time = async (runtime: DenoRuntime): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const start = performance.now();
    const { error } = await runtime.execute({ code: "1", callTool: async () => 0 });
    if (error !== undefined) throw new Error(error.message);
    return performance.now() - start;
  };
  await compare(
    name,
    () => time(walled),
    () => time(bare),
  );
  await Promise.all([walled.close(), bare.close()]);
}

const startDeno = (program: string) => (): number => {
  const start = performance.now();
  const args = ["run", "--quiet", "--no-config", "--no-lock", `--import-map=${importMapUrl()}`];
  const { status, stderr } = spawnSync(findDeno(), [...args, `data:application/javascript,${program}`], {
    encoding: "utf8",
    env: { DENO_NO_UPDATE_CHECK: "1", DENO_NO_PACKAGE_JSON: "1" },
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
};
await compare("code.seal.modules_added_ms", startDeno(`import"${DEFAULT_EXPORTS}"`), startDeno(""));
