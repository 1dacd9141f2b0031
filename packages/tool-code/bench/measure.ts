/** The value in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Prints one figure in the form that `pnpm bench` collects. */
export function metric(name: string, value: number, unit: string): void {
  console.log(`METRIC ${name} ${Number(value.toFixed(3))} ${unit}`);
}
