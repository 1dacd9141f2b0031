/** Longer patterns are not read. In characters. */
const MAX_PATTERN = 500;
/** Longer texts teach nothing. In characters. */
const MAX_TEXT = 80;
/** Patterns that can be matched in more ways are not read: those of a hostile server would take too long to check. */
const MAX_WAYS = 50_000;
/** The count of a repetition without an end. */
const ENDLESS_WAYS = 6;
/** More of them share a text in too many ways. */
const MAX_ENDLESS = 4;
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
    const { text, ways } = reader.choice(0);
    return reader.isAtEnd && text.length <= MAX_TEXT && ways <= MAX_WAYS ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A text that a part of a pattern matches, and in how many ways the part can match at most. */
interface Part {
  readonly text: string;
  readonly ways: number;
}

/** Reads a pattern and writes the text that its first choices match. */
class PatternReader {
  private readonly pattern: string;
  private readonly more: number;
  private at = 0;
  private endless = 0;

  constructor(pattern: string, more: number) {
    this.pattern = pattern;
    this.more = more;
  }

  get isAtEnd(): boolean {
    return this.at >= this.pattern.length;
  }

  /** The first of several choices. The others are read, too. */
  choice(depth: number): Part {
    if (depth > MAX_DEPTH) throw new RangeError("nested too deep");
    let first: string | undefined;
    let ways = 0;
    for (;;) {
      const part = this.sequence(depth);
      first ??= part.text;
      ways += part.ways;
      if (this.pattern[this.at] !== "|") return { text: first, ways };
      this.at += 1;
    }
  }

  private sequence(depth: number): Part {
    let [text, ways] = ["", 1];
    while (!this.isAtEnd && this.pattern[this.at] !== "|" && this.pattern[this.at] !== ")") {
      const atom = this.atom(depth);
      const { count, least, most } = this.quantifier();
      text += atom.text.repeat(count);
      ways *= atom.ways ** (atom.ways > 1 ? most : 1) * Math.min(most - least + 1, ENDLESS_WAYS);
      if (text.length > MAX_TEXT || ways > MAX_WAYS) throw new RangeError("too long");
    }
    return { text, ways };
  }

  private atom(depth: number): Part {
    const next = this.pattern[this.at];
    if (next === "(") return this.group(depth);
    const read =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\c.|\\.|[^])/u;
    const [source = ""] = read.exec(this.pattern.slice(this.at)) ?? [];
    this.at += source.length;
    if (source === "^" || source === "$" || source === String.raw`\b` || source === String.raw`\B`)
      return { text: "", ways: 1 };
    const own = new RegExp(`^(?:${source})$`, "u");
    const found = POOL.find((character) => own.test(character)) ?? characterOf(source);
    if (found === undefined) throw new RangeError("no character for it");
    return { text: found, ways: 1 };
  }

  private group(depth: number): Part {
    const [head] = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/u.exec(this.pattern.slice(this.at)) ?? ["("];
    this.at += head.length;
    const { text, ways } = this.choice(depth + 1);
    if (this.pattern[this.at] !== ")") throw new RangeError("a group without an end");
    this.at += 1;
    return { text: /[=!]$/u.test(head) ? "" : text, ways };
  }

  /** How often the part before is repeated, and how often it may be. */
  private quantifier(): { readonly count: number; readonly least: number; readonly most: number } {
    const found = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/u.exec(this.pattern.slice(this.at));
    if (found === null) return { count: 1, least: 1, most: 1 };
    const [whole, lower, upper = lower] = found;
    this.at += whole.length;
    const sign = whole[0];
    const least = sign === "{" ? Number(lower) : sign === "+" ? 1 : 0;
    const most = sign === "?" ? 1 : sign === "{" && upper !== "" ? Number(upper) : Infinity;
    this.endless += most === Infinity ? 1 : 0;
    if (this.endless > MAX_ENDLESS) throw new RangeError("too many repetitions");
    return { count: Math.min(least + this.more, most, MAX_TEXT + 1), least, most };
  }
}

/** The character of an escape by its number. */
function characterOf(source: string): string | undefined {
  const code = /^\\(?:u\{?|x)([\dA-Fa-f]+)\}?$/u.exec(source)?.[1];
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  return Array.from(source).length === 1 ? source : undefined;
}
