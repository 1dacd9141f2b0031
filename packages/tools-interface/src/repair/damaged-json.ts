import { thrownMessage } from "../error/tool-error.ts";
import type { JsonSchema } from "../json/json.ts";
import { parseJson } from "../json/parse-json.ts";
import { namesIn, opennessOf, propertiesOf } from "../schema/schema-node.ts";
import { likelyAlternatives, locationAt, rootLocation } from "./instance-location.ts";

/** The object in a damaged text with the faults that were corrected, or the reason why it cannot be read. */
type ReadObject =
  | {
      readonly value: object;
      readonly faults: readonly string[];
      /** The objects and arrays whose closing bracket is missing, innermost first. Absent when there are none. */
      readonly unclosed?: readonly UnclosedValue[];
      readonly reason?: undefined;
    }
  | { readonly reason: string };

/** An object or array in a text that ends before it does. */
interface UnclosedValue {
  /** Its place, from the root of the object that was read. */
  readonly path: readonly (string | number)[];
  /** The fields it was seen with. `undefined` for an array. */
  readonly fields: readonly string[] | undefined;
}

/** Deeper nesting is refused. */
const MAX_DEPTH = 200;
/** Most characters before the object that are searched for the name of a field. */
const MAX_NAME = 100;
/** Most characters on one side of the object that can be without a meaning. */
const MAX_WRAPPING = 200;
const NAME_BEFORE = /([\w$-]+)['`]?\s*[:=]$/;
const BLANK = /\s*/y;
const COMMENT = /\/\/[^\n]*\n|\/\*[^]*?\*\//y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const PLAIN = /[^"'\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const WORDS: { readonly [word: string]: string } = { true: "true", false: "false", null: "null" };
const PYTHON: { readonly [word: string]: string } = { True: "true", False: "false", None: "null" };
const CONTROLS: { readonly [control: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Reads the one object of a text that is almost JSON: in a code fence or in tags, with trailing commas, comments,
 * single quotes, bare keys, Python's words, raw line breaks, or without its last closing brackets.
 *
 * Only text with a single reading is read. A text that ends inside a value, or after a comma, was cut off: the rest of
 * a value must never be taken for the whole, so the text is refused. The usual repairers (jsonrepair, partial-json)
 * complete such values, turn bare words into strings and drop parts that they do not understand. Sentences around the
 * object are refused too: they may take back the object, or offer it as an example.
 *
 * @param fields - The fields of the object. A name before the object that is one of them is no label.
 */
export function readDamagedJson(text: string, fields: readonly string[] = []): ReadObject {
  const start = text.indexOf("{");
  if (start === -1) return { reason: "it holds no object" };
  const before = text.slice(0, start).trim();
  if (!isWrapping(before) || fields.includes(NAME_BEFORE.exec(before.slice(-MAX_NAME))?.[1] ?? "")) {
    return { reason: `before the object it holds ${JSON.stringify(before.slice(-20))}` };
  }
  const reader = new Reader(text, start);
  try {
    const json = reader.object(0);
    const after = text.slice(reader.at).trim();
    if (before === "" && /^\}+$/.test(after)) {
      reader.faults.add("a closing bracket too many");
    } else if (!isWrapping(after)) {
      return { reason: `after the object it holds ${JSON.stringify(after.slice(0, 20))}` };
    }
    if (before !== "" || /[^}]/.test(after))
      reader.faults.add(before.startsWith("```") ? "a code fence" : "text around it");
    if (reader.faults.size === 0) reader.faults.add("white space that JSON does not know");
    const { unclosed } = reader;
    return {
      value: parseJson(json) as object,
      faults: [...reader.faults],
      ...(unclosed.length > 0 && { unclosed }),
    };
  } catch (error) {
    return { reason: thrownMessage(error) };
  }
}

/** Text beside an object that has no meaning of its own: a code fence, tags, common names of arguments, a full stop. */
const WRAPPING =
  /```(?:json[5cl]?|js|javascript|python|py|text|txt)?(?![\w-])|<[|/]?[\w:.-]{1,40}[|/]?>|(?<![\w-])(?:json|arguments|args|parameters|params|input|options)(?![\w-])\s*[:=]?|[`'.;]|\s+/gi;

/** True for text that says nothing. A lone quote comes from double encoding. */
function isWrapping(text: string): boolean {
  return text === '"' || (text.length <= MAX_WRAPPING && text.replaceAll(WRAPPING, "") === "");
}

/** Thrown where a text can be read in no way or in several. */
class UnreadableError extends Error {}

/** Parses damaged JSON and writes valid JSON. Refuses everything it does not know. */
class Reader {
  /** The faults so far. */
  readonly faults = new Set<string>();
  /** The values that are open at the end of the text. */
  readonly unclosed: UnclosedValue[] = [];
  /** Index of the next character. */
  at: number;
  readonly #text: string;
  readonly #path: (string | number)[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  object(depth: number): string {
    const keys = new Set<string>();
    return this.#members("{", "}", depth, keys, () => {
      const key = this.#key();
      if (keys.has(key)) throw new UnreadableError(`it holds the field ${key.slice(0, 40)} twice`);
      keys.add(key);
      this.#blank();
      if (!this.#take(":")) throw this.#unexpected();
      this.#blank();
      this.#path.push(JSON.parse(key) as string);
      const value = this.#value(depth + 1);
      this.#path.pop();
      return `${key}:${value}`;
    });
  }

  /** Everything from an opening to a closing bracket, with the closing one added when the text ends without it. */
  #members(
    open: string,
    close: string,
    depth: number,
    keys: ReadonlySet<string> | undefined,
    member: () => string,
  ): string {
    if (depth > MAX_DEPTH) throw new UnreadableError(`it is nested deeper than ${MAX_DEPTH}`);
    this.at += 1;
    const members: string[] = [];
    for (;;) {
      this.#blank();
      if (this.#take(close)) {
        if (members.length > 0) this.faults.add("a trailing comma");
        break;
      }
      members.push(member());
      this.#blank();
      if (this.at === this.#text.length) {
        this.faults.add("a missing closing bracket");
        const fields = keys && [...keys].map((key) => JSON.parse(key) as string);
        this.unclosed.push({ path: [...this.#path], fields });
        break;
      }
      if (this.#take(close)) break;
      if (!this.#take(",")) throw this.#unexpected();
    }
    return open + members.join(",") + close;
  }

  #key(): string {
    const quote = this.#text[this.at];
    if (quote === '"' || quote === "'") return this.#string(quote);
    const word = this.#match(WORD);
    if (word === undefined) throw this.#unexpected();
    this.faults.add("a key without quotes");
    return JSON.stringify(word);
  }

  #value(depth: number): string {
    const first = this.#text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.#array(depth);
    if (first === '"' || first === "'") return this.#string(first);
    return this.#word();
  }

  #array(depth: number): string {
    let index = 0;
    return this.#members("[", "]", depth, undefined, () => {
      this.#path.push(index);
      const item = this.#value(depth + 1);
      this.#path.pop();
      index += 1;
      return item;
    });
  }

  #word(): string {
    const number = this.#match(NUMBER);
    if (number !== undefined) {
      if (this.at === this.#text.length) throw new UnreadableError("it ends inside a number: it was cut off");
      if (!Number.isFinite(Number(number))) throw new UnreadableError(`it holds the number ${number.slice(0, 20)}`);
      return number;
    }
    const start = this.at;
    const word = this.#match(WORD) ?? "";
    if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? "";
    if (Object.hasOwn(PYTHON, word)) {
      this.faults.add("a word of Python");
      return PYTHON[word] ?? "";
    }
    if (this.at < this.#text.length) this.at = start;
    throw this.#unexpected();
  }

  #string(quote: string): string {
    if (quote === "'") this.faults.add("single quotes");
    this.at += 1;
    let content = "";
    for (;;) {
      content += this.#match(PLAIN) ?? "";
      const character = this.#text[this.at];
      if (character === undefined) throw new UnreadableError("it ends inside a string: it was cut off");
      if (character === "\\") {
        content += this.#escape();
        continue;
      }
      this.at += 1;
      if (character === quote) return `"${content}"`;
      content += character === '"' ? '\\"' : character === "'" ? "'" : this.#control(character);
    }
  }

  #escape(): string {
    const known = this.#match(ESCAPE);
    if (known !== undefined) return known;
    if (this.#text.startsWith("\\'", this.at)) {
      this.at += 2;
      return "'";
    }
    if (this.at + 6 > this.#text.length) throw new UnreadableError("it ends inside a string: it was cut off");
    throw this.#unexpected();
  }

  #control(character: string): string {
    const escaped = CONTROLS[character];
    if (escaped === undefined) throw new UnreadableError("it holds a control character");
    this.faults.add("a raw line break or tab in a string");
    return escaped;
  }

  #blank(): void {
    for (;;) {
      this.#match(BLANK);
      if (this.#match(COMMENT) === undefined) return;
      this.faults.add("a comment");
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found === "" ? undefined : found;
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #unexpected(): UnreadableError {
    const found = this.#text.slice(this.at, this.at + 12);
    if (found === "") return new UnreadableError("it ends before the object does: it was cut off");
    return new UnreadableError(`at position ${this.at} it holds ${JSON.stringify(found)}`);
  }
}

