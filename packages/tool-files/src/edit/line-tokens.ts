/** Number of a line that is none of the wanted ones. */
const OTHER = -1;
/** Number of a blank line. */
const BLANK = 0;

/** A line as {@link LineTokens} sees it. */
export interface LineToken {
  /** Number of the line without white space around it: 0 for a blank line, -1 for one that is not wanted. */
  readonly bare: number;
  /**
   * Number of the line, and of how its indentation differs from that of the last line before it that is not blank. Lines have
   * the same numbers exactly if they are the same but for white space that all of them have before them, or lack.
   */
  readonly number: number;
  readonly indent: string;
}

/**
 * Numbers lines so that a text of lines can be looked for like one of characters, ignoring indentation. The part in
 * which two neighbours' indentations differ stays the same when both get the same white space before them.
 */
export class LineTokens {
  readonly #bares = new Map<string, number>();
  readonly #numbers = new Map<string, number>();

  /** Tokens of the wanted lines. Only these lines are distinguished afterwards. */
  wanted(lines: readonly string[]): LineToken[] {
    for (const line of lines) {
      const bare = line.slice(indentLength(line), trimmedLength(line));
      if (bare !== "" && !this.#bares.has(bare)) this.#bares.set(bare, this.#bares.size + 1);
    }
    const next = this.sequence((key) => {
      const known = this.#numbers.get(key) ?? this.#numbers.size + 1;
      this.#numbers.set(key, known);
      return known;
    });
    return lines.map(next);
  }

  /** Makes tokens of further lines, given in their order. */
  sequence(numberOf = (key: string): number => this.#numbers.get(key) ?? OTHER): (line: string) => LineToken {
    let before = "";
    return (line) => {
      const from = indentLength(line);
      const to = trimmedLength(line);
      if (to <= from) return { bare: BLANK, number: BLANK, indent: "" };
      const indent = line.slice(0, from);
      const bare = this.#bares.get(line.slice(from, to)) ?? OTHER;
      const shared = before === indent ? from : sharedLength(before, indent);
      const number =
        bare === OTHER ? OTHER : numberOf(`${bare} ${before.slice(shared)} ${from - shared} ${indent.slice(shared)}`);
      before = indent;
      return { bare, number, indent };
    };
  }
}

/** White space that editors add and drop: spaces and tabs, nothing else. */
function isWhite(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function indentLength(line: string): number {
  let at = 0;
  while (at < line.length && isWhite(line.charCodeAt(at))) at += 1;
  return at;
}

function trimmedLength(line: string): number {
  let end = line.length;
  while (end > 0 && isWhite(line.charCodeAt(end - 1))) end -= 1;
  return end;
}

function sharedLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
