import type { Side } from "./side.ts";
/**
 * Measures this package beside the system named by its argument. Started without `@dispatch/source`: users load the
 * built package.
 */
import { comparisons } from "./sides.ts";

const ROUNDS = 9;
/** How long one side of one round takes, in nanoseconds. */
const ROUND_NS = 200e6;

const WARM_UP_MS = 500;

const name = process.argv[2] ?? "";
const sides = await comparisons[name]?.();
if (sides === undefined)
  throw new Error(`Cannot compare with ${name}: known are ${Object.keys(comparisons).join(", ")}`);

const ours = await paced(sides.ours);
const theirs = await paced(sides.theirs);
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  if (round % 2 === 0) {
    const own = await ours();
    times.push((await theirs()) / own);
  } else {
    const other = await theirs();
    times.push(other / (await ours()));
  }
}
process.stdout.write(String(times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]));
process.exit();

/** Warms a side up and sets how many calls make a round. */
async function paced(side: Side): Promise<() => Promise<number>> {
  const end = performance.now() + WARM_UP_MS;
  let last = Number.POSITIVE_INFINITY;
  while (performance.now() < end) last = await side(2_000);
  const calls = Math.ceil(ROUND_NS / last);
  return () => side(calls);
}
