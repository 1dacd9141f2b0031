import { isUtf8 } from "node:buffer";
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
    const read = readMessage(isUtf8(line) ? line.toString() : undefined);
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
  /** The id of the request; `undefined` when it has none, or none that stands near an end of it. */
  readonly id: string | number | undefined;
  /** Bytes, all of them. */
  readonly bytes: number;
}

const NEWLINE = 0x0a;
/** Bytes of each end of a long line in which its id is looked for. */
const END_BYTES = 1_024;

const TEXT = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){0,254}"`;
const ID = String.raw`"id"\s*:\s*(?<id>-?(?:0|[1-9]\d*)|${TEXT})\s*`;
const MEMBER = String.raw`${TEXT}\s*:\s*(?:${TEXT}|[-\w.+]+)\s*`;
/** An id with only texts, numbers and the like before it, or after it: then it is that of the message. */
const IDS = [
  new RegExp(String.raw`^\s*\{\s*(?:${MEMBER},\s*)*?${ID}[,}]`),
  new RegExp(String.raw`^\s*\{.*[,{]\s*${ID}(?:,\s*${MEMBER})*\}\s*$`, "s"),
];

function idIn(ends: string): LongMessage["id"] {
  const id = IDS.map((one) => one.exec(ends)?.groups?.["id"]).find((found) => found !== undefined);
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}

/** Receivers of lines. */
export interface LineReceivers {
  /** Receives each line, with the byte that ends it. */
  readonly onLine: (line: Buffer) => void;
  /** Called for each line that is too long, at its end. */
  readonly onLong: (message: LongMessage) => void;
}

/** Cuts bytes into lines. Of a line that is longer than allowed only its ends are kept, so that it does not end the connection. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #receivers: LineReceivers;
  #held: Buffer[] = [];
  #bytes = 0;

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
    const [held, bytes] = [this.#held, this.#bytes];
    [this.#held, this.#bytes] = [[], 0];
    if (bytes > this.#maxBytes) this.#receivers.onLong({ id: idIn(Buffer.concat(held).toString()), bytes });
    else if (bytes > 0) this.#receivers.onLine(held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held));
  }

  #take(piece: Buffer): void {
    this.#held.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) return;
    const all = Buffer.concat(this.#held);
    // Copies, so that the whole is not held.
    this.#held = [all.subarray(0, END_BYTES), all.subarray(Math.max(END_BYTES, all.length - END_BYTES))].map((end) =>
      Buffer.from(end),
    );
  }
}
