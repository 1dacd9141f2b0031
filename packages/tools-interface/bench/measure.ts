import { performance } from "node:perf_hooks";

const ROUNDS = 9;

/** Something that is measured, and how often it is done in one round. */
export type Work = readonly [act: () => unknown, times: number];

/** Milliseconds of something that is done so often, awaited each time. */
export async function timed(act: () => unknown, times = 1): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < times; time += 1) await act();
  return performance.now() - start;
}

/** The median over rounds of the time of one ÷ that of the other, after a round that warms both up. The sides take turns to go first. */
export async function ratio(one: Work, other: Work, rounds = ROUNDS): Promise<number> {
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const early = round % 2 === 0 ? (await timed(...one)) / one[1] : 0;
    const second = (await timed(...other)) / other[1];
    const first = early || (await timed(...one)) / one[1];
    if (round >= 0) ratios.push(first / second);
  }
  return median(ratios);
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A unit is one word: with more, the figure would not be read. */
type OneWord<Unit extends string> = Unit extends `${string} ${string}` ? never : Unit;

/** Prints one figure in the form that `pnpm bench` collects. */
export function metric<const Unit extends string>(name: string, value: number, unit: OneWord<Unit>, digits = 3): void {
  console.log(`METRIC ${name} ${Number(value.toFixed(digits))} ${unit}`);
}
