import { FilesError } from "./files-error.ts";

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const CLASSES: Readonly<Record<string, string>> = { d: String.raw`\p{Nd}`, w: WORD, s: String.raw`\p{White_Space}` };
const BOUNDARY = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`;
const NO_BOUNDARY = `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`;

const ESCAPE = String.raw`\\(?:[pP](?:\{[\w=]+\}|\w)|x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|b\{[\s\S]|[\s\S])`;
/** What is read at a time: an escape, the beginning of a group, a count, or a character. */
const TOKEN = new RegExp(String.raw`${ESCAPE}|\(\?P?<[=!]|\(\?P?<\w+>|\(\?[\s\S]|\{\d+(?:,\d*)?\}|[\s\S]`, "uy");
/** The same inside a set. */
const SET_TOKEN = new RegExp(String.raw`${ESCAPE}|[\s\S]`, "uy");

/**
 * JavaScript's regular expression for one written for ripgrep, to be used on one line without its end. Classes are those
 * of Unicode, as there. What cannot be said in JavaScript exactly so is refused, never guessed.
 *
 * @throws {FilesError} Code `invalid_regex`.
 */
export function toJavaScriptRegex(pattern: string, attempt: string): RegExp {
  const refuse = (found: string) =>
    new FilesError(`${attempt}: the regular expression ${found}`, { code: "invalid_regex" });
  const ignoreCase = pattern.startsWith("(?i)");
  let source = "";
  let inSet = false;
  let setLength = 0;
  for (let at = ignoreCase ? 4 : 0; at < pattern.length;) {
    const kind: RegExp = inSet ? SET_TOKEN : TOKEN;
    kind.lastIndex = at;
    const token: string | undefined = kind.exec(pattern)?.[0];
    if (token === undefined) throw refuse("ends in a backslash");
    at += token.length;
    if (token.startsWith("\\")) {
      source += escape(token, inSet, refuse);
      setLength += 1;
    } else if (!inSet) {
      source += token === "[" ? token : plain(token, refuse);
      [inSet, setLength] = [token === "[", 0];
    } else if (token === "]" && setLength > 0) {
      source += token;
      inSet = false;
    } else if (token === "[") {
      throw refuse("has a set in a set, which the engine in use does not support; escape the inner bracket");
    } else {
      source += token === "]" ? "\\]" : token;
      if (token !== "^" || setLength > 0 || source.endsWith("^^")) setLength += 1;
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

function plain(token: string, refuse: (found: string) => Error): string {
  if (token === ".") return String.raw`[^\r\n]`;
  if (token === "^") return String.raw`(?<![^\r\n])`;
  if (token === "$") return String.raw`(?![^\r\n])`;
  if (token === "\n" || token === "\r") throw refuse("holds a line break, a search goes line by line");
  if (token === "(?:" || token === "(" || (token.startsWith("{") && token.length > 1)) return token;
  if (/^\(\?P?<[=!]|^\(\?[=!]/.test(token)) throw refuse("has look-around, which is not supported");
  if (token.startsWith("(?P<")) return `(?<${token.slice(4)}`;
  if (token.startsWith("(?<")) return token;
  if (token.startsWith("(?"))
    throw refuse("has flags inside, which the engine in use supports only as (?i) at the beginning");
  return token === "]" || token === "}" || token === "/" ? `\\${token}` : token;
}

function escape(token: string, inSet: boolean, refuse: (found: string) => Error): string {
  const letter = token.charAt(1);
  const class_ = CLASSES[letter.toLowerCase()];
  if (class_ !== undefined && letter === letter.toLowerCase()) return inSet ? class_ : `[${class_}]`;
  if (class_ !== undefined) {
    if (inSet) throw refuse(`has ${token} in a set, which the engine in use does not support`);
    return `[^${class_}]`;
  }
  if (token.startsWith("\\b{")) throw refuse("has a half word boundary, which the engine in use does not support");
  if (!inSet && letter === "b") return BOUNDARY;
  if (!inSet && letter === "B") return NO_BOUNDARY;
  if (/[1-9k]/.test(letter)) throw refuse("has a back-reference, which is not supported");
  if (letter === "n" || letter === "r") throw refuse("holds a line break, a search goes line by line");
  if (letter === "t" || letter === "f" || letter === "v") return token;
  if (letter === "a") return String.raw`\x07`;
  if (letter === "x" || letter === "u") {
    const code = Number.parseInt(token.replace(/[^0-9a-fA-F]/g, ""), 16);
    if (code === 10 || code === 13) throw refuse("holds a line break, a search goes line by line");
    if (token.length > 2 && code <= 0x10ffff) return `\\u{${code.toString(16)}}`;
  }
  if ((letter === "p" || letter === "P") && token.length > 2) {
    const name = token.slice(2).replace(/[{}]/g, "");
    return `\\${letter}{${propertyName(name)}}`;
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
