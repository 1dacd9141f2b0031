/** The value in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** A unit is one word: with more, the figure would not be read. */
type OneWord<Unit extends string> = Unit extends `${string} ${string}` ? never : Unit;

/** Prints one figure in the form that `pnpm bench` collects. */
export function metric<const Unit extends string>(name: string, value: number, unit: OneWord<Unit>): void {
  console.log(`METRIC ${name} ${Number(value.toFixed(3))} ${unit}`);
}
