import jsTokens from "js-tokens";

/** A position in the program, 1-based. */
export interface SourcePosition {
  readonly line: number;
  /** The column in that line, in UTF-16 units. */
  readonly column: number;
}

interface Word extends SourcePosition {
  readonly value: string;
}

/** A program with more `throw`s is not searched: none would be the only candidate. */
const MAX_CANDIDATES = 200;
/** Tokens that end the thrown expression. */
const LITERAL_END = new Set([";", ")", "}", ","]);

/**
 * Finds where a value that is not an error, and so has no stack, was thrown: the only `throw` or `reject` of such a value,
 * or of this literal. Returns `undefined` when there are several or none: a wrong position misleads more than none.
 *
 * @param code The program.
 * @param shown The value as the console prints it.
 */
export function findThrow(code: string, shown: string): SourcePosition | undefined {
  const words = wordsOf(code);
  const starts = [...words.keys()].filter((at) => isThrow(words, at));
  if (starts.length > MAX_CANDIDATES) return undefined;
  const thrown = starts.map((at) => candidate(words, at));
  const literal = thrown.filter(({ value }) => sameValue(value, shown));
  const [only, ...others] = literal.length > 0 ? literal : thrown.filter(({ isError }) => !isError);
  return only !== undefined && others.length === 0 ? only.position : undefined;
}

/** The first occurrence of a name in a line, at or after a column if possible. */
export function findName(code: string, name: string, { line, column }: SourcePosition): SourcePosition | undefined {
  const found = wordsOf(code).filter((word) => word.line === line && word.value === name);
  return found.find((word) => word.column >= column) ?? found[0];
}

/** The position of a sequence of tokens that occurs only once. */
export function findOnly(code: string, ...names: readonly string[]): SourcePosition | undefined {
  const words = wordsOf(code);
  const found = words.filter((_, at) => names.every((name, next) => words[at + next]?.value === name));
  return found.length === 1 ? found[0] : undefined;
}

interface Candidate {
  readonly position: SourcePosition;
  /** Source of the thrown value, as far as it is one word or one bracket. */
  readonly value: string;
  readonly isError: boolean;
}

/** Whether a word is `throw`, or the `reject` of a promise. */
function isThrow(words: readonly Word[], at: number): boolean {
  const word = words[at]?.value;
  const before = words[at - 1]?.value;
  if (word === "throw") return before !== "." && before !== "?.";
  return word === "reject" && words[at + 1]?.value === "(" && (before !== "." || words[at - 2]?.value === "Promise");
}

function candidate(words: readonly Word[], at: number): Candidate {
  const isCall = words[at]?.value === "reject";
  const start = isCall && words[at - 1]?.value === "." ? at - 2 : at;
  return { position: words[start] as Word, ...thrownAfter(words, isCall ? at + 2 : at + 1) };
}

/** The words up to the end of a statement or an argument. */
function thrownAfter(words: readonly Word[], from: number): Pick<Candidate, "value" | "isError"> {
  let depth = 0;
  let value = "";
  for (const word of words.slice(from, from + 200)) {
    if (depth === 0 && LITERAL_END.has(word.value)) break;
    if (depth === 0 && value !== "" && word.line > (words[from] as Word).line) break;
    if ("([{".includes(word.value)) depth += 1;
    if (")]}".includes(word.value)) depth -= 1;
    value += `${/\w$/.test(value) && /^\w/.test(word.value) ? " " : ""}${word.value}`;
  }
  return { value, isError: /^new \w*(?:Error|Exception)\b/.test(value) };
}

/** Whether a literal is the value that was printed, but for quotes and spaces. */
function sameValue(source: string, shown: string): boolean {
  const plain = (text: string): string => text.replaceAll(/["'`\s]|,(?=\s*[}\]])/g, "");
  return source !== "" && plain(source) === plain(shown);
}

/** The words of a program without spaces and comments. */
function wordsOf(code: string): readonly Word[] {
  const words: Word[] = [];
  let line = 1;
  let column = 1;
  for (const { type, value } of jsTokens(code)) {
    if (type !== "WhiteSpace" && type !== "LineTerminatorSequence" && !type.endsWith("Comment")) {
      words.push({ value, line, column });
    }
    const lines = value.split(/\r\n?|\n/);
    line += lines.length - 1;
    column = lines.length > 1 ? (lines.at(-1) as string).length + 1 : column + value.length;
  }
  return words;
}
