/** Longer patterns are not read. In characters. */
const MAX_PATTERN = 500;
/** Longer texts teach nothing. In characters. */
const MAX_TEXT = 80;
/** Groups nested deeper are not read. */
const MAX_DEPTH = 20;

/** Characters that are tried for a class, the plainest first. */
const POOL = Array.from(
  `a1A-_ .@/:é中а\n\t${Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("")}`,
);

/**
 * A short text that a regular expression seems to match, or `undefined`. Look-arounds and word boundaries are passed over, and
 * references to groups are not followed, so the caller must check the text.
 *
 * @param more How often a part is repeated beyond the least number, where it may be.
 */
export function textOfPattern(pattern: string, more = 0): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  try {
    const reader = new PatternReader(pattern, more);
    const text = reader.choice(0);
    return reader.isAtEnd && text.length <= MAX_TEXT ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a pattern and writes the text that its first choices match. */
class PatternReader {
  private readonly pattern: string;
  private readonly more: number;
  private at = 0;

  constructor(pattern: string, more: number) {
    this.pattern = pattern;
    this.more = more;
  }

  get isAtEnd(): boolean {
    return this.at >= this.pattern.length;
  }

  /** The first of several choices. The others are read, too. */
  choice(depth: number): string {
    if (depth > MAX_DEPTH) throw new RangeError("nested too deep");
    let first: string | undefined;
    for (;;) {
      const text = this.sequence(depth);
      first ??= text;
      if (this.pattern[this.at] !== "|") return first;
      this.at += 1;
    }
  }

  private sequence(depth: number): string {
    let text = "";
    while (!this.isAtEnd && this.pattern[this.at] !== "|" && this.pattern[this.at] !== ")") {
      const atom = this.atom(depth);
      text += atom.repeat(this.count());
      if (text.length > MAX_TEXT) throw new RangeError("too long");
    }
    return text;
  }

  private atom(depth: number): string {
    const next = this.pattern[this.at];
    if (next === "(") return this.group(depth);
    const read =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\c.|\\.|[^])/u;
    const [source = ""] = read.exec(this.pattern.slice(this.at)) ?? [];
    this.at += source.length;
    if (source === "^" || source === "$" || source === String.raw`\b` || source === String.raw`\B`) return "";
    const own = new RegExp(`^(?:${source})$`, "u");
    const found = POOL.find((character) => own.test(character)) ?? characterOf(source);
    if (found === undefined) throw new RangeError("no character for it");
    return found;
  }

  private group(depth: number): string {
    const [head] = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/u.exec(this.pattern.slice(this.at)) ?? ["("];
    this.at += head.length;
    const text = this.choice(depth + 1);
    if (this.pattern[this.at] !== ")") throw new RangeError("a group without an end");
    this.at += 1;
    return /[=!]$/u.test(head) ? "" : text;
  }

  /** How often the part before is repeated. */
  private count(): number {
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/u.exec(this.pattern.slice(this.at));
    if (quantifier === null) return 1;
    const [whole, least, most = least] = quantifier;
    this.at += whole.length;
    const sign = whole[0];
    if (sign === "?") return Math.min(this.more, 1);
    if (sign === "*" || sign === "+") return (sign === "+" ? 1 : 0) + this.more;
    return Math.min(Number(least) + this.more, most === "" ? Infinity : Number(most), MAX_TEXT + 1);
  }
}

/** The character of an escape by its number. */
function characterOf(source: string): string | undefined {
  const code = /^\\(?:u\{?|x)([\dA-Fa-f]+)\}?$/u.exec(source)?.[1];
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  return Array.from(source).length === 1 ? source : undefined;
}
