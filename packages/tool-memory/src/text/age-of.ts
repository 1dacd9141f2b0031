const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How long ago a time was, in its greatest whole unit: `3 days`, `1 hour`; below a minute, or in the future, `now`. */
export function ageOf(time: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1_000;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"}`;
  }
  return "now";
}
