import { FilesError } from "../error/files-error.ts";

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const CLASSES: Readonly<Record<string, string>> = { d: String.raw`\p{Nd}`, w: WORD, s: String.raw`\p{White_Space}` };
const BOUNDARY = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`;
const NO_BOUNDARY = `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`;

const ESCAPE = String.raw`\\(?:[pP](?:\{[\w=]+\}|\w)|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|b\{[\s\S]|[\s\S])`;
/** Bytes that are no UTF-8, as `escapedText` writes them: no class but one that names them holds them. */
const NO_TEXT = String.raw`\udc80-\udcff`;
/** The beginning and the end of a line. */
const EDGE = { before: String.raw`(?<![^\r\n])`, after: String.raw`(?![^\r\n])` };
/** What stands before a set that is used on a line: there no class holds a carriage return, as it may end one. */
const NOT_RETURN = String.raw`(?:(?!\r)`;
/** Not within a line end of two characters. */
const NOT_INSIDE = String.raw`(?!(?<=\r)\n)`;

/** What is read at a time: an escape, the beginning of a group, a count, or a character. */
const TOKEN = new RegExp(String.raw`${ESCAPE}|\(\?P?<[=!]|\(\?P?<\w+>|\(\?[\s\S]|\{\d+(?:,\d*)?\}|[\s\S]`, "uy");
/** The same inside a set. */
const SET_TOKEN = new RegExp(String.raw`${ESCAPE}|[\s\S]`, "uy");

/** How an expression is to be read. */
export interface DialectOptions {
  /** Whether case does not matter. Default false. */
  readonly ignoreCase?: boolean;
  /** Whether it is used on many lines with their ends, not on one without. Default false. */
  readonly multiline?: boolean;
}

type Dialect = {
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly refuse: (found: string) => Error;
};

/**
 * JavaScript's regular expression for one written for ripgrep, to be used on `escapedText`. Classes are those of Unicode,
 * as there. What cannot be said in JavaScript exactly so is refused, never guessed.
 *
 * @throws {FilesError} Code `invalid_regex`.
 */
export function toJavaScriptRegex(pattern: string, attempt: string, options: DialectOptions = {}): RegExp {
  const refuse = (found: string) =>
    new FilesError(`${attempt}: the regular expression ${found}`, { code: "invalid_regex" });
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const flags = leading?.[1] ?? "";
  const ignoreCase = options.ignoreCase === true || flags.includes("i");
  const dialect = { multiline: options.multiline === true, dotAll: flags.includes("s"), refuse };
  let source = "";
  let inSet = false;
  let setLength = 0;
  for (let at = leading?.[0].length ?? 0; at < pattern.length;) {
    const kind: RegExp = inSet ? SET_TOKEN : TOKEN;
    kind.lastIndex = at;
    const token: string | undefined = kind.exec(pattern)?.[0];
    if (token === undefined) throw refuse("ends in a backslash");
    at += token.length;
    if (token.startsWith("\\")) {
      source += escape(token, inSet, dialect);
      setLength += 1;
    } else if (!inSet) {
      source += token === "[" ? (dialect.multiline ? token : NOT_RETURN + token) : plain(token, dialect);
      [inSet, setLength] = [token === "[", 0];
    } else if (token === "]" && setLength > 0) {
      source += dialect.multiline ? token : `${token})`;
      inSet = false;
    } else if (token === "[") {
      throw refuse("has a set in a set, which the engine in use does not support; escape the inner bracket");
    } else {
      source += token === "]" ? "\\]" : token === "^" && source.endsWith("[") ? `^${NO_TEXT}` : token;
      if (token !== "^" || setLength > 0 || !source.endsWith(`[^${NO_TEXT}`)) setLength += 1;
    }
  }
  if (/\[\^?[^\]]*(?:&&|--|~~)/.test(pattern))
    throw refuse("has an operation on sets, which the engine in use does not support");
  try {
    return new RegExp(source, ignoreCase ? "ui" : "u");
  } catch (error) {
    throw refuse(
      `is invalid, ${error instanceof Error ? error.message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, "") : "it cannot be read"}`,
    );
  }
}

function plain(token: string, { multiline, dotAll, refuse }: Dialect): string {
  if (token === ".") return dotAll ? `[^${NO_TEXT}]` : String.raw`[^\r\n${NO_TEXT}]`;
  if (token === "^") return EDGE.before + (multiline ? NOT_INSIDE : "");
  if (token === "$") return EDGE.after + (multiline ? NOT_INSIDE : "");
  if (token === "\n" || token === "\r") return lineBreak(token, { multiline, refuse });
  if (token === "(?:" || token === "(" || (token.startsWith("{") && token.length > 1)) return token;
  if (/^\(\?P?<[=!]|^\(\?[=!]/.test(token)) throw refuse("has look-around, which is not supported");
  if (token.startsWith("(?P<")) return `(?<${token.slice(4)}`;
  if (token.startsWith("(?<")) return token;
  if (token.startsWith("(?"))
    throw refuse("has flags inside, which the engine in use supports only at the beginning: i, m and s");
  return token === "]" || token === "}" || token === "/" ? `\\${token}` : token;
}

function lineBreak(source: string, { multiline, refuse }: Pick<Dialect, "multiline" | "refuse">): string {
  if (multiline) return source;
  throw refuse("holds a line break, a search goes line by line; set multiline to search over several lines");
}

function escape(token: string, inSet: boolean, dialect: Dialect): string {
  const { multiline, refuse } = dialect;
  const set = (members: string) => (multiline ? `[${members}]` : `${NOT_RETURN}[${members}])`);
  const letter = token.charAt(1);
  const class_ = CLASSES[letter.toLowerCase()];
  if (class_ !== undefined && letter === letter.toLowerCase()) return inSet ? class_ : set(class_);
  if (class_ !== undefined) {
    if (inSet) throw refuse(`has ${token} in a set, which the engine in use does not support`);
    return set(`^${class_}${NO_TEXT}`);
  }
  if (token.startsWith("\\b{")) throw refuse("has a half word boundary, which the engine in use does not support");
  if (!inSet && letter === "b") return BOUNDARY;
  if (!inSet && letter === "B") return NO_BOUNDARY;
  if (/[1-9k]/.test(letter)) throw refuse("has a back-reference, which is not supported");
  if (letter === "n" || letter === "r") return lineBreak(token, dialect);
  if (letter === "t" || letter === "f" || letter === "v") return token;
  if (letter === "a") return String.raw`\x07`;
  if (letter === "x" || letter === "u") {
    const code = Number.parseInt(token.replace(/[^0-9a-fA-F]/g, ""), 16);
    if (code === 10 || code === 13) lineBreak(token, dialect);
    if (token.length > 2 && code <= 0x10ffff) return `\\u{${code.toString(16)}}`;
  }
  if ((letter === "p" || letter === "P") && token.length > 2) {
    const name = token.slice(2).replace(/[{}]/g, "");
    const property = String.raw`\p{${propertyName(name)}}`;
    if (letter === "p") return inSet ? property : set(property);
    if (inSet) throw refuse(`has ${token} in a set, which the engine in use does not support`);
    return set(`^${property}${NO_TEXT}`);
  }
  if (/[^\w\s<>]/.test(letter)) return `\\u{${token.codePointAt(1)?.toString(16)}}`;
  throw refuse(`has ${token}, which the engine in use does not support`);
}

/** A script is named without its property there. */
function propertyName(name: string): string {
  try {
    void new RegExp(`\\p{${name}}`, "u");
    return name;
  } catch {
    return `Script=${name}`;
  }
}

/** A regular expression for a text, in both dialects. A line feed in it stands for any line end. */
export function escapedLiteral(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&").replace(/\r?\n/g, "\\r?\\n");
}
