import { placesWith, placeValues } from "@dispatch/tools-interface/internal";

/** Limits of a {@link JsonStream}. */
export interface JsonStreamLimits {
  /** Arrays and objects inside of each other. */
  readonly depth: number;
  /** Values in all: each array, object, text, number, boolean and null. A number as a key counts for more. */
  readonly values: number;
}

type Container = unknown[] | Record<string, unknown>;

/** Tokens that may come next. */
type Expected = "value" | "first item" | "first key" | "key" | "colon" | "comma" | "end";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** A number of JavaScript has at most 25 characters. */
const MAX_LITERAL_BYTES = 1_000;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Size of the longest escape, `\u0000`. */
const ESCAPE_BYTES = 6;
/** A shorter part of a text is copied out of it, a longer one keeps all of it in memory. */
const COPIED_CHARS = 13;

/**
 * Reads JSON from pieces of its bytes, each at a cost that its size bounds, so that a long text does not block the event
 * loop as `JSON.parse` of the whole would. Gives up at a limit. Drops keys named `__proto__`, which would become a
 * prototype in the next copy or merge.
 */
export class JsonStream {
  readonly #limits: JsonStreamLimits;
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  /** Of the open containers: their places for numbers as keys. */
  readonly #places: number[] = [];
  #expected: Expected = "value";
  /** The text that is being read, as far as it was decoded. */
  #text: string | undefined;
  #held: Buffer | undefined;
  #chars = "";
  #count = 0;
  #value: unknown;
  #failed = false;

  constructor(limits: JsonStreamLimits) {
    this.#limits = limits;
  }

  push(piece: Buffer): void {
    if (this.#failed) return;
    const bytes = this.#held === undefined ? piece : Buffer.concat([this.#held, piece]);
    this.#held = undefined;
    // A character for each byte: parts of it are taken much faster than they are decoded one by one.
    this.#chars = bytes.toString("latin1");
    for (let at = 0; at < bytes.length && !this.#failed;)
      at = this.#text === undefined ? this.#readToken(bytes, at) : this.#readText(bytes, at);
  }

  /** The value; `undefined` when the bytes are not JSON, or more than the limits allow. */
  end(): { readonly value: unknown } | undefined {
    // Ends a number.
    this.push(Buffer.from(" "));
    return this.#failed || this.#expected !== "end" ? undefined : { value: this.#value };
  }

  #readToken(bytes: Buffer, at: number): number {
    const expected = this.#expected;
    switch (bytes[at] as number) {
      case 32:
      case 9:
      case 10:
      case 13:
        break;
      case QUOTE:
        this.#text = "";
        if (expected === "colon" || expected === "comma" || expected === "end") this.#fail();
        break;
      case OPEN_ARRAY:
        this.#enter([], "first item");
        break;
      case OPEN_OBJECT:
        this.#enter({}, "first key");
        break;
      case CLOSE_ARRAY:
        this.#leave(true);
        break;
      case CLOSE_OBJECT:
        this.#leave(false);
        break;
      case COMMA:
        if (expected === "comma") this.#expected = Array.isArray(this.#open.at(-1)) ? "value" : "key";
        else this.#fail();
        break;
      case COLON:
        if (expected === "colon") this.#expected = "value";
        else this.#fail();
        break;
      default:
        return this.#readLiteral(bytes, at);
    }
    return at + 1;
  }

  /** Reads a number, `true`, `false` or `null`. */
  #readLiteral(bytes: Buffer, from: number): number {
    let end = from;
    while (end < bytes.length && !isDelimiter(bytes[end] as number)) end += 1;
    if (end - from > MAX_LITERAL_BYTES) this.#fail();
    else if (end === bytes.length) this.#held = bytes.subarray(from);
    else {
      const literal = this.#chars.slice(from, end);
      if (NUMBER.test(literal)) this.#add(Number(literal));
      else if (literal === "null") this.#add(null);
      else if (literal === "true" || literal === "false") this.#add(literal === "true");
      else this.#fail();
    }
    return end;
  }

  #readText(bytes: Buffer, from: number): number {
    let escapeAt = -1;
    let isAscii = true;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) escapeAt = at++;
      else if (byte < 32) this.#fail();
      else if (byte > 126) isAscii = false;
    }
    const isEnded = at < bytes.length;
    const end = isEnded ? at : cutAt(bytes, from, escapeAt);
    const isCopied = isAscii && end - from < COPIED_CHARS;
    const part = isCopied ? this.#chars.slice(from, end) : bytes.toString(isAscii ? "latin1" : "utf8", from, end);
    try {
      this.#text += escapeAt === -1 ? part : JSON.parse(`"${part}"`);
    } catch {
      this.#fail();
    }
    if (!isEnded) {
      this.#held = end < bytes.length ? bytes.subarray(end) : undefined;
      return bytes.length;
    }
    const text = this.#text as string;
    this.#text = undefined;
    if (this.#expected === "first key" || this.#expected === "key") {
      this.#keys.push(text);
      const places = this.#places.at(-1) as number;
      const more = placesWith(text, places);
      this.#places[this.#places.length - 1] = more;
      this.#count += Math.max(placeValues(more) - placeValues(places), 0);
      this.#expected = "colon";
    } else this.#add(text);
    return at + 1;
  }

  #enter(container: Container, inside: Expected): void {
    this.#add(container);
    this.#places.push(0);
    if (this.#open.push(container) > this.#limits.depth) this.#fail();
    this.#expected = inside;
  }

  #leave(isArray: boolean): void {
    const container = this.#open.pop();
    this.#places.pop();
    const isEmpty = this.#expected === (isArray ? "first item" : "first key");
    if (Array.isArray(container) !== isArray || !(isEmpty || this.#expected === "comma")) this.#fail();
    this.#expected = this.#open.length === 0 ? "end" : "comma";
  }

  /** Adds a value where one is expected. */
  #add(value: unknown): void {
    const isDue = this.#expected === "value" || this.#expected === "first item";
    if (!isDue || ++this.#count > this.#limits.values) return this.#fail();
    const container = this.#open.at(-1);
    this.#expected = container === undefined ? "end" : "comma";
    if (container === undefined) this.#value = value;
    else if (Array.isArray(container)) container.push(value);
    else {
      const key = this.#keys.pop() as string;
      if (key !== "__proto__") container[key] = value;
    }
  }

  #fail(): void {
    this.#failed = true;
    this.#open.length = 0;
    this.#value = undefined;
  }
}

function isDelimiter(byte: number): boolean {
  switch (byte) {
    case 32:
    case 9:
    case 10:
    case 13:
    case QUOTE:
    case COMMA:
    case COLON:
    case OPEN_ARRAY:
    case CLOSE_ARRAY:
    case OPEN_OBJECT:
    case CLOSE_OBJECT:
      return true;
    default:
      return false;
  }
}

/** Where an unfinished text can be cut: before an escape or a character that may go on in the next piece. */
function cutAt(bytes: Buffer, from: number, escapeAt: number): number {
  if (escapeAt !== -1 && escapeAt > bytes.length - ESCAPE_BYTES) return escapeAt;
  for (let at = bytes.length - 1; at >= from && at >= bytes.length - 4; at -= 1) {
    const byte = bytes[at] as number;
    if (byte >= 0xc0) return at;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
