import { foldName, wordsOf } from "./closest-match.ts";

/**
 * Words that make another field of a name they are added to or left out of, with a value of the same type: the opposite, the
 * other end of a range, another unit, or something about the field instead of its value.
 */
const TELLING = new Set(
  [
    "no not non none never without except exclude excluded excludes excluding skip ignore omit hide hidden disable disabled",
    "deny denied block blocked allow allowed include included includes including only invert inverted reverse",
    "old prev previous original first last before after since until end min minimum parent child",
    "ms millis milliseconds s sec secs second seconds minute minutes hour hours day days week weeks month months year years",
    "b byte bytes kb kib mb mib gb gib cent cents usd eur gbp percent percentage pct ratio",
    "mm cm m km meters miles feet inches g kg lb lbs c f k celsius fahrenheit kelvin px pt deg degrees rad radians",
    "sync async synchronous asynchronous",
    "size count total length type kind format encoding mode",
  ].flatMap((words) => words.split(" ")),
);

const NEGATION = /^(?:anti|dis|non|de|il|im|in|ir|mis|un)(?=.{4})/;

/**
 * Whether a field of one name may mean another thing than one of a near name, so that a value must not move from one to the
 * other: `exclude` and `include`, `no_cache` and `cache`, `timeout_s` and `timeout_ms`, `line1` and `line2`.
 */
export function mayMeanOther(from: string, to: string): boolean {
  const [theirs, ours] = [wordsOf(from), wordsOf(to)];
  const [added, left] = [theirs.filter((word) => !ours.includes(word)), ours.filter((word) => !theirs.includes(word))];
  if (digitsOf(from) !== digitsOf(to)) return true;
  // One name holds all words of the other.
  if (added.length === 0 || left.length === 0) {
    return [...added, ...left].some((word) => TELLING.has(word) || word.startsWith("non"));
  }
  if (added.length !== left.length) return !isSlip(foldName(from), foldName(to));
  return added.some((word, index) => !isSlip(word, left[index] ?? ""));
}

function digitsOf(name: string): string {
  return name.replace(/\D+/g, " ").trim();
}

/** True where one of two words that are near may be the other with a slip: both begin alike, and none negates the other. */
function isSlip(one: string, other: string): boolean {
  if (isTelling(one) && isTelling(other)) return false;
  const beginsAlike = one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);
  return (
    (beginsAlike || isBeheaded(one, other) || isBeheaded(other, one)) && !negates(one, other) && !negates(other, one)
  );
}

/** Whether a word is the other without its first letter; of shorter words the rest is another word too often, such as `end` of `send`. */
function isBeheaded(word: string, other: string): boolean {
  return word.length > 3 && other.slice(1) === word;
}

function isTelling(word: string): boolean {
  return TELLING.has(word) || word === "max" || word === "maximum";
}

function negates(one: string, other: string): boolean {
  const prefix = NEGATION.exec(one)?.[0];
  return prefix !== undefined && !other.startsWith(prefix) && other.endsWith(one.slice(prefix.length));
}
