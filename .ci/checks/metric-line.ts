const METRIC = /^METRIC [a-z0-9_]+(?:\.[a-z0-9_]+)+ -?\d+(?:\.\d+)?(?:e[+-]?\d+)? \S+$/;

/**
 * Finds lines that a reader of `METRIC <name> <value> <unit>` could not use: the name dotted and lower case, the value
 * a finite decimal number, the unit one word, one space between them, each name once, one line at least.
 *
 * @returns The fault, or `undefined`.
 */
export function findMalformedMetric(lines: readonly string[]): string | undefined {
  const metrics = lines.filter((line) => /^\s*METRIC\b/i.test(line));
  if (metrics.length === 0) return "it printed no METRIC line";
  const malformed = metrics.find((line) => !METRIC.test(line));
  if (malformed !== undefined) return `it printed "${malformed}", allowed is METRIC <name> <value> <unit>`;
  const names = metrics.map((line) => line.split(" ")[1]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `it printed ${twice} twice, allowed is once`;
}