/**
 * Reads parameters out of a text that is almost JSON, as `readDamagedJson` does. A text that ends before its brackets
 * are closed is taken for whole only where nothing more could have come: each object that it ends within has all the
 * fields that its schema names. Of an array nobody knows whether more items were to come.
 */
export function readDamagedParams(text: string, schema: JsonSchema): ReadObject {
  const names = [...namesIn(rootLocation({}, schema).allowed)];
  const read = readDamagedJson(text, names);
  if (read.reason !== undefined || read.unclosed === undefined) return read;
  const { value } = read;
  const isWhole = read.unclosed.every((unclosed) => hasAllFields(value, unclosed, schema));
  return isWhole ? read : { reason: "it ends before the object does, and more may have followed: it was cut off" };
}

function hasAllFields(value: object, { path, fields }: UnclosedValue, schema: JsonSchema): boolean {
  if (fields === undefined) return false;
  const location = locationAt(rootLocation(value, schema), path, schema);
  const allowed = likelyAlternatives(location);
  if (allowed.length === 0) return false;
  const sent = new Set(fields);
  return allowed.every((one) => {
    const openness = opennessOf(one);
    if (openness === "open" || openness === "free") return false;
    return Object.keys(propertiesOf(one)).every((name) => sent.has(name));
  });
}
