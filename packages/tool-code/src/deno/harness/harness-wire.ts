import type { DenoApi } from "./deno-api.ts";

/** How the harness talks with the host. */
export interface HarnessWire {
  /** Sends a message at once, after those that were posted. */
  send(json: string): void;
  /** Sends a message: the first of a turn at once, those after it together when the turn ends. */
  post(json: string): void;
  /** How many bytes of UTF-8 a text has. */
  byteLength(text: string): number;
  /** Begins to listen. When the host is gone, so is this process. */
  listen(listener: WireListener): void;
}

/** Receives the host's messages. */
interface WireListener {
  /** The host has given its token: from now on it can be sent to. */
  ready(): void;
  receive(json: string): void;
  /** Whether a message of the host is due. While none is, reading must not keep this process alive. */
  isDue(): boolean;
  /** Whether the program waits for an answer. */
  waits(): boolean;
}

/**
 * Makes the harness's end of the conversation. Runs inside Deno, sent there as source like its harness, so it uses
 * nothing from outside itself and takes everything it needs before the program starts.
 *
 * @param hasMoreWork Returns whether anything but this wire could make the program go on: a timer, a request, a file.
 * If nothing can, the wire waits for the host in the program's own thread, which is twice as fast as waiting beside it.
 * Without this function it never does.
 */
export function harnessWire(hasMoreWork: (() => boolean) | undefined): HarnessWire {
  const { Deno, Promise, setImmediate, TextEncoder, TextDecoder, Uint8Array, String } = globalThis as unknown as {
    readonly Deno: DenoApi;
  } & typeof globalThis;
  const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { stdin, stdout, exit } = Deno;
  const { read, readSync } = stdin;
  const { writeSync } = stdout;
  const encoder = new TextEncoder();
  const { encode } = TextEncoder.prototype;
  // A line may hold a byte order mark anywhere.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const { decode } = TextDecoder.prototype;
  const { indexOf, slice } = String.prototype;
  const { subarray, lastIndexOf } = Uint8Array.prototype;
  const size = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype) as object, "byteLength")
    ?.get as () => number;

  const PIECE = 65_536;
  const NEWLINE = 10;
  const inParts = { __proto__: null, stream: true };
  const buffer = new Uint8Array(PIECE);
  let token = "";
  let writeBatch = "";
  let inTurn = false;
  let line = "";
  let wake = (): void => undefined;

  function flush(): void {
    if (writeBatch === "") return;
    let rest: Uint8Array = apply(encode, encoder, [writeBatch]);
    writeBatch = "";
    while (apply(size, rest, []) > 0) rest = apply(subarray, rest, [apply(writeSync, stdout, [rest])]);
  }

  function send(json: string): void {
    writeBatch += `${token}${json}\n`;
    flush();
  }

  function post(json: string): void {
    wake();
    if (!inTurn) {
      inTurn = true;
      void endTurn();
      return send(json);
    }
    writeBatch += `${token}${json}\n`;
    if (writeBatch.length > PIECE) flush();
  }

  /**
   * Runs after everything that is ready has continued. Resolves with a non-object, which cannot have a `then` of the
   * program's.
   */
  async function endTurn(): Promise<void> {
    await (0 as unknown);
    inTurn = false;
    flush();
  }

  /**
   * Takes the bytes read. Lines end where characters do, so whole ones need no decoder state, and are decoded faster
   * without.
   */
  function take(bytes: Uint8Array, listener: WireListener): void {
    const end = apply(lastIndexOf, bytes, [NEWLINE]) + 1;
    if (end > 0) {
      const whole = apply(subarray, bytes, [0, end]);
      const text = line + apply(decode, decoder, line === "" ? [whole] : [whole, inParts]);
      line = "";
      for (let from = 0; from < text.length;) {
        const at = apply(indexOf, text, ["\n", from]);
        const found: string = apply(slice, text, [from, at]);
        from = at + 1;
        if (token !== "") listener.receive(found);
        else {
          token = found;
          listener.ready();
        }
      }
    }
    if (end < apply(size, bytes, [])) line += apply(decode, decoder, [apply(subarray, bytes, [end]), inParts]);
  }

  /** Reads in this thread, if the program can do nothing meanwhile. */
  function readNow(): number | undefined {
    if (hasMoreWork === undefined || hasMoreWork()) return undefined;
    return apply(readSync, stdin, [buffer]) ?? exit(0);
  }

  async function readAll(listener: WireListener): Promise<never> {
    for (;;) {
      if (!listener.isDue()) {
        await new Promise<void>((resolve) => (wake = resolve));
        // The program goes on as far as it can.
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      const count = (listener.waits() ? readNow() : undefined) ?? (await apply(read, stdin, [buffer])) ?? exit(0);
      take(apply(subarray, buffer, [0, count]), listener);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    send,
    post,
    byteLength: (text) => apply(size, apply(encode, encoder, [text]), []),
    listen: (listener) => void readAll(listener).then(undefined, () => exit(70)),
  };
}
