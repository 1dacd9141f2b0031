import { truncate } from "../../error/describe-received.ts";
import { createAutomaton } from "./automaton.ts";
import { type PatternPart, readPattern } from "./read-pattern.ts";

/** Ways that the engine of JavaScript may try one by one. Some milliseconds. */
const MAX_WAYS = 100_000;
/** An expression whose ways grow with the text and no faster has at most so many for each character. */
const MAX_LINEAR_WAYS = 10;
/** Characters of a text for an expression that is not read: its ways may double with each. */
const MAX_UNREAD = 16;
/** Of an expression in a message, in characters. */
const MAX_SHOWN = 80;
/** A length beyond which no text is expected. */
const LONGEST = 1_000_000;

/**
 * Compiles a regular expression in Unicode mode to a search of bounded time. Texts come from models, and the
 * engine of JavaScript takes the square of their length or far more for some expressions. Those are searched by an automaton.
 *
 * @returns A function that answers whether a text matches. It throws a `TypeError` if the search would take too long.
 * @throws {SyntaxError} If the expression is none.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const expression = new RegExp(source, "u");
  const part = readPattern(source);
  const longest = part === undefined ? MAX_UNREAD : longestText((length) => waysOfPattern(part, length));
  if (longest === Infinity) return (text) => expression.test(text);
  let automaton: ReturnType<typeof createAutomaton> | "not made" = "not made";
  return (text) => {
    if (text.length <= longest) return expression.test(text);
    if (automaton === "not made") automaton = part === undefined ? undefined : createAutomaton(part);
    const matches = automaton?.(text);
    if (matches !== undefined) return matches;
    const pattern = truncate(JSON.stringify(source), MAX_SHOWN);
    throw new TypeError(`a text of ${text.length} characters is too long to be checked against the pattern ${pattern}`);
  };
}

/** The length of the longest text that may be searched by the engine of JavaScript. */
function longestText(waysOf: (length: number) => number): number {
  if (waysOf(LONGEST) <= MAX_LINEAR_WAYS * LONGEST) return Infinity;
  let [fits, exceeds] = [0, LONGEST];
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (waysOf(middle) <= MAX_WAYS) fits = middle;
    else exceeds = middle;
  }
  return fits;
}

/**
 * In how many ways an expression can go through a text of `length` characters at most, before a search that tries them one by
 * one gives up. `Infinity` if they double with each character.
 */
function waysOfPattern(part: PatternPart, length: number): number {
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
