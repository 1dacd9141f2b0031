/** Most edits between two words that count as a match. */
const MAX_DISTANCE = 2;
/** Longer words are not compared: the work grows with the square. */
const MAX_LENGTH = 64;

/**
 * The candidate that was most likely meant by `word`: equal but for case, `_` and `-`; one edit away; the only one whose
 * words hold all of its words, or the other way round (`path`, `file_path`); or two edits away and less than half of the
 * word. `undefined` when none is near.
 */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || word.length > MAX_LENGTH) return undefined;
  const exact = sameButForm(word, candidates);
  if (exact !== undefined) return exact;
  const { best, distance } = fewestEdits(word, candidates);
  return best !== undefined && distance <= 1 ? best : (sameWords(word, candidates) ?? best);
}

/** The same, unless the two names {@link mayMeanOther}: another thing. */
export function closestMeaning(word: string, candidates: readonly string[]): string | undefined {
  const near = closestMatch(word, candidates);
  return near === undefined || mayMeanOther(word, near) ? undefined : near;
}

/** As {@link closestMatch}, by the letters alone: a word that adds to a candidate, or is a part of one, is another word. */
export function misspelt(word: string, candidates: readonly string[]): string | undefined {
  return word.length > MAX_LENGTH ? undefined : (sameButForm(word, candidates) ?? fewestEdits(word, candidates).best);
}

function sameButForm(word: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(word);
  return candidates.find((candidate) => foldName(candidate) === folded);
}

/** The only candidate that is made of the word's words and more, or of some of them. */
function sameWords(word: string, candidates: readonly string[]): string | undefined {
  const words = wordsOf(word);
  const [only, ...others] = candidates.filter((candidate) => {
    const theirs = wordsOf(candidate);
    if (words.length === 0 || theirs.length === 0) return false;
    return words.every((one) => theirs.includes(one)) || theirs.every((one) => words.includes(one));
  });
  return others.length === 0 ? only : undefined;
}

/** The words of a name, in lower case: of `file_path`, `filePath` and `file-path` `file` and `path`. */
function wordsOf(name: string): readonly string[] {
  // Most names are one word. Seeing that takes a tenth of the time of splitting.
  if (name.length <= MAX_LENGTH && /^[a-z\d]+$/.test(name)) return [name];
  return name
    .slice(0, MAX_LENGTH)
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** The first of the candidates with the fewest edits, if they are few. */
function fewestEdits(
  word: string,
  candidates: readonly string[],
): { readonly best: string | undefined; readonly distance: number } {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(MAX_DISTANCE + 1, word.length / 2);
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance || candidate.length > MAX_LENGTH) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return { best, distance: bestDistance };
}

/** A name in lower case without `_` and `-`, so that camelCase, snake_case and kebab-case are equal. */
export function foldName(name: string): string {
  // Most names are plain. Seeing that takes 20 ns, all steps 55.
  if (/^[a-z\d]*$/.test(name)) return name;
  // A letter with an accent is one character or two.
  const lower = name.normalize("NFC").toLowerCase();
  return /[_-]/.test(lower) ? lower.replaceAll(/[_-]/g, "") : lower;
}

/**
 * How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other
 * (Damerau-Levenshtein distance, in its restricted form: nothing is edited twice).
 */
function editDistance(a: string, b: string): number {
  let [beforeLast, last, current] = rows;
  for (let column = 0; column <= b.length; column += 1) last[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row;
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      }
      current[column] = cost;
    }
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

type Row = Uint8Array;

/** Buffers for distances, made once: for words this short allocating them takes longer than filling them. */
const rows: readonly [Row, Row, Row] = [
  new Uint8Array(MAX_LENGTH + 1),
  new Uint8Array(MAX_LENGTH + 1),
  new Uint8Array(MAX_LENGTH + 1),
];

function at(row: Row, column: number): number {
  return row[column] ?? 0;
}

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
