import { FilesError } from "../../error/files-error.ts";
import { type PatternFlags, PatternText, written } from "./pattern-text.ts";
import { readEscape } from "./regex-escape.ts";
import { readSet, setOf } from "./regex-set.ts";

/** The beginning and the end of a line. */
const EDGE = { "^": String.raw`(?<![^\r\n])`, $: String.raw`(?![^\r\n])` };
/** Not within a line end of two characters. */
const NOT_INSIDE = String.raw`(?!(?<=\r)\n)`;
/** Not behind a CR that ends the text: ripgrep, when it goes line by line, finds no edge of a line there. */
const NOT_LAST = String.raw`(?!(?<=\r)(?![^]))`;
/** Groups in groups. */
const MAX_DEPTH = 200;

/** How an expression is to be read. */
export interface DialectOptions {
  /** Whether case does not matter. Default false. */
  readonly ignoreCase?: boolean;
  /** Whether it is used on many lines with their ends, not on one without. Default false. */
  readonly multiline?: boolean;
}

/**
 * JavaScript's regular expression for one written for ripgrep, to be used on `escapedText`. Classes are those of
 * Unicode, as there. An expression without an exact equivalent in JavaScript is refused, never guessed.
 *
 * @throws {FilesError} Code `invalid_regex`.
 */
export function toJavaScriptRegex(pattern: string, attempt: string, options: DialectOptions = {}): RegExp {
  const refuse = (found: string) =>
    new FilesError(`${attempt}: the regular expression ${found}`, { code: "invalid_regex" });
  const read = (whole: boolean | undefined): string => {
    const text = new PatternText(pattern, options.multiline === true, refuse);
    const reader = new DialectReader(text, whole);
    const found = reader.alternatives({ i: options.ignoreCase === true, s: false, U: false, x: false }, 0);
    if (!text.ended) throw refuse("has a closing parenthesis without an opening one");
    return found;
  };
  // A part whose case matters otherwise than that of the whole needs a group that says so.
  let ignoreCase = options.ignoreCase === true || /^\(\?[a-zA-Z]*i[a-zA-Z]*(?:-[a-zA-Z]*)?\)/.test(pattern);
  let source = read(ignoreCase);
  // V8 gives a set the flag of such a group before it: /(?-i:b)a|[ab]-/iv does not match "A-", /(?i:A)[A-Z]/v matches "aa".
  // Then every part says its own.
  if (/\(\?-?i:/.test(source)) [ignoreCase, source] = [false, read(undefined)];
  try {
    return new RegExp(source, ignoreCase ? "vi" : "v");
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, "") : "";
    throw refuse(
      reason === "Invalid group"
        ? "ignores case in a part of it, which the engine in use supports only with Node 23 and later"
        : `is invalid, ${reason}`,
    );
  }
}

interface Atom {
  readonly source: string;
  /** Whether it can be repeated as it is. */
  readonly single: boolean;
}

class DialectReader {
  readonly #text: PatternText;
  /** Of the whole; `undefined`: each part says it. */
  readonly #ignoreCase: boolean | undefined;

  constructor(text: PatternText, ignoreCase: boolean | undefined) {
    this.#text = text;
    this.#ignoreCase = ignoreCase;
  }

  /** Reads up to the end of the group, or of the expression. Flags that are set on the way hold up to there. */
  alternatives(outer: PatternFlags, depth: number): string {
    const text = this.#text;
    let flags = outer;
    let done = "";
    let last: Atom | undefined;
    const finish = () => {
      done += last?.source ?? "";
      last = undefined;
    };
    if (depth > MAX_DEPTH) throw text.refuse(`has more than ${MAX_DEPTH} groups in groups`);
    for (;;) {
      text.skipSpace(flags);
      if (text.ended || text.next === ")") break;
      const repeated = this.#repetition(last, flags);
      if (repeated !== undefined) {
        last = repeated;
        continue;
      }
      finish();
      if (text.take("|")) done += "|";
      else {
        const found = this.#atom(flags, depth);
        if ("flags" in found) flags = found.flags;
        else last = found;
      }
    }
    finish();
    return done;
  }

