/** What a {@link FrameReader} finds. */
export interface FrameObserver {
  /** Bytes that are not part of a frame: what the program itself wrote. */
  onText(bytes: Buffer): void;
  /** One frame, without its token. */
  onFrame(json: string): void;
  /** A frame grew beyond the limit. Nothing is reported afterwards. */
  onOverflow(): void;
}

const NEWLINE = 10;

/**
 * Tells frames from other output in one stream. A frame is the token, any text without a newline, and a newline. Everything else is text, and is passed on at once: nothing but an unfinished frame is ever held back, apart
 * from the few bytes at the end of a chunk that may be the start of one. Each byte is looked at once.
 */
export class FrameReader {
  readonly #start: Buffer;
  readonly #maxBytes: number;
  readonly #observer: FrameObserver;
  /** The pieces of an unfinished frame; `undefined` outside of one. */
  #frame: Buffer[] | undefined;
  #frameBytes = 0;
  /** The end of the last text when it may be the start of a frame. */
  #held: Buffer = Buffer.alloc(0);
  #overflown = false;

  /** @param token Begins every frame; should begin with a byte that is rare in text, because that is held back.
   * @param maxBytes Longest frame, token and newline not counted. */
  constructor(token: string, maxBytes: number, observer: FrameObserver) {
    this.#start = Buffer.from(token);
    this.#maxBytes = maxBytes;
    this.#observer = observer;
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer): void {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    while (rest.length > 0 && !this.#overflown)
      rest = this.#frame === undefined ? this.#readText(rest) : this.#readFrame(rest);
  }

  /** The stream is over: what was held back is text. */
  end(): void {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    if (held.length > 0 && !this.#overflown) this.#observer.onText(held);
  }

  #readText(bytes: Buffer): Buffer {
    const at = bytes.indexOf(this.#start);
    if (at === -1) {
      const kept = this.#startLengthAtEnd(bytes);
      this.#held = bytes.subarray(bytes.length - kept);
      if (kept < bytes.length) this.#observer.onText(bytes.subarray(0, bytes.length - kept));
      return Buffer.alloc(0);
    }
    if (at > 0) this.#observer.onText(bytes.subarray(0, at));
    this.#frame = [];
    this.#frameBytes = 0;
    return bytes.subarray(at + this.#start.length);
  }

  #readFrame(bytes: Buffer): Buffer {
    const end = bytes.indexOf(NEWLINE);
    const piece = end === -1 ? bytes : bytes.subarray(0, end);
    this.#frameBytes += piece.length;
    if (this.#frameBytes > this.#maxBytes) {
      this.#overflown = true;
      this.#frame = undefined;
      this.#observer.onOverflow();
      return Buffer.alloc(0);
    }
    this.#frame?.push(piece);
    if (end === -1) return Buffer.alloc(0);
    const json = Buffer.concat(this.#frame ?? []).toString();
    this.#frame = undefined;
    this.#observer.onFrame(json);
    return bytes.subarray(end + 1);
  }

  /** How many bytes at the end could be the beginning of a frame. */
  #startLengthAtEnd(bytes: Buffer): number {
    for (let length = Math.min(this.#start.length - 1, bytes.length); length > 0; length -= 1) {
      if (bytes.subarray(bytes.length - length).equals(this.#start.subarray(0, length))) return length;
    }
    return 0;
  }
}
