/** Case and spacing do not matter for finding a place. */
export function folded(line: string): string {
  return line.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Pairs of neighbouring characters of a line. */
export function letterPairs(line: string): Set<string> {
  const text = folded(line.slice(0, 300));
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Sørensen-Dice coefficient of two sets of letter pairs. */
export function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}

/** How alike two lines are, from 0 to 1, their indentation and case left aside. A line without words is like no other. */
export function similarity(one: string, other: string): number {
  const [pairs, others] = [letterPairs(one), letterPairs(other)];
  return /[\p{L}\p{N}]/u.test(one) && pairs.size > 0 && others.size > 0 ? dice(pairs, others) : 0;
}
