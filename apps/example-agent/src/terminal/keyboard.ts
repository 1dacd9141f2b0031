import { createInterface } from "node:readline";

/** Where lines come from: a person at a terminal, or a pipe. */
export interface Keyboard {
  /** Whether there is nothing more to come. */
  readonly ended: boolean;
  /**
   * Asks for one line, or for several that are pasted at once. `undefined` when there is none: the input has ended, the signal aborts, or Ctrl-C, which is also
   * sent on as `SIGINT`. One question at a time.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /** Gives the input back. */
  close(): void;
}

/** How to ask. */
interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the line can be had again with the arrow keys. Default no. */
  readonly remember?: boolean;
}

/** Opens the keyboard; nobody else may read the input until it is closed. */
export function openKeyboard(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Keyboard {
  return input.isTTY ? new TerminalLines(input, output) : new PipedLines(input, output);
}

const CTRL_C = "\u0003";
/** How long the rest of what was pasted may be in coming. */
const PASTE_MS = 30;

/**
 * Lines of a terminal. Between two questions whatever is typed is thrown away, all but Ctrl-C: what was typed before a
 * question was there cannot be the answer to it.
 */
class TerminalLines implements Keyboard {
  ended = false;
  #history: string[] = [];
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  readonly #discard = (typed: Buffer | string): void => {
    if (String(typed).includes(CTRL_C)) process.emit("SIGINT");
  };

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
    this.#listen();
  }

  async ask(question: string, { signal, remember = false }: AskOptions = {}): Promise<string | undefined> {
    if (signal?.aborted) return undefined;
    this.#input.off("data", this.#discard);
    const terminal = createInterface({
      input: this.#input,
      output: this.#output,
      terminal: true,
      history: remember ? [...this.#history] : [],
      historySize: remember ? 200 : 0,
    });
    terminal.on("history", (history) => {
      if (remember) this.#history = history;
    });
    return new Promise<string | undefined>((resolve) => {
      const cancel = (): void => terminal.close();
      signal?.addEventListener("abort", cancel);
      const lines: string[] = [];
      let interrupted = false;
      terminal.once("SIGINT", () => {
        interrupted = true;
        terminal.close();
      });
      terminal.once("close", () => {
        signal?.removeEventListener("abort", cancel);
        if (lines.length === 0) this.#output.write("\n");
        this.ended = lines.length === 0 && !interrupted && signal?.aborted !== true;
        this.#listen();
        if (interrupted) process.emit("SIGINT");
        resolve(lines.length === 0 ? undefined : lines.join("\n"));
      });
      terminal.on("line", (line) => {
        if (lines.push(line) === 1) setTimeout(() => terminal.close(), PASTE_MS);
      });
      terminal.setPrompt(question);
      terminal.prompt();
    });
  }

  close(): void {
    this.#input.off("data", this.#discard);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  /** Raw, so that nothing is echoed into what is shown, and Ctrl-C comes as a byte. */
  #listen(): void {
    this.#input.setRawMode(true);
    this.#input.on("data", this.#discard);
    this.#input.resume();
  }
}

/** Lines of a pipe or a file. They wait until they are asked for. */
class PipedLines implements Keyboard {
  ended = false;
  readonly #lines: AsyncIterator<string>;
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  #next: Promise<IteratorResult<string, unknown>> | undefined;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input;
    this.#output = output;
    this.#lines = createInterface({ input })[Symbol.asyncIterator]();
  }

  async ask(question: string, { signal }: AskOptions = {}): Promise<string | undefined> {
    if (signal?.aborted) return undefined;
    this.#output.write(question);
    this.#next ??= this.#lines.next();
    const aborted = new Promise<undefined>((resolve) => {
      signal?.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const line = await Promise.race([this.#next, aborted]);
    if (line === undefined) return undefined;
    this.#next = undefined;
    this.#output.write("\n");
    this.ended = line.done === true;
    return line.done === true ? undefined : line.value;
  }

  close(): void {
    this.#input.destroy();
  }
}
