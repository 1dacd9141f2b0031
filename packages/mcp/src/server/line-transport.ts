import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { LineReader } from "./line-reader.ts";
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
