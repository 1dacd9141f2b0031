import type { PatternPart } from "./read-pattern.ts";

/**
 * In how many ways an expression can go through a text of `length` characters at most, before a search that tries them one by
 * one gives up. `Infinity` if they double with each character.
 */
export function waysOfPattern(part: PatternPart, length: number): number {
  return (startsAtStart(part) ? 1 : length + 1) * ways(part, length);
}

function ways(part: PatternPart, length: number): number {
  switch (part.kind) {
    case "character":
    case "place":
      return 1;
    case "irregular":
      return part.body === undefined ? 1 : ways(part.body, length);
    case "look":
      // It is searched from each place anew.
      return (length + 1) * ways(part.body, length);
    case "sequence":
      return part.parts.reduce((product, one) => product * ways(one, length), 1);
    case "choice":
      return part.parts.reduce((sum, one) => sum + ways(one, length), 0);
    case "repeat": {
      const most = Math.min(part.most, length + 1);
      const counts = Math.max(most - Math.min(part.least, length + 1), 0) + 1;
      return counts * ways(part.body, length) ** most;
    }
  }
}

/** Whether a match can begin nowhere but at the start of the text. */
function startsAtStart(part: PatternPart): boolean {
  if (part.kind === "place") return part.at === "start";
  if (part.kind === "sequence") return part.parts[0] !== undefined && startsAtStart(part.parts[0]);
  return part.kind === "choice" && part.parts.every(startsAtStart);
}
