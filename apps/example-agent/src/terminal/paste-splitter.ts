/** A part of the bytes that a terminal sends: keys, or a whole paste. */
export type Typed = { readonly keys: Buffer } | { readonly pasted: string };

/** Makes the terminal mark pastes (bracketed paste), and stops it. */
export const PASTE_MARKS = { on: "\u001B[?2004h", off: "\u001B[?2004l" };

const BEGIN = Buffer.from("\u001B[200~");
const END = Buffer.from("\u001B[201~");
const CTRL_C = Buffer.from("\u0003");

/**
 * Separates pastes from keys in the bytes of a terminal. A paste may come in any number of chunks; nothing in it is taken
 * for a key.
 */
export class PasteSplitter {
  /** The chunks of a paste that has not ended. */
  #paste: Buffer[] | undefined;
  /** The beginning of a mark at the end of the last chunk. */
  #rest: Buffer = Buffer.alloc(0);

  /** Whether bytes are held back that may begin a mark. Unless more come soon they are keys: call `flush`. */
  get holdsKeys(): boolean {
    return this.#paste === undefined && this.#rest.length > 0;
  }

  /** Takes the next chunk. Returns the complete parts, in order. */
  add(chunk: Buffer): readonly Typed[] {
    const typed: Typed[] = [];
    // A terminal that never ends its paste must not lock the person out.
    if (chunk.equals(CTRL_C)) this.#paste = undefined;
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const mark = this.#paste === undefined ? BEGIN : END;
      const at = bytes.indexOf(mark);
      const end = at === -1 ? bytes.length - partOfMark(bytes, mark) : at;
      this.#take(bytes.subarray(0, end), typed);
      if (at === -1) {
        this.#rest = Buffer.from(bytes.subarray(end));
        return typed;
      }
      bytes = bytes.subarray(at + mark.length);
      if (this.#paste === undefined) this.#paste = [];
      else {
        typed.push({ pasted: normalLines(Buffer.concat(this.#paste).toString("utf8")) });
        this.#paste = undefined;
      }
    }
  }

  /** Returns the bytes that were held back, as keys. */
  flush(): readonly Typed[] {
    if (!this.holdsKeys) return [];
    const keys = this.#rest;
    this.#rest = Buffer.alloc(0);
    return [{ keys }];
  }

  #take(bytes: Buffer, typed: Typed[]): void {
    if (bytes.length === 0) return;
    if (this.#paste === undefined) typed.push({ keys: bytes });
    else this.#paste.push(Buffer.from(bytes));
  }
}

/** How many bytes at the end of a chunk may begin a mark. */
function partOfMark(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(mark.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}

/** Terminals send the end of a line as CR, some as CR LF. */
export function normalLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
