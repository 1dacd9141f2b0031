import { EventEmitter } from "node:events";
import { emitKeypressEvents, type Key } from "node:readline";
import { normalLines, PASTE_MARKS, PasteSplitter, type Typed } from "./paste-splitter.ts";

/** A person's action at a terminal. */
export interface KeyListener {
  /** A key, by its name as Node gives it; `^` is Ctrl, `M-` is Alt. */
  key(name: string): void;
  /** Text that was typed or pasted. */
  text(text: string): void;
  /** There is nothing more to come: the terminal is gone. */
  end(): void;
}

const CR = 0x0d;
/** Control characters that no text has: those of keys. */
const KEYS = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F]/;
/** How long the rest of a key, or of a paste of a terminal without marks, may be in coming. */
const REST_MS = 30;

/**
 * Reads the keys and pastes of a terminal in raw mode, until closed.
 *
 * If the terminal marks no pastes, line ends in the middle of one chunk are taken for pasted ones: a person does not
 * type on within a few milliseconds of Enter.
 */
export class KeyReader {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  readonly #listener: KeyListener;
  readonly #splitter = new PasteSplitter();
  /** Node's own decoder of keys wants a stream, and uses the emitter in it. */
  readonly #decoder = new EventEmitter() as NodeJS.ReadStream;
  /** Keys that end with Enter, until it is clear that nothing follows at once. */
  #entered: Buffer = Buffer.alloc(0);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, listener: KeyListener) {
    this.#input = input;
    this.#output = output;
    this.#listener = listener;
    emitKeypressEvents(this.#decoder);
    this.#decoder.on("keypress", this.#onKey);
    for (const gone of ["end", "error"]) input.on(gone, () => listener.end());
    this.#start();
  }

  close(): void {
    clearTimeout(this.#timer);
    process.off("SIGCONT", this.#start);
    process.off("exit", this.#stop);
    this.#stop();
    this.#input.pause();
  }

  /** Raw, so that nothing is echoed into the screen, and Ctrl-C comes as a key. */
  readonly #start = (): void => {
    process.off("SIGCONT", this.#start);
    this.#input.setRawMode(true);
    if (this.#output.isTTY) this.#output.write(PASTE_MARKS.on);
    this.#input.on("data", this.#onData).resume();
    process.on("exit", this.#stop);
  };

  readonly #stop = (): void => {
    this.#input.off("data", this.#onData);
    if (this.#output.isTTY && !this.#output.destroyed) this.#output.write(PASTE_MARKS.off);
    try {
      this.#input.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };

  /** Ctrl-Z: the whole job of the shell stops, and goes on with `fg`. */
  #suspend(): void {
    this.#stop();
    process.once("SIGCONT", this.#start);
    process.kill(0, "SIGTSTP");
  }

  readonly #onData = (chunk: Buffer): void => {
    clearTimeout(this.#timer);
    this.#take(this.#splitter.add(chunk));
    this.#timer = setTimeout(this.#settle, REST_MS);
  };

  /** Nothing followed at once. */
  readonly #settle = (): void => {
    this.#take(this.#splitter.flush());
    this.#enter();
  };

  #take(typed: readonly Typed[]): void {
    for (const one of typed) {
      if ("keys" in one) this.#addKeys(one.keys);
      else {
        this.#enter();
        this.#listener.text(one.pasted);
      }
    }
  }

  #addKeys(keys: Buffer): void {
    const all = this.#entered.length === 0 ? keys : Buffer.concat([this.#entered, keys]);
    this.#entered = Buffer.alloc(0);
    // A lone Enter is a key at once; one behind other text may be the end of a pasted line.
    if (all.length > 1 && all.includes(CR)) this.#entered = all;
    else this.#decoder.emit("data", all);
  }

  #enter(): void {
    const all = this.#entered;
    this.#entered = Buffer.alloc(0);
    if (all.length === 0) return;
    const end = all.indexOf(CR);
    if (end === all.length - 1 || KEYS.test(all.toString("latin1"))) this.#decoder.emit("data", all);
    else this.#listener.text(normalLines(all.toString("utf8")));
  }

  readonly #onKey = (text: string | undefined, { name = "", ctrl, meta, sequence = "" }: Key): void => {
    const isText = text !== undefined && !/\p{Cc}/u.test(text);
    if (ctrl === true && name === "z") this.#suspend();
    else if (isText) this.#listener.text(text);
    else this.#listener.key(`${ctrl === true ? "^" : ""}${meta === true ? "M-" : ""}${name || sequence}`);
  };
}
