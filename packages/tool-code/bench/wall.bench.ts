/** Measures the time that kernel containment adds to a run: with and without it, side by side in every round. */
import { DenoRuntime } from "../src/deno/index.ts";
import { median, metric } from "./measure.ts";

const ROUNDS = 31;
const WARM_UP = 3;
/** Enough for a spare process to be ready again, in milliseconds. */
const PAUSE_MS = 250;

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
  const times: (readonly [number, number])[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const pair = [await time(walled), await time(bare)] as const;
    if (round >= 0) times.push(pair);
  }
  await Promise.all([walled.close(), bare.close()]);
  metric(name, median(times.map(([inside]) => inside)) - median(times.map(([, outside]) => outside)), "ms");
}
