/** Rounds of one measurement; the median of their ratios is reported. */
const ROUNDS = 9;
/** Calls in one round of one side. */
const CALLS = 200_000;

export type Work = () => unknown;

/** Nanoseconds for one call of `work`, awaited. */
async function nanoseconds(work: Work): Promise<number> {
  const start = process.hrtime.bigint();
  for (let call = 0; call < CALLS; call += 1) await work();
  return Number(process.hrtime.bigint() - start) / CALLS;
}

/** How many times longer `work` takes than `floor`: median of rounds, the sides taking turns to go first. */
export async function ratio(work: Work, floor: Work): Promise<number> {
  const ratios: number[] = [];
  await nanoseconds(work);
  await nanoseconds(floor);
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await nanoseconds(work) : await nanoseconds(floor);
    const second = round % 2 === 0 ? await nanoseconds(floor) : await nanoseconds(work);
    ratios.push(round % 2 === 0 ? first / second : second / first);
  }
  return median(ratios);
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A unit is one word: with more, the figure would not be read. */
type OneWord<Unit extends string> = Unit extends `${string} ${string}` ? never : Unit;

/** Prints one figure in the form that `pnpm bench` collects. */
export function metric<const Unit extends string>(name: string, value: number, unit: OneWord<Unit>): void {
  console.log(`METRIC ${name} ${Number(value.toFixed(3))} ${unit}`);
}
