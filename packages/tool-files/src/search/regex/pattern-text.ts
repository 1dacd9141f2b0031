/** Flags that hold at a place of an expression. */
export interface PatternFlags {
  /** Case does not matter. */
  readonly i: boolean;
  /** The dot stands for line ends too. */
  readonly s: boolean;
  /** `*` takes as little as it can. */
  readonly U: boolean;
  /** White space and comments say nothing. */
  readonly x: boolean;
}

/** An expression that is read from its beginning to its end. */
export class PatternText {
  readonly text: string;
  /** Whether it is used on many lines with their ends, not on one without. */
  readonly multiline: boolean;
  /** Makes the error that says why it is not taken. */
  readonly refuse: (found: string) => Error;
  /** The place that is read next. */
  at = 0;

  constructor(text: string, multiline: boolean, refuse: (found: string) => Error) {
    this.text = text;
    this.multiline = multiline;
    this.refuse = refuse;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character, empty at the end. */
  get next(): string {
    const code = this.text.codePointAt(this.at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  /** Takes the next character. */
  character(): string {
    const { next } = this;
    this.at += next.length;
    return next;
  }

  /** Takes a piece if it stands here. */
  take(piece: string): boolean {
    const stands = this.text.startsWith(piece, this.at);
    if (stands) this.at += piece.length;
    return stands;
  }

  /** Consumes the match of a sticky expression at this position. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    this.at += found?.[0].length ?? 0;
    return found ?? undefined;
  }

  /** Passes over white space and comments where they say nothing. */
  skipSpace({ x }: PatternFlags): void {
    if (x) this.match(/(?:\p{Pattern_White_Space}|#[^\n]*)*/uy);
  }

  /** Takes a line end that is named, which only a search over lines has. */
  lineBreak(code: number): void {
    if (!this.multiline && (code === 10 || code === 13))
      throw this.refuse("holds a line break, a search goes line by line; set multiline to search over several lines");
  }
}

/** A character as it is written in JavaScript, in a set and out of it. */
export function written(code: number): string {
  const character = String.fromCodePoint(code);
  return /^[A-Za-z0-9]$/.test(character) || code > 0xff ? character : `\\u{${code.toString(16)}}`;
}
