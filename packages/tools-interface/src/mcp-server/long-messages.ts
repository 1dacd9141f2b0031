import { Transform, type TransformCallback } from "node:stream";

/** The facts kept of a message that was too long. */
export interface LongMessage {
  /** The id of the request; `undefined` when it has none, or none that could be read. */
  readonly id: string | number | undefined;
  /** Bytes, all of them. */
  readonly bytes: number;
}

const NEWLINE = 0x0a;
/** Bytes of an id that are kept. */
const MAX_ID_BYTES = 256;

/**
 * Passes lines on and omits those that are longer than allowed, so that one does not end the connection. Of such a line
 * only the id is kept.
 *
 * @param onLong - Called for each omitted line, at its end.
 */
export function createLineLimiter(maxBytes: number, onLong: (message: LongMessage) => void): Transform {
  let held: Buffer[] = [];
  let bytes = 0;
  let finder: IdFinder | undefined;

  const take = (piece: Buffer): void => {
    bytes += piece.length;
    if (finder === undefined && bytes > maxBytes) {
      finder = new IdFinder();
      for (const earlier of held) finder.read(earlier);
      held = [];
    }
    if (finder === undefined) held.push(piece);
    else finder.read(piece);
  };
  const endLine = (stream: Transform): void => {
    if (finder === undefined) for (const piece of held) stream.push(piece);
    else onLong({ id: finder.id, bytes });
    held = [];
    bytes = 0;
    finder = undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end + 1));
        endLine(this);
        start = end + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
      done();
    },
    flush(done: TransformCallback) {
      endLine(this);
      done();
    },
  });
}

/** Finds the `id` at the root of a JSON object that is never held as a whole. */
class IdFinder {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The text of the string or number that is being read, when it may matter. */
  #token = "";
  /** The last string at the root: a key, once a colon follows. */
  #last = "";
  #key = "";
  #value = "";

  get id(): string | number | undefined {
    try {
      const id: unknown = JSON.parse(this.#value);
      return typeof id === "string" || typeof id === "number" ? id : undefined;
    } catch {
      return undefined;
    }
  }

  read(bytes: Buffer): void {
    for (const byte of bytes) {
      if (this.#inString) this.#readInString(byte);
      else this.#readOutside(byte);
    }
  }

  #readInString(byte: number): void {
    this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === 0x5c) this.#escaped = true;
    else if (byte === 0x22) {
      this.#inString = false;
      this.#last = this.#token;
      if (this.#isId()) this.#value = this.#token;
      this.#token = "";
    }
  }

  #readOutside(byte: number): void {
    const character = String.fromCodePoint(byte);
    if (character === '"') {
      this.#inString = true;
      this.#token = "";
      this.#keep(byte);
    } else if ("{[".includes(character)) this.#depth += 1;
    else if ("}],".includes(character)) {
      if (this.#depth === 1 && this.#isId() && this.#token !== "") this.#value = this.#token;
      if (character !== ",") this.#depth -= 1;
      if (this.#depth <= 1) [this.#token, this.#key] = ["", ""];
    } else if (character === ":" && this.#depth === 1) [this.#key, this.#token] = [this.#last, ""];
    else if (/\S/.test(character)) this.#keep(byte);
  }

  #isId(): boolean {
    return this.#depth === 1 && this.#key === '"id"';
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < MAX_ID_BYTES) this.#token += String.fromCodePoint(byte);
  }
}
