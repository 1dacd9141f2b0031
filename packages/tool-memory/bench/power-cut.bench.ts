import { checkPowerCuts } from "../test/check-power-cuts.ts";

/** Cuts the power of an embedded memory that is being written: `node power-cut.bench.ts [CUTS] [SEED]`. Needs strace. */
const [cuts = "60", seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const { lost, found } = await checkPowerCuts(Number(cuts), Number(seed), 100);
console.log(`${cuts} cuts, seed ${seed}`);
console.log(`METRIC memory.power_cut.writes_checked ${found} writes`);
console.log(`METRIC memory.lost_after_power_cut ${lost} writes`);