  #repetition(last: Atom | undefined, flags: PatternFlags): Atom | undefined {
    const text = this.#text;
    const [found, least, most] = text.match(/[*+?]|\{\s*(\d+)\s*(?:,\s*(\d*)\s*)?\}/y) ?? [];
    if (found === undefined) {
      if (text.next !== "{") return undefined;
      throw text.refuse("has a count that cannot be read, escape the brace as \\{");
    }
    if (last === undefined) throw text.refuse(`has nothing before ${found} to repeat`);
    if (most !== undefined && most !== "" && Number(least) > Number(most))
      throw text.refuse(`has the count ${found}, whose start is behind its end`);
    text.skipSpace(flags);
    const lazy = text.take("?") !== flags.U;
    const count = found.replaceAll(/\s/g, "");
    return { source: `${last.single ? last.source : `(?:${last.source})`}${count}${lazy ? "?" : ""}`, single: false };
  }

  #atom(flags: PatternFlags, depth: number): Atom | { readonly flags: PatternFlags } {
    const text = this.#text;
    const character = text.character();
    if (character === "(") return this.#group(flags, depth);
    if (character === "[") return { source: this.#cased(readSet(text, flags), flags), single: true };
    if (character === ".") return { source: this.#dot(flags), single: true };
    if (character === "^" || character === "$") {
      const last = text.multiline ? "" : NOT_LAST;
      return { source: `(?:${EDGE[character]}${NOT_INSIDE}${last})`, single: true };
    }
    if (character !== "\\") {
      const code = character.codePointAt(0)!;
      text.lineBreak(code);
      return { source: this.#cased(written(code), flags), single: true };
    }
    const escape = readEscape(text, false);
    if (escape.kind === "place") return { source: escape.source, single: escape.source.startsWith("(?:") };
    const source =
      escape.kind === "character" ? written(escape.code) : setOf(escape.members, escape.negated, text.multiline);
    return { source: this.#cased(source, flags), single: true };
  }

  #dot({ s }: PatternFlags): string {
    return setOf(s ? "" : String.raw`\r\n`, true, this.#text.multiline);
  }

  #cased(source: string, { i }: PatternFlags): string {
    if (i === this.#ignoreCase) return source;
    return i ? `(?i:${source})` : `(?-i:${source})`;
  }

  #group(flags: PatternFlags, depth: number): Atom | { readonly flags: PatternFlags } {
    const text = this.#text;
    let inner = flags;
    if (text.match(/\?(?:[=!]|P?<[=!])/y) !== undefined) throw text.refuse("has look-around, which is not supported");
    if (text.match(/\?P?<[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}_.[\]]*>/uy) === undefined && text.take("?")) {
      const [set, end] = text.match(/[a-zA-Z]*(?:-[a-zA-Z]+)?(?=([:)]))/y) ?? [];
      if (set === undefined || end === undefined || (set === "" && end === ")"))
        throw text.refuse("has a group that cannot be read");
      inner = this.#withFlags(flags, set);
      text.at += 1;
      if (end === ")") return { flags: inner };
    }
    const source = this.alternatives(inner, depth + 1);
    if (!text.take(")")) throw text.refuse("has a group without an end");
    return { source: `(?:${source})`, single: true };
  }

  #withFlags(flags: PatternFlags, set: string): PatternFlags {
    const changed: Record<string, boolean> = { ...flags };
    const [on = "", off = ""] = set.split("-");
    for (const flag of off)
      if ("mRu".includes(flag))
        throw this.#text.refuse(`has the flag -${flag}, which the engine in use does not support`);
    for (const flag of on + off) {
      if (!"imsURux".includes(flag)) throw this.#text.refuse(`has the flag ${JSON.stringify(flag)}, which is unknown`);
      changed[flag] = on.includes(flag);
    }
    return { ...flags, i: changed["i"]!, s: changed["s"]!, U: changed["U"]!, x: changed["x"]! };
  }
}

/** A regular expression for a text, in both dialects. A line feed in it stands for any line end. */
export function escapedLiteral(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&").replace(/\r?\n/g, "\\r?\\n");
}
