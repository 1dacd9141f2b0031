import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { readMessage, unreadable } from "./read-message.ts";

/** Two streams that carry messages. */
export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Bytes of one message. A longer request is answered with an error. */
  readonly maxMessageBytes: number;
}

/** Bytes of answers that a client has not read. Above it, nothing more is read from the client until it reads. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * Messages as lines of JSON over two streams. Unlike the SDK's own transport it answers what it cannot read, so that no client waits for ever,
 * and stops reading from a client that does not read.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #streams: LineStreams;
  readonly #lines: LineReader;
  #closed = false;

  constructor(streams: LineStreams) {
    this.#streams = streams;
    const { maxMessageBytes } = streams;
    this.#lines = new LineReader(maxMessageBytes, {
      onLine: (line) => this.#take(line),
      onLong: ({ id, bytes }) => {
        this.onerror?.(new Error(`A message of ${bytes} bytes was left out: allowed are ${maxMessageBytes}`));
        this.#write(unreadable(`it has ${bytes} bytes, allowed are ${maxMessageBytes}`, id));
      },
    });
  }

  start(): Promise<void> {
    const { input, output } = this.#streams;
    input.on("data", this.#read);
    input.on("error", this.#fail);
    input.once("end", this.#end);
    input.once("close", this.#end);
    output.on("error", this.#fail);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The connection is closed"));
    this.#write(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    const { input, output } = this.#streams;
    input.off("data", this.#read);
    input.off("error", this.#fail);
    output.off("drain", this.#resume);
    // A write that fails later is nobody's error; the listener on `output` stays for it.
    input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #read = (chunk: Buffer): void => this.#lines.read(chunk);
  readonly #resume = (): void => void this.#streams.input.resume();
  readonly #end = (): void => {
    this.#lines.end();
    void this.close();
  };
  readonly #fail = (error: Error): void => {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  };

  #take(line: Buffer): void {
    if (this.#closed) return;
    const read = readMessage(line.toString());
    if (read === undefined) return;
    if ("message" in read) this.onmessage?.(read.message);
    else {
      this.onerror?.(new Error(`A message was left out: ${read.why}`));
      if (read.answer !== undefined) this.#write(read.answer);
    }
  }

  #write(message: object): void {
    const { input, output } = this.#streams;
    if (output.writable) output.write(`${JSON.stringify(message)}\n`);
    if (output.writableLength <= MAX_UNREAD_BYTES || input.isPaused()) return;
    input.pause();
    output.once("drain", this.#resume);
  }
}

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
