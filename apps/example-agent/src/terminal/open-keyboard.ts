import { createInterface } from "node:readline";
import type { Host } from "../setup/host.ts";
import type { Keyboard, AskOptions } from "./keyboard.ts";
import type { Screen } from "./screen.ts";
import { TerminalLines } from "./terminal-lines.ts";

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

/**
 * Opens the keyboard; nobody else may read the input until it is closed.
 *
 * @param prompt Prefix of a person's text in a conversation. Without it they can only answer questions.
 */
export function openKeyboard(
  host: Pick<Host, "stdin" | "emit">,
  output: NodeJS.WriteStream,
  screen: Screen,
  prompt?: string,
): Keyboard {
  return host.stdin.isTTY ? new TerminalLines(host, output, screen, prompt) : new PipedLines(host.stdin, output);
}
