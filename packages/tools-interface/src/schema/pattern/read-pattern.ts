/** A part of a regular expression. */
export type PatternPart =
  /** One character that `source` matches. */
  | { readonly kind: "character"; readonly source: string }
  /** A place between two characters. */
  | { readonly kind: "place"; readonly at: Place }
  /** A place where `body` matches ahead or behind, or does not. */
  | { readonly kind: "look"; readonly body: PatternPart; readonly ahead: boolean; readonly negated: boolean }
  | { readonly kind: "sequence"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternPart[] }
  | { readonly kind: "repeat"; readonly body: PatternPart; readonly least: number; readonly most: number }
  /** A part that no automaton matches: a reference to what a group matched, or flags for a group. */
  | { readonly kind: "irregular"; readonly body: PatternPart | undefined };

/** The start or the end of the text, or a place where a word begins or ends, or where none does. */
export type Place = "start" | "end" | "word" | "no word";

/** Groups nested deeper are not read. */
const MAX_DEPTH = 50;

const PLACES: ReadonlyMap<string, Place> = new Map([
  ["^", "start"],
  ["$", "end"],
  [String.raw`\b`, "word"],
  [String.raw`\B`, "no word"],
]);
/** A pair of escaped surrogates, a class, an escape, or a character. */
const ATOM =
  /\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\c.|\\[1-9]\d*|\\.|[^]/uy;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[ims-]+:))?/uy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/uy;

/** Reads an expression that is valid in Unicode mode. `undefined` if its groups are nested too deep. */
export function readPattern(source: string): PatternPart | undefined {
  const reader = new Reader(source);
  const part = reader.choice(0);
  return part !== undefined && reader.isAtEnd ? part : undefined;
}

class Reader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  choice(depth: number): PatternPart | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const parts: PatternPart[] = [];
    for (;;) {
      const part = this.sequence(depth);
      if (part === undefined) return undefined;
      parts.push(part);
      if (this.source[this.at] !== "|") return parts.length === 1 ? part : { kind: "choice", parts };
      this.at += 1;
    }
  }

  private sequence(depth: number): PatternPart | undefined {
    const parts: PatternPart[] = [];
    while (!this.isAtEnd && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      const body = this.source[this.at] === "(" ? this.group(depth) : this.atom();
      if (body === undefined) return undefined;
      parts.push(this.repeated(body));
    }
    return { kind: "sequence", parts };
  }

  private atom(): PatternPart {
    const source = this.take(ATOM)?.[0] ?? "";
    const at = PLACES.get(source);
    if (at !== undefined) return { kind: "place", at };
    return /^\\(?:[1-9]|k<)/u.test(source) ? { kind: "irregular", body: undefined } : { kind: "character", source };
  }

  private group(depth: number): PatternPart | undefined {
    const head = this.take(GROUP)?.[0] ?? "";
    const body = this.choice(depth + 1);
    if (body === undefined) return undefined;
    this.at += 1;
    if (/[=!]$/u.test(head)) return { kind: "look", body, ahead: !head.includes("<"), negated: head.endsWith("!") };
    return /^\(\?[ims-]/u.test(head) ? { kind: "irregular", body } : body;
  }

  private repeated(body: PatternPart): PatternPart {
    const found = this.take(QUANTIFIER);
    if (found === undefined) return body;
    const [whole, lower, upper = lower] = found;
    if (whole.startsWith("{"))
      return { kind: "repeat", body, least: Number(lower), most: upper === "" ? Infinity : Number(upper) };
    return { kind: "repeat", body, least: whole.startsWith("+") ? 1 : 0, most: whole.startsWith("?") ? 1 : Infinity };
  }

  /** Takes the text that an expression matches here. */
  private take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }
}
