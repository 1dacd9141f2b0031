/** Longest text that waits for more. Joining long ones costs more than it saves. */
const MAX_CHARS = 65_536;

/** Writes the messages that come in one go together: a write takes longer than most messages do. */
export class Outbox {
  readonly #write: (text: string, sent: () => void) => void;
  #lines: string[] = [];
  #sent: (() => void)[] = [];
  #chars = 0;

  /** @param write Writes a text and a newline; calls `sent` once it has left. */
  constructor(write: (text: string, sent: () => void) => void) {
    this.#write = write;
  }

  /** Takes a message, a text without a newline. `sent` is called once it has left. */
  post(line: string, sent: () => void): void {
    this.#lines.push(line);
    this.#sent.push(sent);
    this.#chars += line.length;
    if (this.#chars > MAX_CHARS) this.#flush();
    else if (this.#lines.length === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const [lines, sent] = [this.#lines, this.#sent];
    this.#lines = [];
    this.#sent = [];
    this.#chars = 0;
    this.#write(lines.join("\n"), () => {
      for (const tell of sent) tell();
    });
  }
}
