/** The facts kept of a message that was too long. */
export interface LongMessage {
  /** The id of the request; `undefined` when it has none, or none that could be read. */
  readonly id: string | number | undefined;
  /** Bytes, all of them. */
  readonly bytes: number;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
/** Bytes of an id that are kept. */
const MAX_ID_BYTES = 256;

/** Receivers of lines. */
export interface LineReceivers {
  /** Receives each line, with the byte that ends it. */
  readonly onLine: (line: Buffer) => void;
  /** Called for each line that is too long, at its end. */
  readonly onLong: (message: LongMessage) => void;
}

/** Cuts bytes into lines. Of a line that is longer than allowed only the id is kept, so that it does not end the connection. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #receivers: LineReceivers;
  #held: Buffer[] = [];
  #bytes = 0;
  #finder: IdFinder | undefined;

  /** @param maxBytes - Of a line with its end. */
  constructor(maxBytes: number, receivers: LineReceivers) {
    this.#maxBytes = maxBytes;
    this.#receivers = receivers;
  }

  read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#take(chunk.subarray(start, end + 1));
      this.end();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** Takes the line that is being read as it is. */
  end(): void {
    const [held, bytes, finder] = [this.#held, this.#bytes, this.#finder];
    [this.#held, this.#bytes, this.#finder] = [[], 0, undefined];
    if (finder !== undefined) this.#receivers.onLong({ id: finder.id, bytes });
    else if (bytes > 0) this.#receivers.onLine(held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held));
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#finder === undefined && this.#bytes > this.#maxBytes) {
      this.#finder = new IdFinder();
      for (const earlier of this.#held) this.#finder.read(earlier);
      this.#held = [];
    }
    if (this.#finder === undefined) this.#held.push(piece);
    else this.#finder.read(piece);
  }
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
    else if (byte === QUOTE) {
      this.#inString = false;
      this.#last = this.#token;
      if (this.#isId()) this.#value = this.#token;
      this.#token = "";
    }
  }

  #readOutside(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        this.#token = "";
        this.#keep(byte);
        break;
      case 0x7b: // {
      case 0x5b: // [
        this.#depth += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
      case 0x2c: // ,
        if (this.#depth === 1 && this.#isId() && this.#token !== "") this.#value = this.#token;
        if (byte !== 0x2c) this.#depth -= 1;
        if (this.#depth <= 1) [this.#token, this.#key] = ["", ""];
        break;
      case 0x3a: // :
        if (this.#depth === 1) [this.#key, this.#token] = [this.#last, ""];
        else this.#keep(byte);
        break;
      default:
        if (byte > 0x20) this.#keep(byte);
    }
  }

  #isId(): boolean {
    return this.#depth === 1 && this.#key === '"id"';
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < MAX_ID_BYTES) this.#token += String.fromCodePoint(byte);
  }
}
