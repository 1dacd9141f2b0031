/** A time for a person. */
export function duration(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}
