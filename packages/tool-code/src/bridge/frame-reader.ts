/** Receives the parts of the stream that a {@link FrameReader} reads. */
export interface FrameObserver {
  /** Bytes outside of frames, which the program itself wrote. */
  onText(bytes: Buffer): void;
  /** One frame, without its token. */
  onFrame(json: string): void;
  /** Called for a frame that is longer than 64 KiB, which is then not reported by `onFrame`. */
  onLongFrame(): FrameSink;
  /** A frame exceeded the limit. Nothing is reported afterwards. */
  onOverflow(): void;
}

/** Receives one long frame. */
export interface FrameSink {
  push(piece: Buffer): void;
  end(): void;
}

/** Frames up to this size, in bytes, are reported whole: as much as a stream passes on at a time. */
const LONG_FRAME_BYTES = 65_536;

const NEWLINE = 10;

/**
 * Separates frames from other output in one stream. A frame is the token, any text without a newline, and a newline.
 * Everything else is text and is passed on at once. Only an unfinished frame, or a few bytes at the end of a chunk that
 * may start one, are withheld. Each byte is read once. A long frame is passed on in pieces as it comes.
 */
export class FrameReader {
  readonly #start: Buffer;
  readonly #maxBytes: number;
  readonly #observer: FrameObserver;
  /** The pieces of an unfinished frame; `undefined` outside of one. */
  #pieces: Buffer[] | undefined;
  #frameBytes = 0;
  #sink: FrameSink | undefined;
  /** The end of the last text, when it may start a frame. */
  #held: Buffer | undefined;
  #overflown = false;

  /** @param token Starts every frame. Its first byte should be rare in text, because that byte is withheld.
   * @param maxBytes Size of a frame, without token and newline. */
  constructor(token: string, maxBytes: number, observer: FrameObserver) {
    this.#start = Buffer.from(token);
    this.#maxBytes = maxBytes;
    this.#observer = observer;
  }

  get isInLongFrame(): boolean {
    return this.#sink !== undefined;
  }

  /** Ignores the rest of the stream. */
  stop(): void {
    this.#overflown = true;
    this.#pieces = undefined;
    this.#sink = undefined;
  }

  push(chunk: Buffer): void {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = undefined;
    let at = 0;
    while (at < bytes.length && !this.#overflown)
      at = this.#pieces === undefined ? this.#readText(bytes, at) : this.#readFrame(bytes, at, this.#pieces);
  }

  /** Ends the stream: withheld bytes are text. */
  end(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined && !this.#overflown) this.#observer.onText(held);
  }

  #readText(bytes: Buffer, from: number): number {
    const start = bytes.indexOf(this.#start, from);
    const kept = start === -1 ? this.#startLengthAtEnd(bytes.subarray(from)) : 0;
    const end = start === -1 ? bytes.length - kept : start;
    if (end > from) this.#observer.onText(bytes.subarray(from, end));
    if (start === -1) {
      if (kept > 0) this.#held = bytes.subarray(end);
      return bytes.length;
    }
    this.#pieces = [];
    this.#frameBytes = 0;
    return start + this.#start.length;
  }

  #readFrame(bytes: Buffer, from: number, pieces: Buffer[]): number {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline === -1 ? bytes.length : newline;
    this.#frameBytes += end - from;
    if (this.#frameBytes > this.#maxBytes) {
      this.stop();
      this.#observer.onOverflow();
      return bytes.length;
    }
    if (this.#frameBytes > LONG_FRAME_BYTES && this.#sink === undefined) {
      this.#sink = this.#observer.onLongFrame();
      for (const piece of pieces.splice(0)) this.#sink.push(piece);
    }
    const piece = bytes.subarray(from, end);
    if (newline === -1) {
      if (this.#sink === undefined) pieces.push(piece);
      else this.#sink.push(piece);
      return bytes.length;
    }
    this.#pieces = undefined;
    if (this.#sink !== undefined) {
      const sink = this.#sink;
      this.#sink = undefined;
      sink.push(piece);
      sink.end();
      return newline + 1;
    }
    const json = pieces.length === 0 ? bytes.toString("utf8", from, end) : Buffer.concat([...pieces, piece]).toString();
    this.#observer.onFrame(json);
    return newline + 1;
  }

  /** How many bytes at the end could be the beginning of a frame. */
  #startLengthAtEnd(bytes: Buffer): number {
    for (let length = Math.min(this.#start.length - 1, bytes.length); length > 0; length -= 1) {
      if (bytes.subarray(bytes.length - length).equals(this.#start.subarray(0, length))) return length;
    }
    return 0;
  }
}
